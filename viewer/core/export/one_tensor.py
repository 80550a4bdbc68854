"""Forms that are one file of one tensor; it has to be named where there are several. Derive from OneTensorExporter."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from viewer.core.errors import ExportError
from viewer.core.export.base import Draft, FileExporter
from viewer.core.export.elements import Written, written
from viewer.core.export.options import DTYPE, Option
from viewer.core.export.plan import Content, Converted, Item, Plan
from viewer.core.export.special import OF_NUMPY, expanded
from viewer.core.folder import listed
from viewer.core.progress import Progress
from viewer.core.tensors.layout import row_major


class OneTensorExporter(FileExporter):
    """It holds the elements of one tensor, in a type that numpy has. `needs`: what reads it, "" for anything."""

    judge: ClassVar[str] = "numpy"
    options: ClassVar[tuple[Option, ...]] = (DTYPE,)
    needs: ClassVar[str] = ""

    @abstractmethod
    def size_of(self, elements: Written) -> int:
        """About the size of the result. Raises ExportError for elements that the form cannot hold."""

    @override
    def in_order(self, plan: Plan) -> Sequence[str]:
        return [item.name for item in plan.items]

    @override
    def fill(self, draft: Draft, content: Content) -> tuple[int, str]:
        nbytes = 0
        for name, tensor, entry in expanded(draft, content, OF_NUMPY):
            elements = written(tensor)
            if elements is None:
                draft.drop(name, "dtype", dtype=tensor.dtype, form=OF_NUMPY.form)
                continue
            draft.items.append(Item(name, elements.name, tensor, row_major(tensor.shape), entry=entry))
            if elements.name != tensor.dtype:
                draft.converted.append(Converted(name, tensor.dtype, elements.name))
            nbytes += self.size_of(elements)
        if len(draft.items) > 1:
            names = listed([item.name for item in draft.items])
            raise ExportError("export-one-tensor", count=len(draft.items), form=self.form, names=names)
        for name in (*(name for name, _ in content.plain), *content.objects):
            draft.drop(name, "not-tensor")
        return nbytes, self.needs


def told(plan: Plan, progress: Progress) -> Progress:
    """The progress of writing the one item."""
    (item,) = plan.items
    progress.at(item.name, 1, 1)
    return progress


def elements_of(plan: Plan) -> Written:
    """The elements of the one item. Raises ExportError when the file has changed since it was planned."""
    (item,) = plan.items
    elements = written(item.tensor)
    if elements is None:
        raise ExportError("source-changed", path=item.name)
    return elements
