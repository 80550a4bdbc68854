"""Archives that are written: torch's layout byte for byte, npz as numpy and readers of local headers want it."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typing_extensions import Buffer

from tests.builders.torch_zip import ZipWriter
from viewer.core.archive import zip_writer
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.archive.zip_writer import Entry, NpzWriter, TorchZipWriter, fold, root_for
from viewer.core.errors import ExportError
from viewer.core.progress import Progress
from viewer.core.source import FileSource, MemorySource
from viewer.core.span import Span

RECORDS = {"data.pkl": b"\x80\x02}." * 50, "data/0": bytes(range(256)) * 3, "data/1": b"", "data/2": b"x"}


def read(data: bytes) -> ZipArchive:
    return read_zip(MemorySource(data), Progress())


def written(root: str = "net", records: dict[str, bytes] = RECORDS) -> bytes:
    file = io.BytesIO()
    with TorchZipWriter(file, root) as archive:
        for name, data in records.items():
            archive.add(name, data)
    return file.getvalue()


def test_the_records_and_their_order() -> None:
    archive = read(written())
    assert list(archive.names) == [
        "net/data.pkl",
        "net/.format_version",
        "net/.storage_alignment",
        "net/byteorder",
        "net/data/0",
        "net/data/1",
        "net/data/2",
        "net/version",
        "net/.data/serialization_id",
    ]
    contents = [record.source.read(0, 999) for record in archive.records if record.source]
    assert contents[:8] == [RECORDS["data.pkl"], b"1", b"64", b"little", *list(RECORDS.values())[1:], b"3\n"]
    assert len(contents[8]) == 40
    assert archive.problems == []


def test_every_record_stands_at_a_multiple_of_64() -> None:
    archive = read(written())
    assert {record.data.start % 64 for record in archive.records} == {0}
    assert {region.kind for region in archive.regions} == {
        "zip-header",
        "padding",
        "record",
        "zip-descriptor",
        "zip-directory",
        "zip-end",
    }


def test_the_bytes_are_those_of_the_layout_written_elsewhere() -> None:
    other = ZipWriter("net")
    other.add("data.pkl", RECORDS["data.pkl"])
    for name, data in ((".format_version", b"1"), (".storage_alignment", b"64"), ("byteorder", b"little")):
        other.add(name, data)
    for name in ("data/0", "data/1", "data/2"):
        other.add(name, RECORDS[name])
    other.add("version", b"3\n")
    ours = written()
    record = read(ours).find("net/.data/serialization_id")
    assert record is not None
    assert record.source is not None
    other.add(".data/serialization_id", record.source.read(0, 40))
    assert ours == other.finish()


def test_the_second_half_of_the_id_folds_the_checksums() -> None:
    assert fold([]) == 0
    assert fold([5]) == 0x9E3779BE
    # the first step gives 0x9E3779BE; (that << 6) + (that >> 2) = 0x278DDE6F80 + 0x278DDE6F
    assert fold([5, 7]) == 0x9E3779BE ^ (7 + 0x9E3779B9 + 0x278DDE6F80 + 0x278DDE6F)
    data = written()
    seal = data[data.rindex(b"PK\x07\x08") - 20 : data.rindex(b"PK\x07\x08")]
    assert int(seal) == fold(
        zlib.crc32(part)
        for part in (RECORDS["data.pkl"], b"1", b"64", b"little", RECORDS["data/0"], RECORDS["data/2"], b"3\n")
    )


def test_equal_content_gives_equal_bytes_and_other_names_another_id() -> None:
    assert written() == written()
    first, second = (read(written(records={"data.pkl": b"x", name: b"y"})).records[-1] for name in ("data/0", "data/1"))
    assert first.source is not None
    assert second.source is not None
    assert first.source.read(0, 20) != second.source.read(0, 20)
    assert first.source.read(20, 20) == second.source.read(20, 20)


def test_a_stream_in_chunks_equals_the_whole() -> None:
    file = io.BytesIO()
    whole = RECORDS["data/0"]
    with TorchZipWriter(file, "net") as archive:
        archive.add("data.pkl", RECORDS["data.pkl"])
        chunks: list[bytes | memoryview] = [memoryview(whole)[:100], b"", whole[100:700], memoryview(whole)[700:]]
        archive.add_stream("data/0", len(whole), chunks)
        archive.add("data/1", b"")
        archive.add("data/2", memoryview(np.frombuffer(b"x", np.uint8)))
    assert file.getvalue() == written()


@pytest.mark.parametrize("writer", [TorchZipWriter, NpzWriter])
@pytest.mark.parametrize("size", [3, 5])
def test_a_source_that_changed_is_told(writer: type[TorchZipWriter] | type[NpzWriter], size: int) -> None:
    with pytest.raises(ExportError, match=f"data/0 gave 4 of {size} bytes"), writer(io.BytesIO()) as archive:
        archive.add_stream("data/0", size, [b"four"])


@pytest.mark.parametrize("writer", [TorchZipWriter, NpzWriter])
def test_a_name_is_used_once(writer: type[TorchZipWriter] | type[NpzWriter]) -> None:
    with writer(io.BytesIO()) as archive:
        archive.add("data/0", b"1")
        with pytest.raises(ValueError, match="a record data/0 was written before"):
            archive.add("data/0", b"2")


@pytest.mark.parametrize("writer", [TorchZipWriter, NpzWriter])
def test_an_exception_leaves_no_archive_behind(writer: type[TorchZipWriter] | type[NpzWriter], tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"1234"
        raise InterruptedError

    with (tmp_path / "target").open("wb") as file, pytest.raises(InterruptedError), writer(file) as archive:
        archive.add_stream("data/0", 8, broken())


class Sparse(io.BytesIO):
    """Takes gigabytes of zeros by stepping over them; everything else stands in `parts` with its place."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[tuple[int, bytes]] = []
        self.at = 0

    def write(self, data: Buffer, /) -> int:
        view = memoryview(data)
        if len(view) < 4096:
            self.parts.append((self.at, bytes(view)))
        self.at += len(view)
        return len(view)

    def seek(self, at: int, whence: int = 0, /) -> int:
        self.at = at
        return at


