"""A state_dict as torch.save writes it today: storages as they are, sharing, strides, offsets and _metadata kept."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, ClassVar, Final

import numpy as np
from typing_extensions import override

from viewer.core.archive.zip_writer import TorchZipWriter, root_for
from viewer.core.export.base import STEP, Draft, FileExporter
from viewer.core.export.compacting import compacted
from viewer.core.export.elements import Buffer, raw, stored
from viewer.core.export.nesting import Nesting
from viewer.core.export.options import COMPACT, DTYPE, KEEP_GRAD, Option
from viewer.core.export.plan import Content, Item, Plan, pieces
from viewer.core.export.special import META, NESTED, PLAIN, QUANTISED_KIND, SPARSE, Held, expanded, kind_of
from viewer.core.export.state_dict_special import NO_STORAGE, keeps_grad, parts_of, special_call, special_since
from viewer.core.pickles.writer import ORDERED_DICT, Call, Global, Persistent, PickleWriter
from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import DTYPES, STORAGE_CLASSES, UNTYPED_CLASSES, DType
from viewer.core.tensors.elements import elements
from viewer.core.tensors.layout import row_major
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks
from viewer.wording import QT_TRANSLATE_NOOP

REBUILD_V2: Final = Global("torch._utils", "_rebuild_tensor_v2")
REBUILD_V3: Final = Global("torch._utils", "_rebuild_tensor_v3")
UNTYPED: Final = Global("torch.storage", "UntypedStorage")
CLASS_OF: Final = {dtype: name for name, dtype in STORAGE_CLASSES.items() if name not in UNTYPED_CLASSES}
# dtype without a storage class: the first torch that rebuilds it
SINCE: Final = {
    **dict.fromkeys(("float8_e5m2", "float8_e4m3fn", "bits8", "bits1x8", "bits2x4", "bits4x2", "bits16"), (2, 2)),
    **dict.fromkeys(("float8_e5m2fnuz", "float8_e4m3fnuz", "complex32"), (2, 3)),
    **dict.fromkeys(("uint16", "uint32", "uint64"), (2, 6)),
    "float8_e8m0fnu": (2, 7),
    "float4_e2m1fn_x2": (2, 8),
}
HELD: Final = frozenset(CLASS_OF) | frozenset(SINCE)
ZIP_SINCE: Final = (1, 6)
V3_SINCE: Final = (2, 2)
BITS_SINCE: Final = (2, 0)
STORAGE_TEXT: Final = "storage"
LOCATION: Final = "cpu"
GRAD: Final = "requires_grad"
KEPT: Final = frozenset({SPARSE, NESTED, META})
PER_TENSOR: Final = 150
PER_RECORD: Final = 300
PER_ARCHIVE: Final = 2000


@dataclass(slots=True)
class Part:
    """A storage of the result. `dtype` None: untyped, counted in bytes. `copy`: a tensor that is written in C order.

    `unit`: bytes that are turned round, 1 for none. `more`: what its id ends with.
    """

    key: str
    nbytes: int
    storage: Storage | None
    dtype: DType | None
    copy: Tensor | None = None
    unit: int = 1
    more: tuple[object, ...] = ()

    @property
    def id(self) -> Persistent:
        """What data.pkl names it by."""
        if self.dtype is None:
            return Persistent((STORAGE_TEXT, UNTYPED, self.key, LOCATION, self.nbytes, *self.more))
        known = Global("torch", CLASS_OF[self.dtype.name])
        return Persistent((STORAGE_TEXT, known, self.key, LOCATION, self.count, *self.more))

    @property
    def count(self) -> int:
        """Elements, or bytes where it has no type."""
        return self.nbytes // self.dtype.itemsize if self.dtype is not None else self.nbytes


@dataclass(slots=True)
class Layout:
    """The storages of the result in the order of their first use, and the one of each item, by its identity."""

    parts: list[Part] = field(default_factory=list)
    of: dict[int, Part] = field(default_factory=dict)


class StateDict(FileExporter):
    """The zip form, which torch 1.6 and later load; newer element types need newer torch."""

    form: ClassVar[str] = "state_dict"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "state_dict")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", ".pt or .pth, loads with weights_only=True")
    suffixes: ClassVar[tuple[str, ...]] = (".pth", ".pt")
    judge: ClassVar[str] = "torch"
    options: ClassVar[tuple[Option, ...]] = (DTYPE, COMPACT, KEEP_GRAD)

    @override
    def fill(self, draft: Draft, content: Content) -> tuple[int, str]:
        fill(draft, content, HELD, "torch")
        layout = lay_out(draft.items, draft.progress)
        items = draft.progress.each(draft.items)
        return size_of(items, layout), f"torch {'.'.join(map(str, since(draft.items, layout)))}"

    @override
    def in_order(self, plan: Plan) -> Sequence[str]:
        return [item.name for item in plan.items]

    @override
    def stream(self, plan: Plan, file: BinaryIO, name: str, progress: Progress) -> None:
        layout = lay_out(plan.items, progress)
        total = sum(part.nbytes for part in layout.parts)
        pickle = PickleWriter().dumps(mapping(plan, layout, progress), progress)
        done = 0
        buffer = Buffer()
        firsts = first_items(progress.each(plan.items), layout)
        with TorchZipWriter(file, root_for(name), progress=progress) as archive:
            archive.add("data.pkl", pickle)
            for part in layout.parts:
                progress.at(*firsts[part.key], len(plan.items))
                archive.add_stream(
                    f"data/{part.key}", part.nbytes, reported(chunks(part, buffer, progress), progress, done, total)
                )
                done += part.nbytes


def first_items(items: Iterable[Item], layout: Layout) -> dict[str, tuple[str, int]]:
    """Of each storage, by its key, the item that needs it first: name, and number from 1."""
    found: dict[str, tuple[str, int]] = {}
    for number, item in enumerate(items, 1):
        for piece in pieces((item,)):
            part = layout.of.get(id(piece))
            if part is not None:
                found.setdefault(part.key, (item.name, number))
    return found


def fill(draft: Draft, content: Content, held: Container[str], form: str, kinds: Container[str] = KEPT) -> None:
    """Sort entries into the draft. `held`, `kinds`: element types and kinds of the form, `form`: what it is called."""

    def lacks(tensor: Tensor) -> str:
        return next((each.dtype for each in pieces([item_of("", tensor)]) if each.dtype not in held), "")

    for name, tensor, entry in expanded(draft, content, Held(kinds, lacks, form)):
        item = item_of(name, tensor, entry)
        unknown = next((each.dtype for each in pieces([item]) if each.dtype not in held), None)
        if unknown is not None:
            draft.drop(name, "dtype", dtype=unknown, form=form)
        else:
            draft.items.append(item)
    if content.compact:
        draft.items[:] = compacted(draft.items)
    for item in draft.items if content.keep_grad else ():
        if item.kind == QUANTISED_KIND and item.tensor.requires_grad:
            draft.drop(f"{item.name}.{GRAD}", "grad")
    draft.kept += [name for name, _ in content.plain]
    for name in content.objects:
        draft.drop(name, "not-plain")


def size_of(items: Iterable[Item], layout: Layout) -> int:
    """About the size of the result."""
    nbytes = sum(part.nbytes + PER_RECORD for part in layout.parts) + PER_ARCHIVE
    return nbytes + sum(len(item.name) + PER_TENSOR for item in pieces(items))


def item_of(name: str, tensor: Tensor, entry: str = "") -> Item:
    """How a tensor is written, and the tensors that it is made of."""
    known, kind = DTYPES.get(tensor.dtype), kind_of(tensor)
    if kind == PLAIN:
        copied = is_copied(tensor)
        stride = row_major(tensor.shape) if copied else tensor.stride
        return Item(name, known.name if known else tensor.dtype, tensor, stride, copied, kind, (), entry)
    parts = tuple((role, item_of(f"{name}.{role}", part)) for role, part in parts_of(tensor, kind))
    return Item(name, known.name if known else tensor.dtype, tensor, tensor.stride, False, kind, parts, entry)


def is_copied(tensor: Tensor) -> bool:
    """True for what cannot keep its storage: other byte orders and types than torch's, and what goes backwards."""
    if tensor.storage is None or min(tensor.stride, default=0) < 0:
        return True
    kind = elements(tensor) if tensor.kind == "array" or tensor.numpy_dtype else None
    return kind is not None and not kind.plain


