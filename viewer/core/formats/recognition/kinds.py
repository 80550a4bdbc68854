"""Which sentence a file gets that is shown as bytes only: its format, and what is known of it beside."""

from __future__ import annotations

from typing import Final

from viewer.core.formats.recognition.guess import Guess

# Foreign kinds and flatbuffers by their detail: what reads them has a sentence of its own.
_BY_DETAIL: Final[dict[str, str]] = {
    "Arrow file": "foreign-table",
    "ExecuTorch program": "flatbuffer-executorch",
    "MessagePack": "foreign-msgpack",
    "Office document": "foreign",
    "Parquet file": "foreign-table",
    "Protocol Buffers message": "foreign-protobuf",
    "Python source": "text-python",
    "TensorFlow Lite model": "flatbuffer-lite",
    "TensorFlow checkpoint index": "foreign-tensorflow",
    "old GGML model": "foreign-ggml",
}


def kind_of(guess: Guess, size: int) -> str:
    """The code of a sentence on the kind of a file, without its beginning `kind-`. `size`: of the file."""
    name = guess.format
    if guess.detail in _BY_DETAIL:
        return _BY_DETAIL[guess.detail]
    if name == "git-lfs-pointer":
        return name if {"oid", "size"} <= guess.params.keys() else "git-lfs-pointer-cut"
    if name == "zeros":
        return "zeros-all" if guess.params.get("count") == size else name
    if guess.detail:
        return {
            "html": "html-titled",
            "json": "json-said",
            "onnx": "onnx-by",
            "text": "text-encoded",
            "xml": "xml-said",
        }.get(name, name)
    return name