def test_records_and_offsets_beyond_4_gib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the checksum of the zeros is not the point here, and would take seconds
    monkeypatch.setattr(zip_writer, "crc32", lambda data, crc=0: len(data) & 0xFF)
    zeros = memoryview(bytes(2**26))
    file = Sparse()
    with TorchZipWriter(file, "a") as archive:
        archive.add("data.pkl", b"p")
        archive.add_stream("data/0", 5 * 2**30, (zeros for _ in range(80)))
        archive.add("data/1", b"behind")
    path = tmp_path / "sparse"
    with path.open("wb") as target:
        target.truncate(file.at)
        for at, data in file.parts:
            target.seek(at)
            target.write(data)
    source = FileSource(path)
    read_back = read_zip(source, Progress())
    big, behind = read_back.records[4], read_back.records[5]
    assert (big.size, big.data.length) == (5 * 2**30, 5 * 2**30)
    assert big.data.start % 64 == 0
    assert behind.data.start > 5 * 2**30
    assert source.read(behind.data.start, 6) == b"behind"
    descriptors = [region.span.length for region in read_back.regions if region.kind == "zip-descriptor"]
    assert descriptors == [16, 16, 16, 16, 24, 24, 24, 24]
    assert read_back.problems == []
    # sizes in the local header stay 0; the zip64 field has the size and 0, or the header's own offset
    assert big.header is not None
    assert behind.header is not None
    header = source.read(big.header.start, 60)
    assert header[14:26] == bytes(12)
    assert header[38:58] == struct.pack("<HHQQ", 1, 16, 5 * 2**30, 0)
    assert source.read(behind.header.start, 60)[38:50] == struct.pack("<HHQ", 1, 8, behind.header.start)
    with zipfile.ZipFile(path) as other:
        assert other.getinfo("a/data/0").file_size == 5 * 2**30
        assert other.getinfo("a/data/1").header_offset == behind.header.start
    source.close()


def test_more_records_than_16_bits_count() -> None:
    entries = zip_writer.end_records(70_000, 100, 200)
    assert entries[:56] == struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 0x31E, 45, 0, 0, 70_000, 70_000, 200, 100)
    assert entries[-22:] == struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 200, 100, 0)