def lay_out(items: Iterable[Item], progress: Progress, more: tuple[object, ...] = (), by_type: bool = False) -> Layout:
    """Which storages are written, once each, however many tensors view them.

    `more`: of `Part`. `by_type`: tensors of different types cannot share one. Raises CancelledError.
    """
    layout = Layout()
    parts: dict[object, Part] = {}
    for item in progress.each(pieces(items)):
        if item.kind in NO_STORAGE:
            continue
        key = (share_key(item), item.dtype) if by_type else share_key(item)
        part = parts.get(key)
        if part is None:
            part = parts[key] = make_part(str(len(parts)), item, more)
            layout.parts.append(part)
        elif part.dtype is not None and part.dtype.name != item.dtype:
            # viewed as several types: it is counted in bytes
            part.dtype = None
            part.nbytes = part.storage.available if part.storage is not None else part.nbytes
        layout.of[id(item)] = part
    return layout


def share_key(item: Item) -> object:
    """Items of equal key share a storage in the result.

    Storages of the other byte order that are viewed as several types cannot be turned round for all at once;
    quantised tensors want a storage of their own type.
    """
    tensor, storage = item.tensor, item.tensor.storage
    if storage is None:
        return id(item)
    if item.copied:
        return (id(storage), tensor.storage_offset, tensor.shape, tensor.stride, tensor.dtype, tensor.neg, tensor.conj)
    unit = DTYPES[item.dtype].unit if storage.byteorder == "big" else 0
    return (id(storage), unit, item.dtype if item.kind == QUANTISED_KIND else "")


