"""Tensors, parameters, storages and arrays from the calls that a pickle asks for. Nothing is called.

    _rebuild_tensor(S, offset, size, stride)                                     torch to 0.3
    _rebuild_tensor_v2(S, offset, size, stride, requires_grad, hooks[, metadata])
    _rebuild_tensor_v3(S, offset, size, stride, requires_grad, hooks, dtype[, metadata])
    _rebuild_parameter(tensor, requires_grad, hooks), _rebuild_parameter_with_state(..., state)
    Parameter(tensor[, requires_grad]), Variable(tensor), with the states that BUILD gave them then
    FloatTensor() with BUILD (S, offset, size, stride)                           2017 and before

    _rebuild_qtensor(S, offset, size, stride, quantizer, requires_grad, hooks)
    _rebuild_device_tensor_from_numpy(array, dtype, device, requires_grad), ..._from_cpu_tensor(tensor, ...)
    _rebuild_from_type(_v2)(function, type, arguments, state)
    ShardedTensor.__new__(), with the state that BUILD gave it then          torch to 1.12, see tensors.sharded

Sizes, strides and offsets count elements. What is more than plain elements (tensors.special) becomes a Tensor whose
note names the function, with the tensors that it is made of as parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from viewer.core.pickles.values import Kind, Values
from viewer.core.problem import Problem
from viewer.core.tensors.arrays import ArrayReader, is_array_call
from viewer.core.tensors.dtypes import TENSOR_CLASSES, dtype
from viewer.core.tensors.functions import (
    FROM_HOST,
    FROM_TYPE,
    GONE,
    NESTED,
    PARAMETERS,
    PLAIN_TYPES,
    QUANTISED,
    STRIDED,
)
from viewer.core.tensors.layout import row_major
from viewer.core.tensors.quantised import fitted, read_quantizer
from viewer.core.tensors.sharded import CLASS, is_sharded, read_sharded
from viewer.core.tensors.special import (
    SPECIAL,
    attributes,
    converted,
    describe,
    layout_of,
    sparse_fault,
    state_items,
    stated_type,
    truth,
)
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.strided import UNKNOWN, Name, Outside, StridedReader
from viewer.core.tensors.table import StorageTable
from viewer.core.tensors.tensor import Tensor, ValueRef

__all__ = ["Outside", "Rebuilder", "StorageTable"]

DEEPEST: Final = 8
MOST_INNER: Final = 200
"""Tensors that are looked for inside one: parts that are shared could else be made again and again."""


class Rebuilder(StridedReader):
    """Reads the tensors of one stream. Ask once a value: each call makes a Tensor of its own.

    `nested(value)`: the storage in a `_load_from_bytes` call, where the caller can read it. `outside(value)`: what a
    persistent id names that the container defines, as tars do. `spans`: the stream's offsets count in the document's
    source (False: in a record that was inflated).
    """

    def __init__(
        self,
        values: Values,
        pickle_index: int,
        table: StorageTable,
        spans: bool = True,
        nested: Callable[[int], Storage | None] | None = None,
        outside: Callable[[int], Outside | None] | None = None,
    ) -> None:
        super().__init__(values, pickle_index, table, spans, nested, outside)
        self._left = MOST_INNER
        self._arrays = ArrayReader(values, pickle_index, spans, table.rows.encoding, self._findings)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the tensors read up to now. Read it when their names and paths are filled in."""
        return self._findings.problems()

    def tensor(self, value: int) -> Tensor | None:
        """The tensor, array or bare storage that a value is; None for all else, and where it cannot be read.

        `index` is -1, `path` () and `name` None: the caller fills them in.
        """
        tensor = self._plain_tensor(value)
        if tensor is None:
            tensor = self._tensor(value)
        if tensor is not None and tensor.requires_grad:
            known = dtype(tensor.dtype)
            if known is not None and known.group in ("integer", "bool"):
                self._findings.warning("tensor-gradient", value, tensor, dtype=tensor.dtype)
        return tensor

    def _tensor(self, value: int) -> Tensor | None:
        """Value by value."""
        self._left = MOST_INNER
        kind = self.values.kind(value)
        if kind is Kind.CALL:
            name = self.values.call_name(value)
            if name == NESTED:
                return self._bare(value)
            return None if name is None else self._call(value, name, self.values.arguments(value), 0)
        return self._named_outside(value) or self._bare(value) if kind is Kind.PERSISTENT else None

    def _call(self, value: int, name: Name, args: list[int], depth: int) -> Tensor | None:
        """What a function makes of its arguments."""
        if name in STRIDED:
            return self._rebuilt(value, name, args)
        if depth >= DEEPEST:
            return None
        if name in PARAMETERS:
            return self._parameter(value, name, args, depth)
        if name in FROM_TYPE:
            return self._from_type(value, name, args, depth)
        if is_array_call(name):
            return self._arrays.read(value, name, args)
        if name[1] in TENSOR_CLASSES and name[0] in ("torch", "torch.cuda"):
            return self._legacy(value, name)
        if name == QUANTISED:
            return self._quantised(value, name, args, depth)
        if name in FROM_HOST:
            return self._from_host(value, name, args, depth)
        if is_sharded(name):
            states = self.values.states(value)
            return self._with_shards(self._noted(value, CLASS), states[-1], depth) if states else None
        return self._special(value, name, args, depth) if name in SPECIAL else None

    def _inner(self, value: int, depth: int) -> Tensor | None:
        """The tensor in an argument; all that it says is said of the outer value."""
        self._left -= 1
        if self._left < 0:
            return None
        if self.values.kind(value) is Kind.PERSISTENT:
            return self._named_outside(value)
        if self.values.kind(value) is not Kind.CALL:
            return None
        name = self.values.call_name(value)
        return None if name is None else self._call(value, name, self.values.arguments(value), depth + 1)

    # -- around strided ---------------------------------------------------------------------------

    def _parameter(self, value: int, name: Name, args: list[int], depth: int) -> Tensor | None:
        """A parameter over a tensor; its early forms keep requires_grad, and once the data, in the state."""
        state = state_items(self.values, value)
        data = args[0] if args else state[0] if len(state) == 5 else -1
        tensor = self._inner(data, depth) if data >= 0 else None
        if tensor is None:
            return None
        tensor.value = ValueRef(self._pickle, value)
        if len(state) in (3, 5):
            tensor.requires_grad = truth(self.values, state[0 if len(state) == 3 else 3])
        elif len(args) > 1:
            tensor.requires_grad = truth(self.values, args[1])
        elif name[1] == "Parameter":
            tensor.requires_grad = True
        return tensor

    def _from_type(self, value: int, name: Name, args: list[int], depth: int) -> Tensor | None:
        """func(*args) seen as another type; a type of unknown meaning is named, not read."""
        if len(args) < 3 or self.values.kind(args[2]) is not Kind.TUPLE:
            return self._refused(value, name[1])
        function = self.values.global_name(args[0])
        tensor = None if function is None else self._call(value, function, self.values.items(args[2]), depth + 1)
        if tensor is None:
            return self._noted(value, name[1]) if function is not None else self._refused(value, name[1])
        kind = self.values.global_name(args[1])
        if is_sharded(kind) and len(args) > 3:
            return self._with_shards(tensor, args[3], depth)
        if kind not in PLAIN_TYPES:
            tensor.note = tensor.note or name[1]
            if len(args) > 3 and not tensor.parts:
                tensor.parts = self._parts(attributes(self.values, args[3]), depth)
        return tensor

    def _parts(self, pairs: Iterable[tuple[str, int]], depth: int) -> tuple[tuple[str, Tensor], ...]:
        """The values among these that are tensors, with their roles."""
        made = ((role, self._inner(value, depth)) for role, value in pairs)
        return tuple((role, part) for role, part in made if part is not None)

    def _with_shards(self, tensor: Tensor, state: int, depth: int) -> Tensor | None:
        """A tensor of which the stream holds the shards of one rank."""
        found = read_sharded(self.values, state, lambda value: self._inner(value, depth))
        if found is None:
            return self._refused(tensor.value.value, CLASS) if tensor.value is not None else None
        tensor.note, tensor.parts = CLASS, found.parts
        tensor.dtype = found.dtype or tensor.dtype
        tensor.requires_grad = tensor.requires_grad if found.requires_grad is None else found.requires_grad
        tensor.shape, tensor.stride = found.shape, row_major(found.shape)
        return tensor

    def _legacy(self, value: int, name: Name) -> Tensor | None:
        """A tensor class called with (), its storage, offset, size and stride given by BUILD."""
        kind = TENSOR_CLASSES[name[1]]
        state = state_items(self.values, value)
        if len(state) == 4:
            stored, layout = self._stored(state[0]), layout_of(self.values, state[1:])
            if stored is not None and layout is not None:
                return self._strided(value, name[1], *stored, layout, False)
            return self._refused(value, name[1])
        if state or self.values.arguments(value):
            return None
        return Tensor(-1, (), None, "tensor", kind, (0,), (1,), 0, None, False, ValueRef(self._pickle, value))

    # -- the rest ---------------------------------------------------------------------------------

    def _special(self, value: int, name: Name, args: Sequence[int], depth: int) -> Tensor | None:
        found = describe(self.values, name, list(args), lambda part: self._part(part, depth))
        if found is None:
            return self._refused(value, name[1])
        tensor = self._noted(value, name[1])
        tensor.dtype = found.dtype or UNKNOWN
        tensor.shape, tensor.stride, tensor.storage_offset = found.shape, found.stride, found.offset
        tensor.layout, tensor.requires_grad = found.layout, found.requires_grad
        tensor.parts, tensor.coalesced = self._parts(found.parts, depth), found.coalesced
        tensor.ragged = found.ragged
        if found.layout == "jagged":
            tensor.requires_grad = dict(tensor.parts)["values"].requires_grad if found.dtype else None
        wrong = sparse_fault(tensor)
        if wrong:
            self._findings.error("tensor-sparse-shape", value, tensor, **wrong)
        if name in GONE:
            self._findings.warning("tensor-function-gone", value, tensor, function=name[1])
        return tensor

    def _quantised(self, value: int, name: Name, args: list[int], depth: int) -> Tensor | None:
        """Stored integers with the numbers that they stand for."""
        layout = layout_of(self.values, args[1:4])
        if len(args) < 6 or layout is None:
            return self._refused(value, name[1])
        grad, stored = truth(self.values, args[5]), self._stored(args[0])
        if stored is None:
            return self._without_storage(value, name[1], args[0], "", layout, grad)
        tensor = self._strided(value, name[1], *stored, layout, grad)
        tensor.note = name[1]
        quantizer = read_quantizer(self.values, args[4], lambda part: self._inner(part, depth))
        if quantizer is None:
            self._findings.warning("tensor-quantizer", value, tensor)
            return tensor
        tensor.quantizer, wrong = fitted(tensor, quantizer)
        if wrong:
            self._findings.error("tensor-channels", value, tensor, **wrong)
        pairs = (("scale", quantizer.scale), ("zero_point", quantizer.zero_point))
        tensor.parts = tuple((role, part) for role, part in pairs if isinstance(part, Tensor))
        return tensor

    def _from_host(self, value: int, name: Name, args: list[int], depth: int) -> Tensor | None:
        """An array or tensor of the host, which torch copies to a device and converts to the type that is named."""
        kind = stated_type(self.values, args[1]) if len(args) > 3 else ""
        tensor = self._inner(args[0], depth) if kind else None
        if tensor is None:
            return self._refused(value, name[1])
        device = self.values.text(args[2])
        if tensor.storage is not None and device is not None:
            tensor.storage = replace(tensor.storage, location=device)
        tensor.value, tensor.requires_grad = ValueRef(self._pickle, value), truth(self.values, args[3])
        return converted(tensor, kind, name[1])

    def _part(self, value: int, depth: int) -> tuple[str, tuple[int, ...]] | None:
        """The dtype and shape of a tensor or storage among the arguments of a special one."""
        if self.values.kind(value) is Kind.PERSISTENT:
            stored = self.table.stored(value)
            return None if stored is None else (stored[1], (stored[0].count,))
        tensor = self._inner(value, depth)
        return None if tensor is None else (tensor.dtype, tensor.shape)
