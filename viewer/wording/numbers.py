"""How whole numbers and sizes are written; exports, JSON and the command line write them as `PLAIN` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DECIMAL: Final = (1000, ("kB", "MB", "GB", "TB", "PB"))
BINARY: Final = (1024, ("KiB", "MiB", "GiB", "TiB", "PiB"))


@dataclass(frozen=True, slots=True)
class Numbers:
    """`separator`: between groups of three digits, "" for none. `small`: hexadecimal letters are a to f.

    `binary`: sizes are counted in KiB, 1,024 bytes, and not in kB, 1,000.
    """

    separator: str = ","
    small: bool = False
    binary: bool = False

    def count(self, number: int) -> str:
        """57,437."""
        return f"{number:,}".replace(",", self.separator)

    def hexadecimal(self, number: int, digits: int = 0) -> str:
        """1F4; `digits`: at least so many."""
        return f"{number:0{digits}x}" if self.small else f"{number:0{digits}X}"

    def scaled(self, nbytes: float) -> tuple[float, int, str] | None:
        """A number of bytes as a value, how many of its digits stand behind the point, and its unit.

        Three digits in all; None where it has no more than three and needs no unit.
        """
        step, units = BINARY if self.binary else DECIMAL
        if nbytes < step:
            return None
        fitting = (power for power in range(1, len(units)) if nbytes / step**power < 999.5)
        power = next(fitting, len(units))
        value = nbytes / step**power
        return value, 2 if value < 9.995 else 1 if value < 99.95 else 0, units[power - 1]


PLAIN: Final = Numbers()
