"""The legacy stream of torch 0.1.10 to 1.5: five pickles, then the storages."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from typing_extensions import override

from tests.builders.torch_values import ModuleClass, Storage, TorchPickler
from tests.builders.values import Fresh, dumps

MAGIC: Final = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION: Final = 1001
# Keys are C addresses in decimal; these look like them and are the same in every run.
FIRST_ADDRESS: Final = 94268654570176
BETWEEN: Final = 1504


def default_system_info() -> dict[str, object]:
    """The third pickle as every torch writes it on a little-endian machine."""
    return {
        "protocol_version": PROTOCOL_VERSION,
        "little_endian": True,
        "type_sizes": {"short": 2, "int": 4, "long": 4},
    }


class LegacyPickler(TorchPickler):
    """Storages become six-item ids, module classes bring their source. `storages` fills in order of first use."""

    def __init__(self, protocol: int = 2) -> None:
        super().__init__(protocol)
        self.storages: dict[str, Storage] = {}
        self._keys: dict[int, str] = {}
        self._classes: set[int] = set()
        self._uses: list[object] = []

    @override
    def persistent_id(self, value: object) -> object:
        if isinstance(value, Storage):
            key = Fresh(self._key(value))
            return ("storage", value.global_class, key, value.location, value.count, value.view)
        if isinstance(value, ModuleClass) and id(value) not in self._classes:
            self._classes.add(id(value))
            self._uses.append(value)
            return ("module", value, value.file, value.source)
        return super().persistent_id(value)

    def _key(self, value: Storage) -> str:
        if id(value) not in self._keys:
            key = str(FIRST_ADDRESS + BETWEEN * len(self._keys)) if value.key is None else str(value.key)
            self._keys[id(value)] = key
            self.storages.setdefault(key, value)
        return self._keys[id(value)]


@dataclass(slots=True)
class LegacyStream:
    """The parts of one legacy stream, for tests that need their places. `data` joins them."""

    pickles: list[bytes]
    storages: list[bytes]
    keys: list[str] = field(default_factory=list)

    @property
    def data(self) -> bytes:
        """The whole stream."""
        return b"".join(self.pickles + self.storages)

    @property
    def starts(self) -> list[int]:
        """Offsets of the pickles, then of the storages (of their count), then the end."""
        places = [0]
        for part in self.pickles + self.storages:
            places.append(places[-1] + len(part))
        return places


def build(
    value: object,
    protocol: int = 2,
    system_info: Mapping[str, object] | None = None,
    keys: Sequence[str] | None = None,
    counts: Callable[[str, int], int] | None = None,
) -> LegacyStream:
    """A legacy stream of one value. `keys` and `counts` overrule what the object asks for, to make faulty files."""
    pickler = LegacyPickler(protocol)
    body = pickler.dumps(value)
    listed = sorted(pickler.storages) if keys is None else list(keys)
    pickles = [
        dumps(MAGIC, protocol),
        dumps(PROTOCOL_VERSION, protocol),
        dumps(dict(system_info or default_system_info()), protocol),
        body,
        dumps([Fresh(key) for key in listed], protocol),
    ]
    raw = []
    for key in listed:
        kept = pickler.storages[key]
        count = kept.count if counts is None else counts(key, kept.count)
        raw.append(struct.pack("<q", count) + kept.data)
    return LegacyStream(pickles, raw, listed)


def legacy(value: object, protocol: int = 2) -> bytes:
    """The bytes of a legacy stream of one value."""
    return build(value, protocol).data
