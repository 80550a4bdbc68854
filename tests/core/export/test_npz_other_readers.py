"""An npz for readers that know less than numpy: plain local headers, version 1.0, and a reader in C++ that is built."""

from __future__ import annotations

import io
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.torch_values import Storage, full, state_dict, storage, tensor
from tests.cases import case_facts
from tests.core.export.reading import document_of, exported
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document

COMPILER = shutil.which("g++") or shutil.which("c++")


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reader, built from its source."""
    if COMPILER is None:
        pytest.skip("no C++ compiler is here to build the reader with")
    program = tmp_path_factory.mktemp("reader") / "npz_reader"
    source = Path(__file__).with_name("npz_reader.cpp")
    command = [COMPILER, "-std=c++11", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def read_by(reader: Path, path: Path) -> list[str]:
    done = subprocess.run([reader, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def value() -> dict[str, object]:
    base = storage("float32", range(12))
    return state_dict(
        {
            "double": full("float64", (2, 2), [0.5, 1.5, 2.5, -1]),
            "turned": tensor(base, (4, 3), (1, 4)),
            "slice": tensor(base, (2, 2), (4, 1), 5),
            "half": full("float16", (2,), [1, 2]),
            "bf16": tensor(Storage("bfloat16", b"\x80\x3f\x00\xc0"), (2,)),
            "fp8": tensor(Storage("float8_e4m3fn", b"\x38\x40\xb8"), (3,)),
            "long": full("int64", (), [-(2**40)]),
            "int": full("int32", (3,), [1, 2, -4]),
            "short": full("int16", (1,), [-300]),
            "char": full("int8", (2,), [-128, 127]),
            "byte": full("uint8", (2,), [200, 55]),
            "u16": full("uint16", (1,), [65535]),
            "u32": full("uint32", (1,), [4294967295]),
            "bool": tensor(Storage("bool", b"\x01\0\x07"), (3,)),
            "c64": tensor(Storage("complex64", b"\0\0\x80?\0\0\0@"), (1,)),
            "empty": full("float32", (0, 5), []),
            "../up": full("float32", (1,), [42]),
        }
    )


READ = [
    "double <f8 (2, 2) sum 3.5 first 0.5",
    "turned <f4 (4, 3) sum 66 first 0",
    "slice <f4 (2, 2) sum 30 first 5",
    # the bits of 1 and of 2: C++ has no type for them
    "half <f2 (2,) sum 31744 first 15360",
    "bf16 <f4 (2,) sum -1 first 1",
    "fp8 <f4 (3,) sum 2 first 1",
    "long <i8 () sum -1.099511628e+12 first -1.099511628e+12",
    "int <i4 (3,) sum -1 first 1",
    "short <i2 (1,) sum -300 first -300",
    "char |i1 (2,) sum -1 first -128",
    "byte |u1 (2,) sum 255 first 200",
    "u16 <u2 (1,) sum 65535 first 65535",
    "u32 <u4 (1,) sum 4294967295 first 4294967295",
    "bool |b1 (3,) sum 2 first 1",
    "c64 <c8 (1,) sum 3 first 1",
    "empty <f4 (0, 5) sum 0 first 0",
    "__/up <f4 (1,) sum 42 first 42",
]


@pytest.mark.parametrize("byteorder", ["little", "big"])
def test_a_reader_in_cpp_reads_all_types(reader: Path, tmp_path: Path, byteorder: str) -> None:
    given = value()
    found = READ
    if byteorder == "big":
        given = {"turned": tensor(Storage("float32", np.arange(12, dtype=">f4").tobytes()), (4, 3), (1, 4))}
        found = READ[1:2]
    exported(document_of(given, byteorder=byteorder), tmp_path / "out.npz", "npz")
    assert read_by(reader, tmp_path / "out.npz") == found
    assert (tmp_path / "out.names.json").exists() == (byteorder == "little")


def test_the_reader_refuses_what_such_readers_do_not_take(reader: Path, tmp_path: Path) -> None:
    exported(document_of(value()), tmp_path / "out.npz", "npz", Wanted(deflate=True))
    np.savez(tmp_path / "numpy.npz", w=np.zeros(3, "f4"))
    for name in ("out.npz", "numpy.npz"):
        done = subprocess.run([reader, tmp_path / name], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.strip().endswith(("not stored", "no plain size"))


def test_every_header_is_as_plain_as_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "out.npz"
    exported(document_of(value()), path, "npz")
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
        assert archive.testzip() is None
    assert len(infos) == 17
    at = 0
    for info in infos:
        assert info.header_offset == at
        fixed = struct.unpack_from("<4sHHHHHIIIHH", data, at)
        assert fixed == (
            *(b"PK\x03\x04", 20, 0, 0, 0, 0x21, info.CRC, info.file_size, info.file_size, len(info.filename), 0),
        )
        assert (info.extra, info.comment, info.create_version, info.extract_version) == (b"", b"", 20, 20)
        at += 30 + len(info.filename)
        check_npy(data[at : at + info.file_size])
        at += info.file_size
    assert data[at : at + 4] == b"PK\x01\x02"
    assert b"PK\x06\x06" not in data[at:]


def check_npy(data: bytes) -> None:
    """The same header that numpy writes of this array: version 1.0, C order, little-endian, aligned to 64."""
    assert data[:8] == b"\x93NUMPY\x01\x00"
    length = int.from_bytes(data[8:10], "little")
    assert (10 + length) % 64 == 0
    array: np.ndarray[Any, np.dtype[Any]] = np.load(io.BytesIO(data), allow_pickle=False)
    again = io.BytesIO()
    np.lib.format.write_array(again, array, version=(1, 0), allow_pickle=False)
    assert again.getvalue() == data


def test_a_name_outside_ascii_says_that_it_is_utf_8(tmp_path: Path) -> None:
    exported(document_of({"gr\u00f6\u00dfe": full("uint8", (), [1])}), tmp_path / "out.npz", "npz")
    data = (tmp_path / "out.npz").read_bytes()
    assert struct.unpack_from("<H", data, 6) == (0x0800,)
    assert data[30:41] == b"gr\xc3\xb6\xc3\x9fe.npy"
    assert np.load(tmp_path / "out.npz").files == ["gr\u00f6\u00dfe"]


@pytest.mark.shared
def test_the_case_for_cpp(reader: Path, shared: Path, tmp_path: Path) -> None:
    document = open_document(shared / "cases" / "npzk-c-types" / case_facts("npzk-c-types")["open"])
    exported(document, tmp_path / "out.npz", "npz")
    lines = read_by(reader, tmp_path / "out.npz")
    assert lines[0] == "idx <i8 (3,) sum 6 first 1"
    assert lines[1] == "small <i4 (2,) sum 15 first 7"
    assert [line.partition(" sum")[0] for line in lines[2:]] == [
        "w <f4 (2, 2)",
        "d <f8 (1,)",
        "h <f2 (3,)",
        "flag |b1 (2,)",
    ]
    exported(document, tmp_path / "wide.npz", "npz", Wanted(dtype="float32"))
    assert [line.split()[1] for line in read_by(reader, tmp_path / "wide.npz")] == [
        *("<i8", "<i4", "<f4", "<f4", "<f4", "|b1"),
    ]
    document.source.close()
