"""Pieces of sentences that core puts into others as their parameters: reasons, what was expected, what was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from typing_extensions import override

from viewer.wording import QT_TRANSLATE_NOOP, fill

PHRASES: Final[dict[str, str]] = {
    "argument-extension": QT_TRANSLATE_NOOP("wording", "an extension code below 1"),
    "argument-frame": QT_TRANSLATE_NOOP("wording", "a frame of 2^63 bytes or more"),
    "argument-integer": QT_TRANSLATE_NOOP("wording", "not an integer"),
    "argument-length": QT_TRANSLATE_NOOP("wording", "a negative length"),
    "argument-memo": QT_TRANSLATE_NOOP("wording", "not a memo index"),
    "argument-name-ascii": QT_TRANSLATE_NOOP("wording", "a name that is no ASCII"),
    "argument-name-utf-8": QT_TRANSLATE_NOOP("wording", "a name that is no UTF-8"),
    "argument-number": QT_TRANSLATE_NOOP("wording", "not a number"),
    "argument-persistent": QT_TRANSLATE_NOOP("wording", "a persistent id that is no ASCII"),
    "argument-quotes": QT_TRANSLATE_NOOP("wording", "a string without its quotes"),
    "argument-string-escape": QT_TRANSLATE_NOOP("wording", "a string with a broken escape"),
    "argument-text-escape": QT_TRANSLATE_NOOP("wording", "text with a broken escape"),
    "compressed-dictionary": QT_TRANSLATE_NOOP("wording", "it needs a dictionary"),
    "computed-function": QT_TRANSLATE_NOOP("wording", "a computed function"),
    "converted-local": QT_TRANSLATE_NOOP("wording", "its local part (right only where that is the whole)"),
    "converted-plain": QT_TRANSLATE_NOOP("wording", "plain {dtype}"),
    "converted-subclass": QT_TRANSLATE_NOOP("wording", "subclass of Tensor"),
    "converted-unfit": QT_TRANSLATE_NOOP("wording", "{dtype} without a quantizer that fits"),
    "detail-items": QT_TRANSLATE_NOOP("wording", "items of torch.distributed.checkpoint"),
    "detail-nameless": QT_TRANSLATE_NOOP("wording", "torch.distributed.checkpoint without .metadata"),
    "detail-parts": QT_TRANSLATE_NOOP("wording", "tensor-parallel parts"),
    "detail-ranks": QT_TRANSLATE_NOOP("wording", "torch.distributed.checkpoint, saved by each rank"),
    "detail-shards": QT_TRANSLATE_NOOP("wording", "safetensors shards of torch.distributed.checkpoint"),
    "differs-array-count": QT_TRANSLATE_NOOP("wording", "it has {found} arrays instead of {expected}"),
    "differs-bytes": QT_TRANSLATE_NOOP("wording", "its bytes are others"),
    "differs-elements": QT_TRANSLATE_NOOP("wording", "the elements of {name} differ"),
    "differs-missing": QT_TRANSLATE_NOOP("wording", "{name} is missing"),
    "differs-more": QT_TRANSLATE_NOOP("wording", "{name} has more elements than {shape}"),
    "differs-numbers": QT_TRANSLATE_NOOP("wording", "the numbers differ"),
    "differs-numbers-less": QT_TRANSLATE_NOOP("wording", "a number is missing"),
    "differs-numbers-more": QT_TRANSLATE_NOOP("wording", "it holds more numbers than were written"),
    "differs-tensor-count": QT_TRANSLATE_NOOP("wording", "it has {found} tensors instead of {expected}"),
    "differs-type": QT_TRANSLATE_NOOP("wording", "{name} is {found} instead of {expected}"),
    "either": QT_TRANSLATE_NOOP("wording", "{first} or {second}"),
    "entry-dtype": QT_TRANSLATE_NOOP("wording", "dtype is no text"),
    "entry-lacks": QT_TRANSLATE_NOOP("wording", "it has no {name}"),
    "entry-object": QT_TRANSLATE_NOOP("wording", "it is no object"),
    "entry-offsets": QT_TRANSLATE_NOOP("wording", "data_offsets are no two integers"),
    "entry-shape": QT_TRANSLATE_NOOP("wording", "shape is no list of integers"),
    "entry-twice": QT_TRANSLATE_NOOP("wording", "{name} stands twice"),
    "file-is-device": QT_TRANSLATE_NOOP("wording", "it is a device or a pipe"),
    "file-is-folder": QT_TRANSLATE_NOOP("wording", "it is a folder"),
    "file-link": QT_TRANSLATE_NOOP("wording", "it is reached by a link out of the folder"),
    "form-old": QT_TRANSLATE_NOOP("wording", "torch's old form"),
    "how-after-array": QT_TRANSLATE_NOOP("wording", "after the array"),
    "how-after-pickle": QT_TRANSLATE_NOOP("wording", "after the pickle"),
    "how-behind": QT_TRANSLATE_NOOP("wording", "archive behind"),
    "how-behind-break": QT_TRANSLATE_NOOP("wording", "pickle behind the break"),
    "how-bytes": QT_TRANSLATE_NOOP("wording", "bytes argument"),
    "how-file": QT_TRANSLATE_NOOP("wording", "file {name}"),
    "how-further-on": QT_TRANSLATE_NOOP("wording", "further on"),
    "how-in-front": QT_TRANSLATE_NOOP("wording", "archive in front"),
    "how-item": QT_TRANSLATE_NOOP("wording", "item {name}"),
    "how-next-array": QT_TRANSLATE_NOOP("wording", "next array"),
    "how-next-pickle": QT_TRANSLATE_NOOP("wording", "next pickle"),
    "how-next-stream": QT_TRANSLATE_NOOP("wording", "next stream"),
    "how-objects": QT_TRANSLATE_NOOP("wording", "objects"),
    "how-objects-of": QT_TRANSLATE_NOOP("wording", "objects of {name}"),
    "how-record": QT_TRANSLATE_NOOP("wording", "record {name}"),
    "how-text": QT_TRANSLATE_NOOP("wording", "text argument"),
    "id-class": QT_TRANSLATE_NOOP("wording", "class"),
    "id-count": QT_TRANSLATE_NOOP("wording", "count of elements"),
    "id-key": QT_TRANSLATE_NOOP("wording", "key"),
    "id-location": QT_TRANSLATE_NOOP("wording", "location"),
    "incomparable": QT_TRANSLATE_NOOP("wording", "{name} cannot be compared"),
    "item-chunk": QT_TRANSLATE_NOOP("wording", "a chunk of it cannot be read"),
    "item-class": QT_TRANSLATE_NOOP("wording", "its class is {name}"),
    "item-class-unknown": QT_TRANSLATE_NOOP("wording", "its class is unknown"),
    "item-dtype": QT_TRANSLATE_NOOP("wording", "its dtype is {name}"),
    "item-no-archive": QT_TRANSLATE_NOOP("wording", "it is no torch.save archive but this: {format}"),
    "item-no-tensor": QT_TRANSLATE_NOOP("wording", "it holds no single tensor"),
    "item-size": QT_TRANSLATE_NOOP("wording", "its size cannot be read"),
    "json-brace": QT_TRANSLATE_NOOP("wording", ", or {sign}"),
    "json-bracket": QT_TRANSLATE_NOOP("wording", "a closing bracket"),
    "json-broken": QT_TRANSLATE_NOOP("wording", "{reason}, at character {offset}"),
    "json-byte": QT_TRANSLATE_NOOP("wording", "Byte {offset} is no UTF-8"),
    "json-deep": QT_TRANSLATE_NOOP("wording", "it is more than {limit} levels deep"),
    "json-long": QT_TRANSLATE_NOOP("wording", "it has {count} bytes"),
    "json-many": QT_TRANSLATE_NOOP("wording", "it has about {count} values"),
    "json-nested": QT_TRANSLATE_NOOP("wording", "an object or a list"),
    "json-nesting": QT_TRANSLATE_NOOP("wording", "less nesting"),
    "json-nothing": QT_TRANSLATE_NOOP("wording", "nothing more"),
    "json-number": QT_TRANSLATE_NOOP("wording", "A number in it is too long"),
    "json-text": QT_TRANSLATE_NOOP("wording", "a text in quotes"),
    "json-value": QT_TRANSLATE_NOOP("wording", "a value"),
    "kind-arrow": QT_TRANSLATE_NOOP("wording", "Arrow file"),
    "kind-base64-legacy": QT_TRANSLATE_NOOP("wording", "base64 of a legacy stream"),
    "kind-base64-zip": QT_TRANSLATE_NOOP("wording", "base64 of a zip"),
    "kind-behind": QT_TRANSLATE_NOOP("wording", "behind {count} bytes of another kind"),
    "kind-elf": QT_TRANSLATE_NOOP("wording", "ELF program or library"),
    "kind-executorch": QT_TRANSLATE_NOOP("wording", "ExecuTorch program"),
    "kind-ggml": QT_TRANSLATE_NOOP("wording", "old GGML model"),
    "kind-gif": QT_TRANSLATE_NOOP("wording", "GIF image"),
    "kind-jpeg": QT_TRANSLATE_NOOP("wording", "JPEG image"),
    "kind-legacy-spoilt": QT_TRANSLATE_NOOP("wording", "legacy stream, spoilt as text"),
    "kind-lite": QT_TRANSLATE_NOOP("wording", "TensorFlow Lite model"),
    "kind-lua-object": QT_TRANSLATE_NOOP("wording", "object"),
    "kind-lua-table": QT_TRANSLATE_NOOP("wording", "table"),
    "kind-lua-text": QT_TRANSLATE_NOOP("wording", "text form"),
    "kind-lzma": QT_TRANSLATE_NOOP("wording", "lzma without a container"),
    "kind-mobile": QT_TRANSLATE_NOOP("wording", "PyTorch module for phones"),
    "kind-office": QT_TRANSLATE_NOOP("wording", "Office document"),
    "kind-parquet": QT_TRANSLATE_NOOP("wording", "Parquet file"),
    "kind-pdf": QT_TRANSLATE_NOOP("wording", "PDF document"),
    "kind-png": QT_TRANSLATE_NOOP("wording", "PNG image"),
    "kind-protobuf": QT_TRANSLATE_NOOP("wording", "Protocol Buffers message"),
    "kind-python": QT_TRANSLATE_NOOP("wording", "Python source"),
    "kind-spoilt": QT_TRANSLATE_NOOP("wording", "spoilt as text"),
    "kind-sqlite": QT_TRANSLATE_NOOP("wording", "SQLite database"),
    "kind-tensorflow": QT_TRANSLATE_NOOP("wording", "TensorFlow checkpoint index"),
    "kind-version": QT_TRANSLATE_NOOP("wording", "version {number}"),
    "kind-zfile": QT_TRANSLATE_NOOP("wording", "ZFile of joblib 0.9 and before"),
    "left-out": QT_TRANSLATE_NOOP("wording", "{name}: {reason}"),
    "more": QT_TRANSLATE_NOOP("wording", "{names} and {count} more"),
    "program-data-type": QT_TRANSLATE_NOOP("wording", "its dataType is unknown"),
    "program-dtype": QT_TRANSLATE_NOOP("wording", "its dtype {number} is unknown"),
    "program-layout": QT_TRANSLATE_NOOP("wording", "its layout is not strided"),
    "program-name-twice": QT_TRANSLATE_NOOP("wording", "the name stands twice"),
    "program-no-file": QT_TRANSLATE_NOOP("wording", "its record is no torch file"),
    "program-no-record": QT_TRANSLATE_NOOP("wording", "it names no record"),
    "program-no-tensor": QT_TRANSLATE_NOOP("wording", "there is no tensor {number}"),
    "root": QT_TRANSLATE_NOOP("wording", "the root"),
    "rule-empty": QT_TRANSLATE_NOOP("wording", "the old name is empty"),
    "rule-more": QT_TRANSLATE_NOOP("wording", "the new name has more {sign} than the old one"),
    "set-too-many": QT_TRANSLATE_NOOP("wording", "the set has more files than are read"),
    "sizes-large": QT_TRANSLATE_NOOP("wording", "a size is too large"),
    "sizes-negative": QT_TRANSLATE_NOOP("wording", "a size is negative"),
    "sizes-strides": QT_TRANSLATE_NOOP("wording", "it has {sizes} sizes and {strides} strides"),
    "sizes-whole": QT_TRANSLATE_NOOP("wording", "its sizes are no whole numbers"),
    "zip-crc": QT_TRANSLATE_NOOP("wording", "checksum"),
    "zip-end": QT_TRANSLATE_NOOP("wording", "end record"),
    "zip-flags": QT_TRANSLATE_NOOP("wording", "value of the flags"),
    "zip-method": QT_TRANSLATE_NOOP("wording", "method of compression"),
    "zip-packed": QT_TRANSLATE_NOOP("wording", "compressed size"),
    "zip-size": QT_TRANSLATE_NOOP("wording", "size"),
    "zip64-end": QT_TRANSLATE_NOOP("wording", "zip64 end record"),
}


class Phrase(str):
    """A sentence, or a piece of one, as a parameter of another: English by itself, said otherwise in the window.

    `sentence`, `params`: of what table and with what it was made. `bare`: without a full stop at its end. What is made
    out of it by the methods of str is English alone; an error that is raised with it gives it back by `str`.
    """

    sentence: str
    params: Mapping[str, object]
    bare: bool

    def __new__(cls, sentence: str, params: Mapping[str, object] | None = None, *, bare: bool = False) -> Phrase:
        text = fill(sentence, params or {})
        made = super().__new__(cls, text.rstrip(".") if bare else text)
        made.sentence, made.params, made.bare = sentence, params or {}, bare
        return made

    @override
    def __str__(self) -> str:
        return self


def phrase(code: str, **params: object) -> Phrase:
    """One of the pieces above."""
    return Phrase(PHRASES[code], params)


def bare(text: str) -> str:
    """A sentence as the reason in another one, which has a full stop of its own."""
    return Phrase(text.sentence, text.params, bare=True) if isinstance(text, Phrase) else text.rstrip(".")
