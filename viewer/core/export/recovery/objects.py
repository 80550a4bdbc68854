"""The objects that a module is made of, as the records of model.json. Each value once, by its number in the stream.

A value in a record is plain JSON (None, bools, ints of 64 bits, finite floats, short texts), `{"float": "nan"}`, or
`{"id": n}`, the record n. Records stand in ascending order: what can only be made of finished parts (tuples, sizes,
arguments) comes after those. Nothing recurses, and the work is bounded by the length of the stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from viewer.core.export.recovery.calls import plain_call
from viewer.core.export.recovery.made import module_record, object_record
from viewer.core.export.recovery.tensors import Json, KeptTensors
from viewer.core.export.recovery.walk import Found, Walk
from viewer.core.objects.content import octets
from viewer.core.objects.describe import class_name
from viewer.core.objects.modules import attributes, is_module
from viewer.core.objects.names import called
from viewer.core.pickles.values import Kind, Values

PARAMETER: Final = "torch.nn.parameter.Parameter"
_NAMESPACES: Final = {"argparse.Namespace": "Namespace", "types.SimpleNamespace": "SimpleNamespace"}


def collect(
    values: Values,
    root: int,
    tensors: KeptTensors,
    stored: Iterable[str],
    encoding: str = "utf-8",
) -> Found:
    """All objects that the module `root` reaches. `stored`: classes whose text is there."""
    walk = Walk(values, tensors, frozenset(stored), encoding)
    walk.refer(root, "")
    records = walk.found.records
    while walk.waiting:
        value, where = walk.waiting.pop()
        make = RECORDS.get(values.kind(value)) if value >= 0 else None
        made = make(walk, value, where) if make is not None else walk.lost(where, "", "value")
        records[value] = {"id": value, **made}
    _settle(walk)
    return walk.found


def _settle(walk: Walk) -> None:
    """What is known only in the end: which tensors are parameters, and which classes there is no object of."""
    records = walk.found.records
    for value in walk.parameters:
        if records[value]["type"] == "tensor":
            records[value]["parameter"] = True
    for value, name, where in walk.classes:
        if name not in walk.stored and name not in walk.found.own:
            records[value] = {"id": value, **walk.lost(where, name, "class")}


def call_record(walk: Walk, value: int, where: str) -> Json:
    """What a call makes."""
    values, encoding = walk.values, walk.encoding
    name = class_name(values, value, encoding)
    tensor = walk.tensors.record(value, name == PARAMETER)
    if tensor is not None:
        return tensor
    if octets(values, value) is not None:
        return walk.octets(value, "bytes")
    if called(values, value) == "getattr":
        return method_record(walk, value, where) or walk.name(value, where)
    plain = plain_call(walk, value, called(values, value), where)
    if plain is not None:
        return plain
    if name in _NAMESPACES:
        held = attributes(values, value, encoding)
        return {"type": _NAMESPACES[name], "attributes": walk.attributes(held, where)}
    if is_module(values, value, encoding):
        return module_record(walk, value, name, where)
    return object_record(walk, value, name, where)


def method_record(walk: Walk, value: int, where: str) -> Json | None:
    """A method of an object that was made before, as `self.forward = self.other` leaves it; None for all else."""
    arguments = walk.values.arguments(value)
    if len(arguments) != 2 or not 0 <= arguments[0] < value or walk.values.kind(arguments[0]) is not Kind.CALL:
        return None
    name = walk.values.text(arguments[1], walk.encoding)
    if called(walk.values, arguments[0]) == "getattr" or not name or not name.isidentifier():
        return None
    return {"type": "method", "object": walk.refer(arguments[0], where), "name": name}


def _text(walk: Walk, value: int, where: str) -> Json:
    del where
    return {"type": "text", "text": walk.values.text(value, walk.encoding)}


def _sequence(kind: str) -> Callable[[Walk, int, str], Json]:
    return lambda walk, value, where: walk.items(kind, walk.values.items(value), value, where)


RECORDS: Final[dict[Kind, Callable[[Walk, int, str], Json]]] = {
    Kind.INT: lambda walk, value, where: {"type": "int", "hex": hex(walk.integer(value))},
    Kind.TEXT: _text,
    Kind.STRING: _text,
    Kind.BYTES: lambda walk, value, where: walk.octets(value, "bytes"),
    Kind.BYTEARRAY: lambda walk, value, where: walk.octets(value, "bytearray"),
    Kind.TUPLE: _sequence("tuple"),
    Kind.LIST: _sequence("list"),
    Kind.SET: _sequence("set"),
    Kind.FROZENSET: _sequence("frozenset"),
    Kind.DICT: lambda walk, value, where: walk.mapping(value, "dict", where),
    Kind.GLOBAL: lambda walk, value, where: walk.name(value, where),
    Kind.PERSISTENT: lambda walk, value, where: walk.name(value, where),
    Kind.CALL: call_record,
}
