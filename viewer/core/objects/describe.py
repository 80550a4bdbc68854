"""Any value in one line, and the type that it would have. Work is bounded, whatever the value holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from viewer.core.objects.content import TAGS, Role, Section, is_mapping, mapping, octets, sections, tagged
from viewer.core.objects.known_calls import NAMESPACES, attributes_of, date_text, wrapped_value
from viewer.core.objects.names import COMPUTED, called, global_name, module_class, named, persistent_parts
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import Kind, Values
from viewer.wording import described as words
from viewer.wording import fill

DEEPEST: Final = 3
_ITEMS: Final = 8
_TEXT: Final = 200
_LONG: Final = 5000
_REDUCE: Final = code("REDUCE")
REDUCED: Final = "reduce_package"
"""What a persistent id of torch.package begins with that asks for a call: then a number, a function, arguments."""

_FUNCTION: Final = 2
_TYPES: Final[dict[Kind, str]] = {
    Kind.NONE: "NoneType",
    Kind.BOOL: "bool",
    Kind.INT: "int",
    Kind.FLOAT: "float",
    Kind.TEXT: "str",
    Kind.STRING: "str",
    Kind.BYTES: "bytes",
    Kind.BYTEARRAY: "bytearray",
    Kind.TUPLE: "tuple",
    Kind.LIST: "list",
    Kind.DICT: "dict",
    Kind.SET: "set",
    Kind.FROZENSET: "frozenset",
    Kind.GLOBAL: "global",
    Kind.PERSISTENT: "persistent id",
    Kind.EXTENSION: "extension",
    Kind.BUFFER: "missing buffer",
    Kind.MARK: "mark",
    Kind.UNKNOWN: "nothing",
}
_BRACKETS: Final = {Kind.TUPLE: ("(", ")"), Kind.LIST: ("[", "]")}
_BRACKETS_OF_CALLS: Final = {
    "set": ("{", "}"),
    "frozenset": ("frozenset({", "})"),
    "collections.deque": ("collections.deque([", "])"),
}
# What well-known functions give. Where a number stands, the class is that argument.
_RESULTS: Final[dict[str, str | int]] = {
    "_codecs.encode": "bytes",
    "copyreg._reconstructor": 0,
    "copyreg.__newobj__": 0,
    "copyreg.__newobj_ex__": 0,
    "torch._utils._rebuild_tensor": "torch.Tensor",
    "torch._utils._rebuild_tensor_v2": "torch.Tensor",
    "torch._utils._rebuild_tensor_v3": "torch.Tensor",
    "torch._utils._rebuild_qtensor": "torch.Tensor",
    "torch._utils._rebuild_sparse_tensor": "torch.Tensor",
    "torch._utils._rebuild_sparse_csr_tensor": "torch.Tensor",
    "torch._utils._rebuild_nested_tensor": "torch.Tensor",
    "torch._utils._rebuild_meta_tensor_no_storage": "torch.Tensor",
    "torch._utils._rebuild_device_tensor_from_numpy": "torch.Tensor",
    "torch._utils._rebuild_device_tensor_from_cpu_tensor": "torch.Tensor",
    "torch._utils._rebuild_parameter": "torch.nn.parameter.Parameter",
    "torch._utils._rebuild_parameter_with_state": "torch.nn.parameter.Parameter",
    "torch._utils._rebuild_wrapper_subclass": 0,
    "torch._tensor._rebuild_from_type": 1,
    "torch._tensor._rebuild_from_type_v2": 1,
    "torch.tensor._rebuild_from_type": 1,
    "torch.storage._load_from_bytes": "torch.storage.TypedStorage",
    "torch.serialization._get_layout": "torch.layout",
    "torch.fx.graph_module.reduce_graph_module": "torch.fx.graph_module.GraphModule",
    "torch.fx.graph_module.reduce_package_graph_module": "torch.fx.graph_module.GraphModule",
    "numpy.core.multiarray._reconstruct": 0,
    "numpy._core.multiarray._reconstruct": 0,
    "numpy.core.multiarray.scalar": "numpy.generic",
    "numpy._core.multiarray.scalar": "numpy.generic",
    "numpy.core.numeric._frombuffer": "numpy.ndarray",
    "numpy._core.numeric._frombuffer": "numpy.ndarray",
    "dill._dill._create_array": "numpy.ndarray",
    "dill.dill._create_array": "numpy.ndarray",
}


def class_name(values: Values, value: int, encoding: str = "utf-8") -> str:
    """The qualified type of a value, builtins bare: `dict`, `NoneType`, `collections.OrderedDict`, `nets.TinyNet`.

    For a call that is no known function, the name that is called. Globals themselves are `global`.
    """
    kind = values.kind(value)
    if kind is Kind.PERSISTENT:
        return _persistent_type(values, value, encoding)
    return _call_type(values, value, encoding) if kind is Kind.CALL else _TYPES[kind]


def _call_type(values: Values, value: int, encoding: str) -> str:
    name = named(values, values.callee(value), encoding)
    if values.code.codes[value] != _REDUCE:
        return name or COMPUTED
    if name in TAGS and (inner := tagged(values, value)) >= 0:
        return _TYPES[values.kind(inner)]
    result = _RESULTS.get(name, name)
    if isinstance(result, str):
        return result or COMPUTED
    arguments = values.arguments(value)
    return (named(values, arguments[result], encoding) if len(arguments) > result else "") or name


def _persistent_type(values: Values, value: int, encoding: str) -> str:
    parts = persistent_parts(values, value)
    kind = values.text(parts[0], encoding) if parts else None
    if kind == "storage" and len(parts) > 1:
        return named(values, parts[1], encoding) or _TYPES[Kind.PERSISTENT]
    if kind == REDUCED and len(parts) > _FUNCTION:
        return named(values, parts[_FUNCTION], encoding) or _TYPES[Kind.PERSISTENT]
    return "type" if module_class(values, value, encoding) >= 0 else _TYPES[Kind.PERSISTENT]


Say = Callable[[str, Mapping[str, object]], str]
"""Fills a sentence of `wording.described`, in English or in the person's language."""


