"""What a file really is: each kind has a sentence that names it, and says what can be done."""

from __future__ import annotations

import struct

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.builders.zips import Member, plain_zip
from tests.opened import codes, opened
from viewer.core.document import Document
from viewer.core.problem import Problem, Severity
from viewer.core.span import Span
from viewer.core.summary.prediction import predict
from viewer.core.tensors import window

OID = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{OID}\nsize 134217728\n"


def told(document: Document) -> Problem:
    assert len(document.problems) == 1
    return document.problems[0]


def gguf(*entries: bytes) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries)) + b"".join(entries)


def gguf_text(key: str, value: str) -> bytes:
    return struct.pack("<Q", len(key)) + key.encode() + struct.pack("<IQ", 8, len(value)) + value.encode()


def lua(name: str, *sizes: int) -> bytes:
    head = struct.pack("<iii", 4, 1, 3) + b"V 1" + struct.pack("<i", len(name)) + name.encode()
    return head + struct.pack(f"<i{len(sizes)}q", len(sizes), *sizes) + bytes(40)


FOREIGN = (
    (b"\x7fELF\x02\x01\x01", "ELF program or library"),
    (b"%PDF-1.7\n", "PDF document"),
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff\xe0", "JPEG image"),
    (b"GIF89a", "GIF image"),
    (b"SQLite format 3\x00", "SQLite database"),
    (plain_zip([Member("[Content_Types].xml", b"<Types/>")]), "Office document"),
)


@pytest.mark.parametrize(("data", "detail"), FOREIGN, ids=[detail for _, detail in FOREIGN])
def test_what_is_no_model_at_all(data: bytes, detail: str) -> None:
    document = opened(data + bytes(30) if not data.startswith(b"PK") else data)
    assert (document.format, document.detail) == ("foreign", detail)
    found = told(document)
    assert (found.code, found.severity) == ("kind-foreign", Severity.ERROR)
    assert found.title == f"This is no checkpoint: {detail}"
    assert found.text.endswith("Look for the checkpoint where this file came from.")


