"""One tensor as numpy.save writes it: C order, little-endian; types that numpy lacks are widened."""

from __future__ import annotations

from typing import BinaryIO, ClassVar

from typing_extensions import override

from viewer.core.export.elements import Written
from viewer.core.export.npz import header, member_bytes
from viewer.core.export.npz_check import DiffersError, compare_elements
from viewer.core.export.one_tensor import OneTensorExporter, elements_of, told
from viewer.core.export.plan import Plan, Report, Verdict
from viewer.core.progress import Progress
from viewer.wording import QT_TRANSLATE_NOOP, bare


class Npy(OneTensorExporter):
    """Any program that knows numpy's format reads it, and numpy can map it into memory."""

    form: ClassVar[str] = "npy"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "npy")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", ".npy, one tensor")
    suffixes: ClassVar[tuple[str, ...]] = (".npy",)
    needs: ClassVar[str] = "numpy 1.0"

    @override
    def size_of(self, elements: Written) -> int:
        return len(header(elements)) + elements.nbytes

    @override
    def stream(self, plan: Plan, file: BinaryIO, name: str, progress: Progress) -> None:
        elements = elements_of(plan)
        for piece in member_bytes(header(elements), elements, told(plan, progress), 0, elements.nbytes):
            file.write(piece)

    @override
    def verify(self, report: Report, progress: Progress) -> Verdict:
        (item,) = report.plan.items
        try:
            with report.path.open("rb") as file:
                compare_elements(file, item.name, elements_of(report.plan), progress, 0, report.nbytes)
        except (DiffersError, OSError, ValueError) as failure:
            return Verdict("numpy-differs", False, {"reason": bare(str(failure))})
        return Verdict("numpy-verified", True, {"count": 1})
