"""Random tensors that are more than plain elements, each with what it is: its facts, and the arrays it comes to.

Quantised ones (one scale, one for each index, several elements in a byte), all sparse layouts, nested ones, the conj
and neg bits, the meta device, and arrays of numpy.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import prod
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tests.builders.torch_values import DTYPES, Storage, contiguous, tensor
from tests.builders.values import Call, Global
from tests.core.export.trees import NAMES, TYPES, Array, View, strided
from viewer.core.tensors.dtypes import DTYPES as KNOWN

INTEGERS: Final = ("qint8", "quint8", "qint32")
PACKED: Final = {"quint4x2": ("QUInt4x2Storage", 2), "quint2x4": ("QUInt2x4Storage", 4)}
FLOATS: Final = ("float16", "bfloat16", "float32", "float64")
COMPLEX: Final = ("complex64", "complex128")
HOST: Final = ("<f4", ">f4", "<f2", ">f8", "<i8", ">i2", "|u1", "|b1", ">c8", "<M8[s]", "<U2")
"""Types of arrays of numpy, of either byte order; torch has none for the last two."""
SIZES: Final = st.integers(0, 4)
SCALES: Final = st.floats(2.0**-20, 2.0**20)


@dataclass(frozen=True)
class Special:
    """One entry. `value`: for the builders. `facts`: what a reader must tell of it in a state_dict, None: nothing can.

    `types`: the element types in it. `arrays`: what it comes to in forms of plain arrays, by role, "" for itself.
    """

    value: object
    facts: dict[str, Any] | None
    types: tuple[str, ...]
    arrays: dict[str, Array] = field(default_factory=dict)


def told(dtype: str, array: Array) -> list[Any]:
    """A tensor in words; whatever is not 0 is true."""
    plain = array.view(np.uint8) != 0 if array.dtype == np.bool_ else array
    return [dtype, list(array.shape), plain.tobytes().hex()]


@st.composite
def over(draw: st.DrawFn, dtype: str, shape: Sequence[int], steps: st.SearchStrategy[int]) -> tuple[View, Array, bytes]:
    """A view of that shape, the array that it is, and the bytes of its storage. `steps`: of each axis."""
    stride = tuple(draw(steps) for _ in shape)
    ways = [(size - 1) * step for size, step in zip(shape, stride, strict=True) if size]
    view = View(0, tuple(shape), stride, draw(st.integers(0, 3)) - sum(way for way in ways if way < 0))
    size = DTYPES[dtype][1] * (1 + view.offset + sum(way for way in ways if way > 0))
    data = draw(st.binary(min_size=size, max_size=size))
    return view, strided(data, dtype, view), data


@st.composite
def filled(draw: st.DrawFn, dtype: str, shape: Sequence[int]) -> tuple[Call, Array]:
    """A plain tensor of that shape with a storage of its own: spread out, expanded, or in order."""
    view, array, data = draw(over(dtype, shape, st.integers(0, 5)))
    return tensor(Storage(dtype, data), view.shape, view.stride, view.offset), array


def numbered(dtype: str, numbers: Array) -> Call:
    """A tensor of these numbers, in order."""
    return tensor(Storage(dtype, numbers.tobytes()), numbers.shape)


def utils(name: str, *arguments: object) -> Call:
    """A call of a function of torch._utils."""
    return Call(Global("torch._utils", name), arguments)


# -- quantised ----------------------------------------------------------------------------------------


def meant(integers: Array, scale: Array, zero: Array) -> Array:
    """The numbers that integers stand for; float zero points are taken off as float32."""
    exact = np.float32 if zero.dtype.kind == "f" else np.int64
    found: Array = (integers.astype(exact) - zero.astype(exact)).astype("<f4") * scale.astype("<f4")
    return found


def qtensor(storage: Storage, view: View, scheme: tuple[object, ...]) -> Call:
    """The call that makes a quantised tensor."""
    return utils("_rebuild_qtensor", storage, view.offset, view.shape, view.stride, scheme, False, OrderedDict())


@st.composite
def per_tensor(draw: st.DrawFn) -> Special:
    """One scale for all."""
    dtype = draw(st.sampled_from(INTEGERS))
    view, integers, data = draw(over(dtype, draw(st.lists(SIZES, max_size=3)), st.integers(0, 5)))
    scale, zero = draw(SCALES), draw(st.integers(0, 127))
    value = qtensor(Storage(dtype, data), view, (Global("torch", "per_tensor_affine"), scale, zero))
    facts = {
        "kind": "quantised",
        "elements": told(dtype, integers),
        "stride": list(view.stride),
        "scheme": "per_tensor_affine",
        "scale": scale,
        "zero_point": zero,
        "axis": None,
    }
    return Special(value, facts, (dtype,), {"": meant(integers, np.array(scale), np.array(zero))})


@st.composite
def per_channel(draw: st.DrawFn) -> Special:
    """A scale for each index of an axis; their zero points are integers, or floats."""
    dtype = draw(st.sampled_from(INTEGERS))
    shape = draw(st.lists(SIZES, min_size=1, max_size=3))
    axis = draw(st.integers(0, len(shape) - 1))
    view, integers, data = draw(over(dtype, shape, st.integers(0, 5)))
    scales, zeros, scheme = draw(parameters(shape[axis]))
    value = qtensor(Storage(dtype, data), view, (*scheme, axis))
    facts = channel_facts(dtype, told(dtype, integers), view, axis, scales, zeros)
    types = (dtype, scales.dtype.name, zeros.dtype.name)
    return Special(value, facts, types, {"": along(integers, axis, scales, zeros)})


@st.composite
def parameters(draw: st.DrawFn, count: int, floats: bool | None = None) -> tuple[Array, Array, tuple[object, ...]]:
    """Scales, zero points, and what a quantizer begins with."""
    floats = draw(st.booleans()) if floats is None else floats
    exact = "float32" if floats else "float64"
    scales = np.array([draw(SCALES) for _ in range(count)], exact)
    zeros = np.array([draw(st.integers(0, 15)) for _ in range(count)], "float32" if floats else "int64")
    made = numbered(exact, scales), numbered(zeros.dtype.name, zeros)
    return scales, zeros, (Global("torch", "per_channel_affine"), *made)


def channel_facts(
    dtype: str, elements: list[Any], view: View, axis: int, scales: Array, zeros: Array
) -> dict[str, Any]:
    """What must be told of a tensor with a scale for each index."""
    floats = zeros.dtype.kind == "f"
    return {
        "kind": "quantised",
        "elements": elements,
        "stride": list(view.stride),
        "axis": axis,
        "scheme": "per_channel_affine_float_qparams" if floats else "per_channel_affine",
        "scale": told(scales.dtype.name, scales),
        "zero_point": told(zeros.dtype.name, zeros),
    }


def along(integers: Array, axis: int, scales: Array, zeros: Array) -> Array:
    """The numbers that are meant, row by row of the axis."""
    found = np.zeros(integers.shape, "<f4")
    for at in range(integers.shape[axis]):
        place = (slice(None),) * axis + (at,)
        found[place] = meant(integers[place], scales[at], zeros[at])
    return found


@st.composite
def packed(draw: st.DrawFn) -> Special:
    """Several elements in a byte, the first in its lowest bits; torch makes them with float zero points."""
    dtype = draw(st.sampled_from(sorted(PACKED)))
    cls, per = PACKED[dtype]
    shape = (draw(SIZES), draw(st.integers(1, 9)))
    data = draw(st.binary(min_size=-(-prod(shape) // per), max_size=-(-prod(shape) // per)))
    bits, every = 8 // per, int.from_bytes(data, "little")
    flat = [every >> (at * bits) & ((1 << bits) - 1) for at in range(prod(shape))]
    view = View(0, shape, contiguous(shape), 0)
    scales, zeros, scheme = draw(parameters(shape[0], floats=True))
    value = qtensor(Storage("quint8", data, cls=Global("torch", cls)), view, (*scheme, 0))
    facts = channel_facts(dtype, [dtype, list(shape), flat], view, 0, scales, zeros)
    integers = np.array(flat, np.uint8).reshape(shape)
    return Special(value, facts, (dtype, "float32"), {"": along(integers, 0, scales, zeros)})


# -- sparse and nested --------------------------------------------------------------------------------


def sparse(layout: str, *data: object) -> Call:
    """The call that makes a sparse tensor."""
    named = Call(Global("torch.serialization", "_get_layout"), (f"torch.{layout}",))
    return utils("_rebuild_sparse_tensor", named, data)


def sparse_special(
    layout: str, size: tuple[int, ...], parts: dict[str, tuple[str, Call, Array]], *more: bool
) -> Special:
    """One with its parts: type, value and array of each."""
    value = sparse(layout, *(made for _, made, _ in parts.values()), size, *more)
    facts = {
        "kind": "sparse",
        "layout": layout,
        "shape": list(size),
        "coalesced": more[0] if more else None,
        "parts": {role: told(dtype, array) for role, (dtype, _, array) in parts.items()},
    }
    arrays = {role: array for role, (_, _, array) in parts.items()} | {"size": np.array(size, "<i8")}
    return Special(value, facts, tuple(dtype for dtype, _, _ in parts.values()), arrays)


@st.composite
def coordinates(draw: st.DrawFn) -> Special:
    """COO: sorted and single, or as they come; with dense axes behind, or none."""
    size = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    dense = draw(st.lists(SIZES, max_size=2))
    place = st.tuples(*(st.integers(0, count - 1) for count in size))
    places = draw(st.lists(place, max_size=4))
    stated = draw(st.sampled_from(((), (False,), (True,))))
    if stated == (True,):
        places = sorted(set(places))
    indices = np.array(places, "<i8").reshape(len(places), len(size)).T
    dtype = draw(st.sampled_from(TYPES))
    values, array = draw(filled(dtype, (len(places), *dense)))
    held = tensor(Storage("int64", np.ascontiguousarray(indices).tobytes()), indices.shape)
    parts = {"indices": ("int64", held, np.ascontiguousarray(indices)), "values": (dtype, values, array)}
    return sparse_special("sparse_coo", (*size, *dense), parts, *stated)


@st.composite
def compressed(draw: st.DrawFn) -> Special:
    """CSR, CSC, and both in blocks: with or without batches, indices of four or eight bytes."""
    layout = draw(st.sampled_from(("sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc")))
    lines, others = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    batches = draw(st.sampled_from(((), (1,), (2,))))
    count = draw(st.integers(0, lines * others))
    chosen = [sorted(draw(st.permutations(range(lines * others)))[:count]) for _ in range(prod(batches))]
    ends = [[0, *accumulate(sum(at // others == line for at in each) for line in range(lines))] for each in chosen]
    kind = draw(st.sampled_from(("int32", "int64")))
    first = np.array(ends, kind).reshape(*batches, lines + 1)
    second = np.array([[at % others for at in each] for each in chosen], kind).reshape(*batches, count)
    block = (draw(st.integers(1, 2)), draw(st.integers(1, 2))) if "bs" in layout else ()
    dtype = draw(st.sampled_from(TYPES))
    values, array = draw(filled(dtype, (*batches, count, *block)))
    high, wide = (lines, others) if layout.endswith("r") else (others, lines)
    tall, broad = block or (1, 1)
    names = ("crow_indices", "col_indices") if layout.endswith("r") else ("ccol_indices", "row_indices")
    parts = {names[0]: (kind, numbered(kind, first), first), names[1]: (kind, numbered(kind, second), second)}
    return sparse_special(layout, (*batches, high * tall, wide * broad), {**parts, "values": (dtype, values, array)})


@st.composite
def nested(draw: st.DrawFn) -> Special:
    """Several tensors in one buffer."""
    rank = draw(st.integers(1, 2))
    shapes = draw(st.lists(st.tuples(*[SIZES] * rank), min_size=1, max_size=3))
    dtype = draw(st.sampled_from(TYPES))
    count = sum(map(prod, shapes))
    data = draw(st.binary(min_size=count * DTYPES[dtype][1], max_size=count * DTYPES[dtype][1]))
    buffer = strided(data, dtype, View(0, (count,), (1,), 0))
    sizes = np.array(shapes, "<i8")
    strides = np.array([contiguous(shape) for shape in shapes], "<i8")
    offsets = np.array([0, *accumulate(map(prod, shapes))][:-1], "<i8")
    parts = {"values": buffer, "sizes": sizes, "strides": strides, "offsets": offsets}
    made = tensor(Storage(dtype, data), (count,))
    value = utils("_rebuild_nested_tensor", made, *(numbered("int64", each) for each in (sizes, strides, offsets)))
    types = (dtype, "int64", "int64", "int64")
    facts = {role: told(kind, array) for kind, (role, array) in zip(types, parts.items(), strict=True)}
    return Special(value, {"kind": "nested", "parts": facts}, types, parts)


# -- the rest -----------------------------------------------------------------------------------------


@st.composite
def bits(draw: st.DrawFn) -> Special:
    """Numbers that are to be conjugated or negated when they are read."""
    dtype = draw(st.sampled_from((*FLOATS, *COMPLEX)))
    marks = {"neg": draw(st.booleans()), "conj": dtype in COMPLEX and draw(st.booleans())}
    view, array, data = draw(over(dtype, draw(st.lists(SIZES, max_size=3)), st.integers(0, 5)))
    unit = DTYPES[dtype][1] // (2 if dtype in COMPLEX else 1)
    words = np.array(array).reshape(-1).view(f"<u{unit}")
    sign = words.dtype.type(1 << (8 * unit - 1))
    if marks["conj"]:
        words[1::2] ^= sign
    if marks["neg"]:
        words ^= sign
    found = words.view(array.dtype).reshape(array.shape)
    value = tensor(Storage(dtype, data), view.shape, view.stride, view.offset, metadata=marks)
    facts = {"kind": "plain", "elements": told(dtype, found), "stride": list(view.stride)}
    return Special(value, facts, (dtype,), {"": found})


@st.composite
def on_meta(draw: st.DrawFn) -> Special:
    """No values at all."""
    dtype, shape = draw(st.sampled_from(TYPES)), tuple(draw(st.lists(SIZES, max_size=3)))
    stride = contiguous(shape)
    value = utils("_rebuild_meta_tensor_no_storage", Global("torch", dtype), shape, stride, False)
    facts = {"kind": "meta", "elements": [dtype, list(shape), ""], "stride": list(stride)}
    return Special(value, facts, (dtype,))


@st.composite
def host_arrays(draw: st.DrawFn) -> Special:
    """Arrays of numpy in either byte order, in C or Fortran order; in a state_dict they are tensors."""
    kind, order = np.dtype(draw(st.sampled_from(HOST))), draw(st.sampled_from("CF"))
    shape = draw(st.lists(SIZES, max_size=3))
    item = kind.itemsize
    data = draw(st.binary(min_size=prod(shape) * item, max_size=prod(shape) * item))
    if kind.kind == "U":
        data = "\u00e9\U0001f600".encode("utf-32-le") * prod(shape)
    array = np.frombuffer(data, kind).reshape(shape)
    native = np.ascontiguousarray(array.astype(kind.newbyteorder("<"))).reshape(shape)
    facts, types = None, (kind.name,)
    if kind.kind not in "MU":
        # the other byte order is turned round in a copy, which is in C order
        kept = order == "F" and kind.byteorder != ">"
        stride = contiguous(shape[::-1])[::-1] if kept else contiguous(shape)
        facts = {"kind": "plain", "elements": told(kind.name, native), "stride": list(stride)}
    return Special(host_array(array, order), facts, types, {"": native})


def host_array(array: Array, order: str) -> Call:
    """The call by which numpy makes an array of its bytes in C or Fortran order."""
    kind, arguments, state = array.dtype.__reduce__()
    dtype = Call(Global("numpy", kind.__name__), arguments, state=state)
    made = (Global("numpy", "ndarray"), (0,), b"b")
    given = (1, array.shape, dtype, order == "F", array.tobytes(order=order))
    return Call(Global("numpy._core.multiarray", "_reconstruct"), made, state=given)


SPECIAL: Final[tuple[Callable[[], st.SearchStrategy[Special]], ...]] = (
    *(per_tensor, per_channel, packed, coordinates, compressed, nested, bits, on_meta, host_arrays),
)


@st.composite
def special_trees(draw: st.DrawFn) -> dict[str, Special]:
    """Some of them by name. No name is that of a part of another one."""
    named = NAMES.filter(lambda name: name and "." not in name)
    return draw(st.dictionaries(named, st.one_of(*(each() for each in SPECIAL)), min_size=1, max_size=4))


def facts_of(tree: Mapping[str, Special], form: str) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """What a reader must tell of a state_dict of either form. The old one cannot hold nested tensors but as parts."""
    for name, special in tree.items():
        if form == "legacy_state_dict" and special.facts is not None and special.facts["kind"] == "nested":
            for role, array in special.arrays.items():
                stride = list(contiguous(array.shape))
                yield f"{name}.{role}", {"kind": "plain", "elements": special.facts["parts"][role], "stride": stride}
        else:
            yield name, special.facts


def lacking(special: Special, held: Sequence[str]) -> str:
    """The first type in it that a form has not."""
    return next((dtype for dtype in special.types if KNOWN.get(dtype) is None or dtype not in held), "")