KINDS = (
    # data, format, detail, code, what the sentence holds
    (POINTER.encode(), "git-lfs-pointer", None, "kind-git-lfs-pointer", ["134,217,728 bytes", OID, "git lfs pull"]),
    (POINTER[:60].encode(), "git-lfs-pointer", None, "kind-git-lfs-pointer-cut", ["not whole", "git lfs pull"]),
    (
        b"<!DOCTYPE html><html><title>Virus scan warning</title></html>",
        *("html", "Virus scan warning", "kind-html-titled"),
        ["This is a web page, not a checkpoint: Virus scan warning", "login", "Fetch the file again"],
    ),
    (b"<html><body>no title</body></html>", "html", None, "kind-html", ["web page", "Fetch the file again"]),
    (
        b'{"error": "Repository not found"}',
        *("json", "Repository not found", "kind-json-said"),
        ["an answer in JSON", "Repository not found", "refused"],
    ),
    (b'{"a": 1}', "json", None, "kind-json", ["JSON text", "refused"]),
    (
        b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
        *("xml", "AccessDenied", "kind-xml-said"),
        ["an answer in XML", "AccessDenied"],
    ),
    (b"<note>x</note>", "xml", None, "kind-xml", ["XML text"]),
    (b"Entry not found\n", "text", None, "kind-text", ["This is text", "Fetch the file again"]),
    (
        b"gAKKCmz8nEb5IGqoUBkugAJN6QMugAJ9cQAoWBAAAABwcm90",
        *("text", "base64 of a legacy stream", "kind-text-encoded"),
        ["base64 of a legacy stream", "base64 --decode"],
    ),
    (
        b"import torch\nmodel = torch.load('model.pt')\n",
        *("text", "Python source", "kind-text-python"),
        ["This is Python source"],
    ),
    (bytes(4096), "zeros", None, "kind-zeros-all", ["All 4,096 bytes of this file are zero", "Fetch the file again"]),
    (
        bytes(6144) + b"\x01" * 2856,
        *("zeros", None, "kind-zeros"),
        ["The first 6,144 of 9,000 bytes are zero", "download that did not finish"],
    ),
    (b"", "empty", None, "file-empty", ["This file is empty"]),
    (b"\x89HDF\r\n\x1a\n" + bytes(80), "hdf5", None, "kind-hdf5", ["HDF5", "h5py"]),
    (bytes(512) + b"\x89HDF\r\n\x1a\n", "hdf5", "behind 512 bytes of another kind", "kind-hdf5", ["h5py"]),
    (
        b"\x08\x08\x12\x07pytorch\x1a\x062.13.0:\x02\x12\x00B\x02\x10\x12",
        *("onnx", "pytorch 2.13.0", "kind-onnx-by"),
        ["an ONNX model, written by pytorch 2.13.0", "The package onnx"],
    ),
    (b"\x08\x08:\x02\x12\x00B\x02\x10\x12", "onnx", None, "kind-onnx", ["an ONNX model"]),
    (
        gguf(gguf_text("general.architecture", "llama")),
        *("gguf", "version 3, llama", "kind-gguf"),
        ["GGUF model of llama.cpp: version 3, llama", "The package gguf"],
    ),
    (gguf(gguf_text("general.name", "x")), "gguf", "version 3", "kind-gguf", ["version 3."]),
    (
        lua("torch.FloatTensor", 3),
        *("lua-t7", "torch.FloatTensor [3]", "kind-lua-t7"),
        ["Lua Torch 7: torch.FloatTensor [3]", "torchfile"],
    ),
    (lua("nn.Sequential"), "lua-t7", "nn.Sequential", "kind-lua-t7", ["nn.Sequential"]),
    (
        struct.pack("<5i", 3, 1, 1, 1, 1) + bytes(16),
        *("lua-t7", "table", "kind-lua-t7"),
        ["This is a file of Lua Torch 7: table"],
    ),
    (
        plain_zip([Member("metadata.json", b"{}"), Member("model.weights.h5", b"x")]),
        *("keras", None, "kind-keras"),
        ["Keras 3", "keras.saving.load_model"],
    ),
    (
        b"\x1c\0\0\0TFL3" + bytes(40),
        *("flatbuffer", "TensorFlow Lite model", "kind-flatbuffer-lite"),
        ["tensorflow.lite.Interpreter"],
    ),
    (
        b"\x18\0\0\0PTMF" + bytes(40),
        *("flatbuffer", "PyTorch module for phones", "kind-flatbuffer"),
        ["PyTorch for phones", "jit_module_from_flatbuffer"],
    ),
    (b"\x18\0\0\0ET12" + bytes(40), "flatbuffer", "ExecuTorch program", "kind-flatbuffer-executorch", ["ExecuTorch"]),
    (b"7z\xbc\xaf\x27\x1c" + bytes(26), "7z", None, "kind-7z", ["7z archive", "Unpack it"]),
    (b"Rar!\x1a\x07\x01\0" + bytes(24), "rar", None, "kind-rar", ["RAR archive", "Unpack it"]),
    (b"\x04\x22\x4d\x18" + bytes(11), "lz4", None, "kind-lz4", ["compressed with lz4", "Unpack it"]),
    (b"lmgg\x01\0\0\0", "foreign", "old GGML model", "kind-foreign-ggml", ["llama.cpp", "GGUF"]),
    (b"tjgg\x01\0\0\0", "foreign", "old GGML model", "kind-foreign-ggml", ["llama.cpp"]),
    (b"\x81\xa6params\x81\xa1w\xc0", "foreign", "MessagePack", "kind-foreign-msgpack", ["msgpack_restore"]),
    (
        b"\x0a\x04net1\xa2\x06\x05\n\x03abc",
        *("foreign", "Protocol Buffers message", "kind-foreign-protobuf"),
        ["Core ML, Caffe and TensorFlow"],
    ),
    (b"PAR1" + bytes(24), "foreign", "Parquet file", "kind-foreign-table", ["Parquet file", "pyarrow"]),
    (b"ARROW1\0\0" + bytes(20), "foreign", "Arrow file", "kind-foreign-table", ["Arrow file", "pyarrow"]),
    (
        bytes(32) + bytes.fromhex("57fb808b247547db"),
        *("foreign", "TensorFlow checkpoint index", "kind-foreign-tensorflow"),
        [".data", "tf.train.load_checkpoint"],
    ),
    (plain_zip([]), "zip", None, "kind-zip-empty", ["This zip archive is empty"]),
    (plain_zip([Member("a.txt", b"x")]), "zip", None, "kind-zip", ["no checkpoint of torch"]),
    (b"\xfe\xed" * 40, "unknown", None, "kind-unknown", ["not known what this file is"]),
)


