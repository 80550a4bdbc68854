"""What a file is, by its bytes: every kind from a few bytes that are written here."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.torch_zip import torch_zip
from tests.builders.zips import Member, plain_zip
from viewer.core.formats.recognition import Guess, recognise, zip_kind
from viewer.core.source import ByteSource, MemorySource

MAGIC = bytes.fromhex("80028a0a6cfc9c46f9206aa850192e")
TAR_NAMES = ("sys_info", "pickle", "tensors", "storages")


def kind(data: bytes) -> str:
    return recognise(MemorySource(data)).format


def guess(data: bytes) -> Guess:
    return recognise(MemorySource(data))


def tar(*names: str) -> bytes:
    """Members of 3 bytes."""
    data = b""
    for name in names:
        head = struct.pack(
            "<100s8s8s8s12s12s8x1s100s6s2s247x",
            name.encode(),
            b"0000644",
            b"0",
            b"0",
            b"3",
            b"0",
            b"0",
            b"",
            b"ustar",
            b"00",
        )
        total = sum(head) + 8 * 32
        data += head[:148] + b"%06o\0 " % total + head[156:] + b"abc".ljust(512, b"\0")
    return data + bytes(1024)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "empty"),
        (b"\0", "zeros"),
        (bytes(5000), "zeros"),
        (bytes(512) + b"tail", "zeros"),
        (bytes(100) + b"tail", "unknown"),
        (plain_zip([]), "zip"),
        (b"PK\x07\x08" + plain_zip([Member("a", b"b")]), "zip"),
        (b"PK\x03\x04 and no more", "zip"),
        (MAGIC, "torch-legacy"),
        (MAGIC.replace(b"\x80\x02", b"\x80\x03"), "torch-legacy"),
        (b"\x80\x04\x95\x0d" + bytes(7) + MAGIC[2:-1] + b"\x94.", "torch-legacy"),
        (b"\x80\x05\x95\x0d" + bytes(7) + MAGIC[2:], "torch-legacy"),
        (b"L119547037146038801333356L\n.", "torch-legacy"),
        (MAGIC[:9], "torch-legacy"),
        (MAGIC[:4], "pickle"),
        (MAGIC.replace(b"\x6c", b"\x6d"), "pickle"),
        (tar("a.txt"), "tar"),
        (tar(*TAR_NAMES), "torch-tar"),
        (tar(*(f"./{name}" for name in TAR_NAMES)), "torch-tar"),
        (tar("x", "y").replace(b"ustar\0" + b"00", bytes(8)), "unknown"),
        (gzip.compress(b"x", mtime=0), "gzip"),
        (bz2.compress(b"x"), "bz2"),
        (bz2.compress(b""), "bz2"),
        (b"BZh9 is how I begin a letter", "text"),
        (lzma.compress(b"x"), "xz"),
        (lzma.compress(b"x" * 50, lzma.FORMAT_ALONE), "xz"),
        *((zlib.compress(b"data" * 9, level), "zlib") for level in (0, 1, 6, 9)),
        (b"x^2 + y^2 = z^2", "text"),
        (b"\x28\xb5\x2f\xfd\x00", "zstd"),
        (b"\x04\x22\x4d\x18\x00", "lz4"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"Rar!\x1a\x07\x01\x00", "rar"),
        (b"\x93NUMPY\x01\x00", "npy"),
        (b"GGUF\x03\x00\x00\x00", "gguf"),
        (b"\x89HDF\r\n\x1a\n", "hdf5"),
        (bytes(2048) + b"\x89HDF\r\n\x1a\n", "hdf5"),
        (bytes(700) + b"\x89HDF\r\n\x1a\n", "zeros"),
        (b"\x18\x00\x00\x00TFL3", "flatbuffer"),
        (b"\x18\x00\x00\x00PTMF", "flatbuffer"),
        (b"\x18\x00\x00\x00ET12", "flatbuffer"),
        (b"\x04\0\0\0\x01\0\0\0\x03\0\0\0V 1\x11\0\0\0torch.FloatTensor", "lua-t7"),
        (b"\x03\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0a", "lua-t7"),
        (b"4\n1\n3\nV 1\n17\ntorch.FloatTensor\n", "lua-t7"),
        (b"\x02" + bytes(7) + b"{}", "safetensors"),
        (b"\x40" + bytes(7) + b'  {"a": {"dtype": "F32"', "safetensors"),
        (b"\x05" + bytes(7) + b"[1,2]", "safetensors"),
        (bytes(5) + b"\x01\0\0{}", "safetensors"),
        (struct.pack("<4q", 5, 32, 123, 7), "unknown"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 3\n", "git-lfs-pointer"),
        (b"<!DOCTYPE html><p>", "html"),
        (b"\xef\xbb\xbf \n<HTML lang=en>", "html"),
        (b'<?xml version="1.0"?>\n<!-- x --><html xmlns="x">', "html"),
        ("<html><title>Größe</title>".encode("utf-16"), "html"),
        (b'<?xml version="1.0"?><Error/>', "xml"),
        (b"<Error><Code>NoSuchKey</Code></Error>", "xml"),
        (b"<3 this is text", "text"),
        (b'{"a": [1, 2]}', "json"),
        (b"[1, 2]\n", "json"),
        (b"[" * 40_000, "text"),
        (b"{braces} of another kind", "text"),
        (b'{"metadata": {}, "weight_map": {"a": "b"}}', "sharded-index"),
        (b"Entry not found\n", "text"),
        ("Datei nicht gefunden: größer".encode(), "text"),
        (b"\x80\x02}q\x00.", "pickle"),
        (b"\x80\x05N.", "pickle"),
        (b"\x80\x09N.", "pickle"),
        (b"\x80\x77 and so on \xff", "unknown"),
        (b"(dp0\nS'a'\np1\nI1\ns.", "pickle"),
        (b"cposix\nsystem\n(S'x'\ntR.", "pickle"),
        (b"I1\n.", "pickle"),
        (b"N. B. this is no pickle", "text"),
        (b"}q\x01U\x01aK\x01s.", "pickle"),
        (b"ZF0x1a             x\x9c", "joblib"),
        (b"\x80\x04cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81.", "joblib"),
        (b"\x08\x08\x12\x07pytorch\x1a\x062.13.0:\x02\x12\x00B\x02\x10\x12", "onnx"),
        (b"\x0a\x04net1\xa2\x06\x05\n\x03abc", "foreign"),
        (b"\x0a\x44 not a message \xff\xff\xff", "unknown"),
        (b"\x81\xa6params\x81\xa1w\xc0", "foreign"),
        (b"\x82\xff", "unknown"),
        (bytes(40) + bytes.fromhex("57fb808b247547db"), "foreign"),
        (random.Random(1).randbytes(3000), "unknown"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[:12].hex(),
)
def test_kinds(data: bytes, expected: str) -> None:
    assert kind(data) == expected


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"\x7fELF", "ELF program or library"),
        (b"%PDF-1.7", "PDF document"),
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"SQLite format 3\x00", "SQLite database"),
        (b"PAR1", "Parquet file"),
        (b"ARROW1", "Arrow file"),
        (b"lmgg\x01", "old GGML model"),
    ],
)
def test_foreign_kinds_have_a_name(start: bytes, name: str) -> None:
    assert guess(start + bytes(30)) == Guess("foreign", name)


def test_a_pointer_gives_the_real_file() -> None:
    oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"
    text = f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 134217728\n"
    assert guess(text.encode()).params == {"oid": oid, "size": 134217728}


def test_titles_and_errors_are_told() -> None:
    page = guess(b"<html><head><TITLE>\n Too   many &amp; more </TITLE>")
    assert (page.detail, page.params) == ("Too many & more", {"title": "Too many & more"})
    assert guess(b"<html>no title").params == {}
    assert guess(b"<Error><Code>AccessDenied</Code></Error>").detail == "AccessDenied"
    assert guess(b'{"error": "Repository not found"}').detail == "Repository not found"
    assert guess(b'{"error": {"code": 4}, "message": "gone"}').detail == "gone"
    assert guess(json.dumps({"error": "x" * 999}).encode()).detail == "x" * 199 + "…"
    assert guess(b"gAKKCmz8nEb5IGqoUBkugAJN").detail == "base64 of a legacy stream"


def test_leading_zeros_are_counted() -> None:
    assert guess(bytes(6144) + b"\x01" * 2856).params == {"count": 6144}
    assert guess(bytes(3 * 2**20 + 7) + b"\x01").params == {"count": 3 * 2**20 + 7}


def test_text_that_went_through_a_conversion() -> None:
    stream = MAGIC + b"\x80\x02M\xe9\x03."
    assert guess(stream.replace(b"\n", b"\r\n")).params == {"damage": "line-ends"}
    assert guess(stream.decode("latin-1").encode()).params == {"damage": "utf-8"}


def test_a_stream_behind_other_bytes() -> None:
    assert guess(b"\xff" * 8 + MAGIC + bytes(20)) == Guess("unknown", None, {"inside": "torch-legacy", "offset": 8})


def test_the_protocol_of_a_pickle() -> None:
    assert guess(b"\x80\x03N.").params == {"protocol": 3}
    assert guess(b"(dp0\n.").params == {"protocol": 0}
    assert guess(b"]q\x00.").params == {"protocol": 1}


def test_zips_that_do_not_begin_as_zips() -> None:
    data = torch_zip({"a": 1})
    assert kind(data) == "torch-zip"
    assert kind(b"#!junk\xff" + data) == "torch-zip"
    assert kind(b"PQ" + data[2:]) == "torch-zip"
    assert kind(data[: len(data) // 2]) == "torch-zip"
    assert kind(bytes(1000) + data) == "torch-zip"
    # a pickle comes first: what follows it is found when it has been read
    assert kind(b"\x80\x02N." + data) == "pickle"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["m/data.pkl", "m/data/0", "m/version"], "torch-zip"),
        (["data.pkl", "data/0"], "torch-zip"),
        (["m/byteorder", "m/data/0", "m/version"], "torch-zip"),
        (["m/version", "m/code/__torch__.py", "m/data.pkl"], "torchscript"),
        (["m/data.pkl", "m/constants.pkl"], "torchscript"),
        (["m/data.pkl", "m/constants.pkl", "m/bytecode.pkl"], "torch-mobile"),
        (["m/version", "m/code/m.py", "m/tensors/0", "m/model.json"], "torchscript-json"),
        (["m/model.json"], "zip"),
        (["m/archive_format", "m/models/model.json", "m/data/weights/weight_0"], "torch-export"),
        (["serialized_exported_program.json", "version"], "torch-export-json"),
        (["p/.data/extern_modules", "p/model/model.pkl", "p/.data/ts_code/0/constants.pkl"], "torch-package"),
        (["a.npy", "layer/b.npy"], "npz"),
        (["a.npy", "notes.txt"], "npz"),
        (["a.npy", "1.txt", "2.txt"], "zip"),
        (["metadata.json", "config.json", "model.weights.h5"], "keras"),
        (["[Content_Types].xml", "word/document.xml"], "foreign"),
        (["model.pt"], "zip"),
        (["m/deep/data.pkl", "m/deep/data/0"], "torch-zip"),
        (["m/one/data.pkl", "m/two/data.pkl"], "zip"),
        ([], "zip"),
    ],
)
def test_the_kind_of_a_zip_by_its_members(names: list[str], expected: str) -> None:
    assert zip_kind(names) == expected


def test_little_is_read() -> None:
    class Counted(ByteSource):
        size = 2**40
        read_bytes = 0

        def read(self, offset: int, length: int) -> bytes:
            self.read_bytes += length
            return b"\x01" * min(length, max(0, self.size - offset))

    source = Counted()
    assert recognise(source).format == "unknown"
    assert source.read_bytes < 512 * 1024


@given(st.binary(max_size=200))
def test_any_bytes_have_a_kind(data: bytes) -> None:
    assert kind(data)


STARTS = (
    b"\x08\x08\x12",
    b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\x78\x9c",
    b"PK\x03\x04",
    b"{",
    b"\xde\x00",
    b"\x80\x7f",
)


@given(st.sampled_from(STARTS), st.binary(max_size=80))
def test_starts_of_kinds_and_anything_behind(start: bytes, data: bytes) -> None:
    assert kind(start + data)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["net/data.pkl", "net/data/0"], "torch-zip"),
        (["net/data/0", "net/data/1"], "torchscript"),
        (["net/version", "net/tensors/0"], "torchscript-json"),
        (["net/.data/0.storage", "net/.data/ts_code/0/data.pkl"], "torch-package"),
        (["net/data/weights/weight_0", "archive/data.pkl"], "torch-export"),
        (["net/data/images"], "zip"),
    ],
)
def test_a_zip_whose_last_members_are_lost(names: list[str], expected: str) -> None:
    data = plain_zip([Member(name, b"12345678") for name in names])
    assert kind(data[: data.index(b"PK\x01\x02")]) == expected


def test_a_zip_without_directory_and_with_a_damaged_beginning() -> None:
    data = torch_zip({"a": 1})
    cut = data[: data.index(b"PK\x01\x02")]
    assert kind(b"PX" + cut[2:]) == "torch-zip"
    assert kind(b"in front of it" + cut) == "torch-zip"
    assert kind(b"PK\x03\x05" + bytes(100)) == "unknown"
    assert kind(b"\xfePK\x03\x04 these are no fields of a header: 1234567890") == "unknown"
