"""Messages without a signature: Protocol Buffers (ONNX and others) and MessagePack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viewer.core.formats.recognition.guess import Guess, Sight
from viewer.core.source import ByteSource
from viewer.wording.phrases import phrase

FIELDS: Final = 64
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
IR_VERSION, PRODUCER, PRODUCER_VERSION, GRAPH, OPSET = 1, 2, 3, 7, 8
LAST_IR_VERSION: Final = 32
LONGEST_TEXT: Final = 200
# what a message of several megabytes begins with: a number or a part, in field 1
STARTS: Final = (b"\x08", b"\x0a")


@dataclass(frozen=True, slots=True)
class Field:
    """A top-level field: its number, wire type, value (of a varint) and the bytes of its content."""

    number: int
    wire: int
    value: int
    start: int
    stop: int


def by_message(sight: Sight) -> Guess | None:
    """ONNX, another Protocol Buffers message, or MessagePack."""
    if sight.head.startswith(STARTS):
        found = fields(sight.source)
        if is_onnx(found):
            said = [text_of(sight.source, found, number) for number in (PRODUCER, PRODUCER_VERSION)]
            return Guess("onnx", " ".join(text for text in said if text) or None)
        if found and (len(found) == FIELDS or found[-1].stop == sight.size):
            return Guess("foreign", phrase("kind-protobuf"))
    return Guess("foreign", "MessagePack") if is_message_pack(sight.head) else None


def fields(source: ByteSource) -> list[Field]:
    """The first fields of the message; the last one may reach beyond the end. Empty when it is none."""
    found: list[Field] = []
    at = 0
    while at < source.size and len(found) < FIELDS:
        data = source.read(at, 20)
        tag, used = varint(data, 0)
        number, wire = tag >> 3, tag & 7
        if not used or not 0 < number < 1 << 29 or wire not in (VARINT, FIXED64, BYTES, FIXED32):
            return []
        value, length = varint(data, used) if wire in (VARINT, BYTES) else (0, 8 if wire == FIXED64 else 4)
        if not length:
            return []
        start = at + used + (length if wire == BYTES else 0)
        stop = start + (value if wire == BYTES else length)
        found.append(Field(number, wire, value, start, stop))
        at = stop
    return found if len(found) > 1 and found[-2].stop <= source.size else []


def varint(data: bytes, at: int) -> tuple[int, int]:
    """(value, bytes used); no bytes when none is there."""
    value = 0
    for used, byte in enumerate(data[at : at + 10], 1):
        value |= (byte & 0x7F) << 7 * (used - 1)
        if byte < 0x80:
            return value, used
    return 0, 0


def is_onnx(found: list[Field]) -> bool:
    """A version number in field 1, and a graph or a set of operators."""
    if not found or (found[0].number, found[0].wire) != (IR_VERSION, VARINT):
        return False
    parts = {field.number for field in found if field.wire == BYTES}
    return 1 <= found[0].value <= LAST_IR_VERSION and bool(parts & {GRAPH, OPSET})


def text_of(source: ByteSource, found: list[Field], number: int) -> str:
    """The text of a field, where it has one that can be printed."""
    for field in found:
        if field.number == number and field.wire == BYTES:
            data = source.read(field.start, min(field.stop - field.start, LONGEST_TEXT))
            text = data.decode("utf-8", "replace")
            return text if text.isprintable() else ""
    return ""


def is_message_pack(head: bytes) -> bool:
    """A map of 1 to 15 entries, or a larger one, whose first key is a text."""
    if head[:1] == b"\xde":
        at = 3
    elif b"\x81" <= head[:1] <= b"\x8f":
        at = 1
    else:
        return False
    first = head[at] if at < len(head) else 0
    key = head[at + 2 : at + 2 + head[at + 1]] if first == 0xD9 and at + 1 < len(head) else b""
    if 0xA1 <= first <= 0xBF:
        key = head[at + 1 : at + 1 + (first & 0x1F)]
    return len(key) > 0 and key.isascii() and key.decode("ascii").isprintable()