@pytest.mark.parametrize(
    ("data", "kind", "detail", "code", "words"), KINDS, ids=[f"{row[3]}-{row[2]}" for row in KINDS]
)
def test_what_it_really_is(data: bytes, kind: str, detail: str | None, code: str, words: list[str]) -> None:
    document = opened(data)
    assert (document.format, document.detail) == (kind, detail)
    found = told(document)
    assert found.code == code
    assert found.span == Span(0, len(data))
    assert [word for word in words if word not in found.text] == []
    assert "{" not in found.text


@pytest.mark.parametrize("damage", ["line-ends", "utf-8"])
def test_a_legacy_stream_that_was_taken_for_text(damage: str) -> None:
    stream = legacy({"a": full("float32", (1,), [1.5])})
    spoilt = stream.replace(b"\n", b"\r\n") if damage == "line-ends" else stream.decode("latin-1").encode()
    found = told(opened(spoilt))
    assert found.code == f"legacy-as-text-{damage}"
    assert found.text.endswith("Fetch the file again in binary mode.")


@pytest.mark.parametrize("damage", ["line-ends", "replaced", "utf-8", "code page"])
def test_an_archive_that_was_taken_for_text(damage: str) -> None:
    archive = torch_zip(state_dict({"a": full("float32", (4,), [-1.5, 1e9, -1e-9, 7.25])}))
    spoilt = {
        "line-ends": archive.replace(b"\n", b"\r\n"),
        "replaced": archive.decode("utf-8", "replace").encode(),
        "utf-8": archive.decode("latin-1").encode(),
        "code page": "".join(map(code_page, archive)).encode(),
    }[damage]
    first = opened(spoilt).problems[0]
    assert (first.code, first.severity) == (f"file-as-text-{'utf-8' if damage == 'code page' else damage}", "error")
    assert first.text.endswith("Fetch the file again in binary mode.")


def code_page(byte: int) -> str:
    """The letter of a byte by Windows' code page 1252, where it has one."""
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


@pytest.mark.parametrize("start", [b"\x93NUMPY\1\0v\0", b"\x1f\x8b\x08\0\xff\xfe", b"\x80\x02\x8a\nl\xfc\x9cF"])
def test_any_file_whose_bytes_were_replaced(start: bytes) -> None:
    found = told(opened((start + b"\0\1\xf0\x9c\xf3A" * 9).decode("utf-8", "replace").encode()))
    assert (found.code, found.severity) == ("file-as-text-replaced", Severity.ERROR)
    assert "What it was is lost. Fetch the file again in binary mode." in found.text


def test_text_with_replacement_characters_is_text() -> None:
    assert told(opened("a note, \ufffd\ufffd\ufffd\ufffd\ufffd, of letters\n".encode())).code == "kind-text"


def test_a_checkpoint_behind_other_bytes() -> None:
    document = opened(b"\xff" * 8 + legacy({"a": full("float32", (1,), [1.5])}))
    found = told(document)
    assert (found.code, found.severity, found.span) == ("checkpoint-further-on", Severity.WARNING, Span(0, 8))
    assert "A checkpoint begins at byte 8" in found.text
    assert "Legacy archive" in found.text
    (child,) = document.children
    assert (child.format, child.offset, codes(child)) == ("torch-legacy", 8, [])
    assert window.read(child.tensors[0]).tolist() == [1.5]
    expected = predict(document).expectations
    assert [each.code for each in expected] == ["not-torch-inside"]
    assert "pass over 8 bytes with seek" in expected[0].text
