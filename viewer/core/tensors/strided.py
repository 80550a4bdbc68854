"""Tensors that are a view of one storage, and what all readers of tensors share: storages, findings, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.calls import PlainCalls
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.findings import Findings
from viewer.core.tensors.functions import NESTED, STRIDED
from viewer.core.tensors.special import Layout, apply_metadata, layout_of, stated_type, truth
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.table import StorageTable, Stored
from viewer.core.tensors.tensor import Tensor, ValueRef

UNKNOWN: Final = "unknown"
Name = tuple[str, str]
Outside = tuple[Storage | None, str, Layout | None]
"""What an id names that is defined elsewhere: its storage, element type, and layout (None: the storage itself)."""


class StridedReader:
    """The part of a Rebuilder that reads views of storages."""

    def __init__(
        self,
        values: Values,
        pickle_index: int,
        table: StorageTable,
        spans: bool = True,
        nested: Callable[[int], Storage | None] | None = None,
        outside: Callable[[int], Outside | None] | None = None,
    ) -> None:
        self.values = values
        self.table = table
        self._pickle = pickle_index
        self._nested = nested
        self._outside = outside
        self._findings = Findings(values, spans)
        self._plain: PlainCalls | None = None

    def _plain_tensor(self, value: int) -> Tensor | None:
        """By the columns of the calls that torch writes most."""
        if self._plain is None:
            self._plain = PlainCalls(self.table.rows)
        call = self._plain.get(value)
        if call is None:
            return None
        identifier, stated, offset, shape, stride, grad, last = call
        stored = self.table.stored(identifier)
        if stored is None:
            return None
        storage, kind = stored
        place = ValueRef(self._pickle, value)
        tensor = Tensor(-1, (), None, "tensor", stated or kind, shape, stride, offset, storage, grad, place)
        self._check_reach(tensor, last)
        return tensor

    def _named_outside(self, value: int) -> Tensor | None:
        """The tensor that a persistent id names, whose layout stands elsewhere; None where it names none."""
        found = self._outside(value) if self._outside is not None else None
        if found is None:
            return None
        storage, kind, layout = found
        if layout is None:
            return None
        if storage is not None:
            return self._strided(value, "tensor", storage, kind, layout, False)
        shape, stride = (layout[1], layout[2]) if layout[1] else ((0,), (1,))
        return Tensor(-1, (), None, "tensor", kind, shape, stride, 0, None, False, ValueRef(self._pickle, value))

    def _rebuilt(self, value: int, name: Name, args: list[int]) -> Tensor | None:
        function, count = name[1], STRIDED[name]
        layout = layout_of(self.values, args[1:4])
        if len(args) < count or layout is None:
            return self._refused(value, function)
        grad = truth(self.values, args[4]) if len(args) > 4 else False
        stated = stated_type(self.values, args[6]) if function == "_rebuild_tensor_v3" else ""
        if function == "_rebuild_tensor_v3" and not stated:
            return self._refused(value, function)
        stored = self._stored(args[0])
        if stored is None:
            return self._without_storage(value, function, args[0], stated, layout, grad)
        storage, kind = stored
        tensor = self._strided(value, function, storage, stated or kind, layout, grad)
        if len(args) > count >= 6:
            apply_metadata(self.values, tensor, args[count])
        return tensor

    def _strided(
        self, value: int, function: str, storage: Storage, kind: str, layout: Layout, grad: bool | None
    ) -> Tensor:
        """A tensor over a storage, with the checks that need no data."""
        offset, shape, stride = layout
        tensor = Tensor(
            -1, (), None, "tensor", kind, shape, stride, offset, storage, grad, ValueRef(self._pickle, value)
        )
        if len(shape) != len(stride) or offset < 0 or min(shape, default=0) < 0 or min(stride, default=0) < 0:
            tensor.storage, tensor.note = None, function
            stated = {"shape": list(shape), "stride": list(stride), "start": offset}
            self._findings.error("tensor-layout", value, tensor, **stated)
            return tensor
        last = offset
        for size, step in zip(shape, stride, strict=True):
            if size == 0:
                return tensor
            last += (size - 1) * step
        self._check_reach(tensor, last)
        return tensor

    def _check_reach(self, tensor: Tensor, last: int) -> None:
        """Note when a tensor's highest element, counted from the start of its storage, lies beyond the storage."""
        storage, known = tensor.storage, DTYPES.get(tensor.dtype)
        needed = known.nbytes(last + 1) if known is not None else last + 1
        if storage is not None and needed > storage.nbytes and tensor.value is not None:
            facts = {"key": storage.key, "needed": needed, "size": storage.nbytes}
            self._findings.error("tensor-outside-storage", tensor.value.value, tensor, **facts)

    def _stored(self, value: int) -> Stored | None:
        """The storage that an argument is: a persistent id, or a whole file in a bytes object."""
        kind = self.values.kind(value)
        if kind is Kind.PERSISTENT:
            found = self._outside(value) if self._outside is not None else None
            if found is not None and found[0] is not None:
                return found[0], found[1]
            return self.table.stored(value)
        if kind is Kind.CALL and self._nested is not None and self.values.call_name(value) == NESTED:
            storage = self._nested(value)
            return None if storage is None else (storage, storage.dtype)
        return None

    def _without_storage(
        self,
        value: int,
        function: str,
        given: int,
        stated: str,
        layout: Layout,
        grad: bool | None,
    ) -> Tensor | None:
        """A tensor whose storage is not to be had: nested in bytes that nobody read, or of an unknown class."""
        kind = self.values.kind(given)
        identity = self.table.identifiers.get(given) if kind is Kind.PERSISTENT else None
        nested = kind is Kind.CALL and self.values.call_name(given) == NESTED
        if identity is None and not nested:
            return self._refused(value, function)
        offset, shape, stride = layout
        note = NESTED[1] if nested else function
        known = stated or (identity.dtype if identity is not None else "") or UNKNOWN
        return Tensor(
            *(-1, (), None, "tensor", known, shape, stride, offset, None, grad, ValueRef(self._pickle, value)),
            note=note,
        )

    def _bare(self, value: int) -> Tensor | None:
        stored = self._stored(value)
        if stored is None:
            return None
        storage = stored[0]
        return Tensor(
            *(-1, (), None, "storage", storage.dtype, (storage.count,), (1,), 0, storage),
            value=ValueRef(self._pickle, value),
        )

    def _noted(self, value: int, function: str) -> Tensor:
        reference = ValueRef(self._pickle, value)
        return Tensor(-1, (), None, "tensor", UNKNOWN, (), (), 0, None, None, reference, note=function)

    def _refused(self, value: int, function: str) -> Tensor | None:
        self._findings.warning("tensor-arguments", value, None, function=function)
        return None