def make_part(key: str, item: Item, more: tuple[object, ...] = ()) -> Part:
    """One storage: as much of it as is there, in whole elements of its type. `more`: of `Part`."""
    known, storage = DTYPES[item.dtype], item.tensor.storage
    dtype = known if item.dtype in CLASS_OF else None
    if storage is None or item.copied:
        return Part(key, known.nbytes(item.tensor.elements), None, dtype, item.tensor, more=more)
    nbytes = storage.available
    unit = known.unit if storage.byteorder == "big" else 1
    return Part(key, nbytes - nbytes % dtype.itemsize if dtype else nbytes, storage, dtype, unit=unit, more=more)


def since(items: Iterable[Item], layout: Layout, first: tuple[int, int] = ZIP_SINCE) -> tuple[int, int]:
    """The first torch that loads the result. `first`: that of the form."""
    found = first
    for item in pieces(items):
        found = max(found, special_since(item))
        if item.tensor.conj or item.tensor.neg:
            found = max(found, BITS_SINCE)
        part = layout.of.get(id(item))
        if part is not None and part.dtype is None:
            found = max(found, SINCE.get(item.dtype, V3_SINCE))
    return found


def mapping(plan: Plan, layout: Layout, progress: Progress) -> dict[object, object]:
    """The object of data.pkl. Entries stand in their old order, parts in the place of what they are a part of.

    Raises CancelledError.
    """
    found: dict[str, list[tuple[str, object]]] = {name: [(name, value)] for name, value in plan.content.plain}
    for item in progress.each(plan.items):
        found.setdefault(item.entry or item.name, []).append((item.name, call_of(item, layout, plan.content.keep_grad)))
    pairs = (pair for name in progress.each(plan.content.order) for pair in found.get(name, ()))
    return Nesting(plan.content).nested(pairs, plan.content.metadata)


def call_of(item: Item, layout: Layout, keep_grad: bool = False) -> Call:
    """What makes a tensor again."""
    part = layout.of.get(id(item))
    if item.kind == PLAIN and part is not None:
        return tensor_call(item, part, keep_grad and bool(item.tensor.requires_grad))
    parts = tuple(call_of(inner, layout) for _, inner in item.parts)
    return special_call(item, part.id if part is not None else None, parts, keep_grad and keeps_grad(item))


def tensor_call(item: Item, part: Part, needs_grad: bool) -> Call:
    """A plain tensor over its storage; parameters come detached, as state_dict() gives them, unless it is kept."""
    offset = 0 if part.copy is not None else item.tensor.storage_offset
    place = (part.id, offset, item.tensor.shape, item.stride)
    facts: tuple[object, ...] = (*place, needs_grad, Call(ORDERED_DICT))
    bits = {name: True for name in ("conj", "neg") if getattr(item.tensor, name) and part.copy is None}
    if part.dtype is None:
        facts = (*facts, Global("torch", item.dtype))
    return Call(REBUILD_V2 if part.dtype else REBUILD_V3, (*facts, bits) if bits else facts)


def chunks(part: Part, buffer: Buffer, progress: Progress) -> Iterator[memoryview | bytes]:
    """The bytes of a storage, little-endian, block by block in the one buffer. `progress`: only stops it."""
    if part.copy is not None:
        # What never had a storage has no elements either.
        yield from (raw(numbers) for numbers in (blocks(part.copy, progress.silent()) if part.nbytes else ()))
        return
    storage = part.storage
    if storage is None or storage.source is None:
        return
    unit = part.unit
    for view in stored(storage.source, 0, part.nbytes, buffer):
        if unit > 1:
            turn_round(view[: len(view) - len(view) % unit], unit)
        yield view


def turn_round(view: memoryview, unit: int) -> None:
    """Change the byte order of elements in place."""
    np.frombuffer(view, dtype=f"u{unit}").byteswap(inplace=True)


def reported(
    pieces: Iterator[memoryview | bytes], progress: Progress, done: int, total: int
) -> Iterator[memoryview | bytes]:
    """The pieces, each a place to report and to stop."""
    for piece in pieces:
        progress.step(STEP, done, total)
        yield piece
        done += len(piece)