def describe(values: Values, value: int, limit: int = 60, encoding: str = "utf-8", say: Say = fill) -> str:
    """One line of at most `limit` characters: atoms as Python writes them, short containers whole, others counted.

    `say`: in which language, and with which numbers, they are counted.
    """
    text = _Preview(values, limit, encoding, say).of(value, DEEPEST)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def is_text(plain: object, encoding: str) -> bool:
    """False for a string of Python 2 that is no text in this encoding: its bytes are shown."""
    if isinstance(plain, bytes):
        try:
            plain.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            return False
    return True


class _Preview:
    """Writes values until the line is full; what no longer fits is cut by `describe`."""

    def __init__(self, values: Values, limit: int, encoding: str, say: Say) -> None:
        self.values, self.limit, self.encoding, self.say = values, limit, encoding, say
        self.left = 4 * _ITEMS
        self._writers: dict[Kind, Callable[[int, int], str]] = {
            Kind.TUPLE: self._sequence,
            Kind.LIST: self._sequence,
            Kind.SET: self._sequence,
            Kind.FROZENSET: self._sequence,
            Kind.DICT: self._mapping,
            Kind.CALL: self._call,
            Kind.PERSISTENT: self._persistent,
        }

    def of(self, value: int, depth: int) -> str:
        kind = self.values.kind(value)
        writer = self._writers.get(kind)
        if writer is not None:
            return writer(value, depth)
        if Kind.NONE <= kind <= Kind.BYTEARRAY:
            return self._atom(value, kind)
        return global_name(self.values, value) if kind is Kind.GLOBAL else _TYPES[kind]

    def _atom(self, value: int, kind: Kind) -> str:
        if kind in (Kind.TEXT, Kind.STRING, Kind.BYTES, Kind.BYTEARRAY):
            return self._text(value, kind)
        length = self.values.code.argument_span(value).length
        if length > _LONG:
            return self.say(words.BITS, {"count": 8 * length})
        return shown_number(self.values.plain(value), self.say)

    def _text(self, value: int, kind: Kind) -> str:
        """Quoted; of a long argument only the head is read."""
        code = self.values.code
        span = code.argument_span(value)
        if span.length <= 4 * max(self.limit, _TEXT):
            plain = self.values.plain(value)
            is_binary = kind in (Kind.BYTES, Kind.BYTEARRAY) or not is_text(plain, self.encoding)
            text = None if is_binary else self.values.text(value, self.encoding)
            return repr(plain if text is None else text)
        head = code.bytes(span.start, self.limit)
        if kind in (Kind.BYTES, Kind.BYTEARRAY):
            return repr(head)[:-1] + "…"
        return repr(self._decoded(value, head))[:-1] + "…"

    def _decoded(self, value: int, head: bytes) -> str:
        """The beginning of a text as far as its bytes are whole characters."""
        name = self.values.code.name(value)
        if name == "STRING":
            return head[1:].decode("latin-1")
        coding = {"UNICODE": "raw-unicode-escape", "BINSTRING": self.encoding}.get(name, "utf-8")
        return head.decode(coding, "ignore")

    def _sequence(self, value: int, depth: int) -> str:
        found = sections(self.values, value)
        count = sum(section.count for section in found)
        opening, closing = _BRACKETS.get(self.values.kind(value), ("{", "}"))
        name = _TYPES[self.values.kind(value)]
        if count and (depth <= 0 or self.left <= 0):
            return items(name, count, self.say)
        if not count and opening == "{":
            return f"{name}()"
        parts = [self.of(item, depth - 1) for _, item in self._some(found)]
        if len(parts) < count:
            parts.append("…")
        comma = "," if opening == "(" and count == 1 else ""
        return f"{opening}{', '.join(parts)}{comma}{closing}"

    def _mapping(self, value: int, depth: int) -> str:
        del depth
        count = sum(section.count for section in mapping(self.values, value))
        return entries("dict", count, self.say) if count else "{}"

    def _call(self, value: int, depth: int) -> str:
        values = self.values
        name = class_name(values, value, self.encoding)
        if called(values, value) in TAGS and (inner := tagged(values, value)) >= 0:
            return self.of(inner, depth)
        if is_mapping(values, value):
            return entries(name.rpartition(".")[2], sum(part.count for part in mapping(values, value)), self.say)
        if name == "bytes" and values.arguments(value):
            return self._encoded(value)
        known = self._known(value, name, depth)
        if known is not None:
            return known
        written = name in _RESULTS.values() and named(values, values.callee(value), self.encoding)
        given = [part for part in sections(values, value) if part.role in (Role.ITEM, Role.ARGUMENT)]
        if not given and values.code.codes[value] != _REDUCE:
            return name
        return self._given(written or name, given, depth)

    def _known(self, value: int, name: str, depth: int) -> str | None:
        """A date, a setting with its value, a namespace with its attributes; None for anything else."""
        wrapped = wrapped_value(self.values, value, name, self.encoding)
        if wrapped is not None:
            inner = self.of(wrapped[1], depth)
            return inner if wrapped[0] == "_val" else f"{name.rpartition('.')[2]}({inner})"
        if name not in NAMESPACES or depth <= 0:
            return date_text(self.values, value, name)
        held = attributes_of(self.values, value, self.encoding)
        some = held[: max(0, min(_ITEMS, self.left))]
        self.left -= len(some)
        parts = [f"{key}={self.of(child, depth - 1)}" for key, child in some]
        return f"{name.rpartition('.')[2]}({', '.join(parts)}{', …' if len(some) < len(held) else ''})"

    def _encoded(self, value: int) -> str:
        """Bytes that protocols below 3 write as a text; of a long one only the head is read."""
        text = self.values.arguments(value)[0]
        span = self.values.code.argument_span(text)
        if span.length <= 4 * max(self.limit, _TEXT):
            return repr(octets(self.values, value))
        head = self._decoded(text, self.values.code.bytes(span.start, self.limit))
        return repr(head.encode("latin-1", "replace"))[:-1] + "…"

    def _given(self, name: str, given: list[Section], depth: int) -> str:
        count = sum(part.count for part in given)
        text = ", ".join(self.of(item, depth - 1) for _, item in self._some(given)) if depth > 0 else ""
        opening, closing = _BRACKETS_OF_CALLS.get(name, (f"{name}(", ")"))
        if depth <= 0 or len(name) + len(text) + 2 > self.limit:
            return f"{name}({count})" if count else f"{name}()"
        return f"{opening}{text}{closing}" if count else f"{name}()"

    def _persistent(self, value: int, depth: int) -> str:
        values = self.values
        identity = values.persistent(value)
        if identity < 0:
            return repr(values.persistent_text(value))
        if depth <= 0:
            return _TYPES[Kind.PERSISTENT]
        known = module_class(values, value, self.encoding)
        return named(values, known, self.encoding) if known >= 0 else self.of(identity, depth - 1)

    def _some(self, found: list[Section]) -> list[tuple[int, int]]:
        """The first entries, while the whole line has room for more."""
        entries: list[tuple[int, int]] = []
        for section in found:
            room = min(_ITEMS, self.left) - len(entries)
            entries += section.read(0, min(section.count, room)) if room > 0 else []
        self.left -= len(entries)
        return entries


def entries(name: str, count: int, say: Say = fill) -> str:
    """A mapping by its type and its size."""
    return say(words.ENTRY if count == 1 else words.ENTRIES, {"type": name, "count": count})


def items(name: str, count: int, say: Say = fill) -> str:
    """A sequence or set by its type and its size."""
    return say(words.ITEM if count == 1 else words.ITEMS, {"type": name, "count": count})


def shown_number(plain: object, say: Say = fill) -> str:
    """A number as Python writes it; of ints beyond 4,300 digits, which it refuses to write, the size."""
    if isinstance(plain, int) and plain.bit_length() > 14_000:
        return say(words.BITS, {"count": plain.bit_length()})
    return repr(plain)


def count_of(values: Values, value: int) -> int:
    """Elements or entries of a container; 0 for all other values."""
    if is_mapping(values, value):
        return sum(section.count for section in mapping(values, value))
    return sum(section.count for section in sections(values, value) if section.role in (Role.ITEM, Role.KEY))