def test_the_directory_states_only_what_overflows_in_its_zip64_field() -> None:
    entry = zip_writer.directory_entry(Entry(b"x", 2**32, 10, 7))
    assert entry[20:28] == struct.pack("<II", 10, 10)
    assert entry[42:] == struct.pack("<I", 0xFFFFFFFF) + b"x" + struct.pack("<HHQ", 1, 8, 2**32)


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("/some/where/best.model.pt", "best.model"),
        ("C:\\models\\net.pth", "net"),
        ("plain", "plain"),
        ("модель.pt", "archive"),
        (".pt", "archive"),
        ("", "archive"),
        ("..", "archive"),
    ],
)
def test_the_root_is_the_name_of_the_file(path: str, root: str) -> None:
    assert root_for(path) == root


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def test_numpy_reads_the_npz(tmp_path: Path) -> None:
    arrays = {"weight": np.arange(12, dtype="<f4").reshape(3, 4), "layer/bias": np.array(7, "<i8")}
    path = tmp_path / "x.npz"
    with path.open("wb") as file, NpzWriter(file) as archive:
        for name, array in arrays.items():
            data = npy(array)
            archive.add_stream(f"{name}.npy", len(data), (data[at : at + 50] for at in range(0, len(data), 50)))
    with np.load(path, allow_pickle=False) as loaded:
        assert sorted(loaded.files) == ["layer/bias", "weight"]
        assert np.array_equal(loaded["weight"], arrays["weight"])
        assert loaded["layer/bias"] == 7
    with zipfile.ZipFile(path) as other:
        assert other.testzip() is None


def test_local_headers_of_an_npz_state_their_sizes() -> None:
    file = io.BytesIO()
    with NpzWriter(file) as archive:
        archive.add("a.npy", b"12345678")
        archive.add("b.npy", b"")
    data = file.getvalue()
    fixed = struct.unpack("<4sHHHHHIIIHH", data[:30])
    assert fixed == (b"PK\x03\x04", 20, 0, 0, 0, 0x21, 0x9AE0DAAF, 8, 8, 5, 0)
    assert data[30:43] == b"a.npy12345678"
    assert data[43:47] == b"PK\x03\x04"
    archive_read = read(data)
    assert archive_read.records[0].data == Span(35, 43)
    assert archive_read.problems == []


@pytest.mark.parametrize(
    ("size", "is_large"), [(3 * 2**30, False), (2**32 - 2**26, False), (2**32, True), (5 * 2**30, True)]
)
def test_zip64_in_an_npz_only_where_it_is_needed(monkeypatch: pytest.MonkeyPatch, size: int, is_large: bool) -> None:
    # the checksum of the zeros is not the point here, and would take seconds
    monkeypatch.setattr(zip_writer, "crc32", lambda data, crc=0: len(data) & 0xFF)
    zeros = memoryview(bytes(2**26))
    file = Sparse()
    with NpzWriter(file) as archive:
        archive.add_stream("a.npy", size, (zeros for _ in range(size // 2**26)))
        archive.add("b.npy", b"behind")
    headers = [data for at, data in file.parts if at == 0]
    # once before the elements, once when their checksum is known
    assert len(headers) == 2
    fields = struct.unpack("<4sHHHHHIIIHH", headers[1][:30])
    if is_large:
        assert (fields[1], fields[7:]) == (45, (0xFFFFFFFF, 0xFFFFFFFF, 5, 20))
        assert headers[1][30:] == b"a.npy" + struct.pack("<HHQQ", 1, 16, size, size)
    else:
        assert (fields[1], fields[7:]) == (20, (size, size, 5, 0))
        assert headers[1][30:] == b"a.npy"
    start = size + len(headers[0])
    second = [data for at, data in file.parts if at == start]
    assert struct.unpack("<4sHHHHHIIIHH", second[-1][:30])[7:] == (6, 6, 5, 0)
    tail = b"".join(data for at, data in file.parts if at >= start + 41)
    offset = b"b.npy" + struct.pack("<HHQ", 1, 8, start) if start >= 2**32 - 1 else b"b.npy"
    assert offset in tail
    assert (b"PK\x06\x06" in tail) == (start + 41 >= 2**32 - 1)


def test_deflated_members_of_an_npz_state_both_sizes() -> None:
    file = io.BytesIO()
    with NpzWriter(file, deflated=True) as archive:
        archive.add_stream("a.npy", 20_000, [bytes(10_000), bytes(10_000)])
        archive.add("b.npy", b"")
    data = file.getvalue()
    fields = struct.unpack("<4sHHHHHIIIHH", data[:30])
    assert (fields[2], fields[3], fields[8], fields[10]) == (0, 8, 20_000, 0)
    assert 20 < fields[7] < 100
    assert data[35 + fields[7] :][:4] == b"PK\x03\x04"
    with zipfile.ZipFile(io.BytesIO(data)) as other:
        assert other.read("a.npy") == bytes(20_000)
        assert other.read("b.npy") == b""
        assert other.testzip() is None
    assert read(data).problems == []


def test_more_members_than_16_bits_count() -> None:
    file = io.BytesIO()
    with NpzWriter(file) as archive:
        for number in range(70_000):
            archive.add(f"{number}.npy", b"")
    with zipfile.ZipFile(file) as other:
        assert len(other.namelist()) == 70_000
