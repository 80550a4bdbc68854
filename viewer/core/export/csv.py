"""One tensor as comma-separated numbers: a line for each row along the last axis, all other axes in C order.

Numbers are the shortest texts that read back as the same number of their type; `nan`, `inf`, `-inf`; complex numbers
as Python writes them; truth as 1 and 0. No header, so that numpy.loadtxt and spreadsheets read it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from math import prod
from typing import BinaryIO, ClassVar, Final

import numpy as np
from typing_extensions import override

from viewer.core.errors import ExportError
from viewer.core.export.base import STEP
from viewer.core.export.elements import Written
from viewer.core.export.one_tensor import OneTensorExporter, elements_of, told
from viewer.core.export.plan import Plan, Report, Verdict
from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import AnyArray
from viewer.wording import QT_TRANSLATE_NOOP, bare
from viewer.wording.phrases import phrase

VERIFY: Final = "verify"
DOUBLE: Final = 8
KINDS: Final = "biufc"
COMPLEX: Final = re.compile(r"(.*[^e])([+-].*)j")
AT_ONCE: Final = 2048
"""Numbers between two looks at the progress: a few milliseconds of work."""
LONGEST: Final = {"f": 24, "c": 50}
"""Signs of a number by the kind of its type; 12 for others is about right."""


class Csv(OneTensorExporter):
    """For spreadsheets and programs that read numbers as text. Plans say how large that becomes."""

    form: ClassVar[str] = "csv"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "CSV")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", ".csv, the numbers of one tensor as text")
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)

    @override
    def size_of(self, elements: Written) -> int:
        if elements.dtype.kind not in KINDS:
            raise ExportError("export-no-numbers", dtype=elements.name)
        return prod(elements.tensor.shape) * LONGEST.get(elements.dtype.kind, 12)

    @override
    def stream(self, plan: Plan, file: BinaryIO, name: str, progress: Progress) -> None:
        elements = elements_of(plan)
        total = prod(elements.tensor.shape)
        done = 0
        width = row_length(elements)
        for flat in numbers(elements, told(plan, progress)):
            progress.step(STEP, done * elements.dtype.itemsize, elements.nbytes)
            file.write(joined(words(flat), done, width).encode("ascii"))
            done += len(flat)
        if total:
            file.write(b"\n")

    @override
    def verify(self, report: Report, progress: Progress) -> Verdict:
        elements = elements_of(report.plan)
        try:
            is_same = all(np.array_equal(*pair, equal_nan=True) for pair in pairs(report, elements, progress))
        except (OSError, ValueError) as failure:
            return Verdict("numpy-differs", False, {"reason": bare(str(failure))})
        if not is_same:
            return Verdict("numpy-differs", False, {"reason": phrase("differs-numbers")})
        return Verdict("numpy-verified", True, {"count": 1})


def row_length(elements: Written) -> int:
    """Numbers in a line."""
    shape = elements.tensor.shape
    return max(1, shape[-1]) if shape else 1


def numbers(elements: Written, progress: Progress) -> Iterator[AnyArray]:
    """All numbers in C order, flat, not many at once."""
    for block in elements.blocks(progress):
        flat: AnyArray = np.frombuffer(block, elements.dtype)
        for start in range(0, len(flat), AT_ONCE):
            yield flat[start : start + AT_ONCE]


def words(flat: AnyArray) -> list[str]:
    """The text of each number."""
    kind = flat.dtype.kind
    if kind == "b":
        flat = flat.view(np.uint8)
    if kind == "c":
        parts = zip(words(flat.real), words(flat.imag), strict=True)
        return [f"{real}{imag}j" if imag.startswith("-") else f"{real}+{imag}j" for real, imag in parts]
    if kind == "f" and flat.itemsize != DOUBLE:
        # numpy knows the shortest text of each type; Python has only one of them.
        found: list[str] = flat.astype("U64").tolist()
        return found
    return list(map(repr, flat.tolist()))


def joined(texts: list[str], done: int, width: int) -> str:
    """The texts with what stands between them; `done`: numbers before these."""
    signs = ("\n" if at and at % width == 0 else "," if at else "" for at in range(done, done + len(texts)))
    return "".join(chain.from_iterable(zip(signs, texts, strict=True)))


def pairs(report: Report, elements: Written, progress: Progress) -> Iterator[tuple[AnyArray, AnyArray]]:
    """What was read back by numpy and what was meant, piece by piece. Raises ValueError for what are no numbers."""
    with report.path.open("rb") as file:
        rest = b""
        for flat in numbers(elements, progress):
            progress.step(VERIFY, file.tell(), report.nbytes)
            while rest.count(b",") + rest.count(b"\n") < len(flat) and (more := file.read(1 << 16)):
                rest += more
            texts = rest.replace(b"\n", b",").split(b",", len(flat))
            rest = texts.pop() if len(texts) > len(flat) else b""
            yield read_numbers(texts, flat), flat
        if rest.strip() or file.read(1):
            raise ValueError(phrase("differs-numbers-more"))


def read_numbers(texts: list[bytes], like: AnyArray) -> AnyArray:
    """Texts as numbers of that type."""
    plain = [text.decode("ascii") for text in texts]
    if like.dtype.kind in "iu":
        return np.array([int(text) for text in plain], like.dtype)
    if like.dtype.kind == "b":
        return np.array([text == "1" for text in plain])
    if like.real.itemsize > DOUBLE:
        return wide_numbers(plain, like)
    kind = complex if like.dtype.kind == "c" else float
    with np.errstate(over="ignore"):
        return np.array([kind(text) for text in plain]).astype(like.dtype)


def wide_numbers(texts: list[str], like: AnyArray) -> AnyArray:
    """Numbers that are wider than Python's: numpy alone reads them as they are, and of complex ones each half."""
    if like.dtype.kind == "f":
        return np.array(texts).astype(like.dtype)
    halves = [match.groups() for match in map(COMPLEX.fullmatch, texts) if match is not None]
    if len(halves) != len(texts):
        raise ValueError(phrase("differs-numbers-less"))
    return np.array(halves).astype(like.real.dtype).view(like.dtype).reshape(-1)
