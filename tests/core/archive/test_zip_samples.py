"""The archives of ../shared: names and contents as Python's zipfile has them, wherever it opens them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.core.archive.test_zip_reader import check_tiling, codes, content
from tests.shared import SHARED, shared_files
from viewer.core.archive.inflated import InflatedSource
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.progress import Progress
from viewer.core.source import FileSource

BASIC = [
    "archive/data.pkl",
    "archive/.format_version",
    "archive/.storage_alignment",
    "archive/byteorder",
    *(f"archive/data/{key}" for key in range(6)),
    "archive/version",
    "archive/.data/serialization_id",
]
PATTERNS = ("[CDEFJKM]_*", "I_*.npz", "L_*")


def archives() -> list[object]:
    found = [item for pattern in PATTERNS for item in shared_files("samples", pattern)]
    found += shared_files("tricks", "*.pt") + shared_files("corpus", "*") + shared_files("corpus/hostile", "*.zip")
    return found + shared_files("cases", "*/*")


def opened(path: Path) -> ZipArchive:
    return read_zip(FileSource(path), Progress())


@pytest.mark.parametrize("path", archives())
def test_as_zipfile_reads_them(path: Path) -> None:
    archive = opened(path)
    check_tiling(archive)
    try:
        other = zipfile.ZipFile(path)
    except zipfile.BadZipFile:
        archive.source.close()
        return
    with other:
        infos = other.infolist()
        assert list(archive.names) == [info.orig_filename for info in infos]
        for info, record in zip(infos, archive.records, strict=True):
            assert (record.size, record.crc, record.method) == (info.file_size, info.CRC, info.compress_type)
            try:
                expected = other.read(info)
            except (zipfile.BadZipFile, RuntimeError):
                continue
            assert record.source is not None
            assert record.source.read(0, record.size + 1) == expected
            assert not isinstance(record.source, InflatedSource) or not record.source.problems
    archive.source.close()


@pytest.fixture
def sample(shared: Path) -> Path:
    return shared / "samples"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("C_zip_basic.pt", []),
        ("C_zip_comment.pt", ["zip-end-in-comment"]),
        ("C_zip_bad_local_sig.pt", ["zip-header-signature"]),
        ("C_zip_duplicate.pt", ["zip-name-twice"]),
        ("C_zip_prefix_junk.pt", ["zip-prefix"]),
        ("C_zip_offset.bin", ["zip-prefix"]),
        ("C_zip_suffix_junk.pt", ["zip-trailing"]),
        ("C_zip_trunc_cd.pt", ["zip-directory-missing"]),
        ("C_zip_trunc_eocd.pt", ["zip-directory-cut"]),
        ("C_zip_trunc_storage.pt", ["zip-record-cut-unknown", "zip-directory-missing"]),
        ("C_zip_trunc_pkl.pt", ["zip-record-cut-unknown", "zip-directory-missing"]),
        ("D_trunc.pt", ["zip-header-cut", "zip-directory-missing"]),
        ("L_zip_encrypted_flag.pt", ["zip-encrypted"]),
        ("L_zip_empty.pt", []),
        ("C_zip_deflated.pt", []),
        ("C_zip_force_zip64.pt", []),
        ("C_zip_align_4096.pt", []),
        ("C_zip_crc_off.pt", []),
    ],
)
def test_what_is_said_of_them(sample: Path, name: str, expected: list[str]) -> None:
    assert codes(opened(sample / name)) == expected


@pytest.mark.parametrize(
    "name", ["C_zip_comment.pt", "C_zip_trunc_cd.pt", "C_zip_trunc_eocd.pt", "C_zip_bad_local_sig.pt"]
)
def test_those_that_zipfile_refuses_are_whole(sample: Path, name: str) -> None:
    basic, archive = opened(sample / "C_zip_basic.pt"), opened(sample / name)
    assert list(archive.names) == BASIC
    assert archive.root == "archive"
    for record in basic.names[4:10]:
        key = record.rpartition("/")[2]
        assert content(archive, f"archive/data/{key}") == content(basic, record)


def test_the_cut_storage_has_20_of_48_bytes(sample: Path) -> None:
    archive = opened(sample / "C_zip_trunc_storage.pt")
    assert [record.name for record in archive.records] == BASIC[:5]
    assert [record.extra for record in archive.records] == [{}, {}, {}, {}, {"cut": True}]
    assert archive.records[4].size == 20


def test_half_a_download(shared: Path) -> None:
    archive = opened(shared / "cases" / "cor-zip-half" / "sd-v1-4.ckpt")
    cut = archive.records[-1]
    assert (cut.name, cut.size, cut.extra) == ("full/data/2", 700, {"cut": True})
    assert "central directory" in archive.problems[-1].text


def test_a_folder_name_of_another_code_page(shared: Path) -> None:
    archive = opened(shared / "cases" / "path-folder-bytes" / "gbk_name.pth")
    raw = archive.records[0].extra["raw_name"]
    assert isinstance(raw, bytes)
    assert raw.partition(b"/")[0].hex() == "cdf8c2e7"
    assert codes(archive) == ["zip-name-coding"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("50_zip_plain_bad.pt", []),
        ("51_zip_deflated.pt", []),
        ("53_zip_other_ext.pt", []),
        ("55_zip_crc_central.pt", ["zip-local-facts"]),
        ("58_zip_local_name.pt", ["zip-local-name"]),
        ("61_pickle_then_zip.pt", ["zip-prefix"]),
        ("64_trunc_zip.pt", ["zip-directory-cut"]),
    ],
)
def test_archives_that_are_built_to_mislead(shared: Path, name: str, expected: list[str]) -> None:
    archive = opened(shared / "tricks" / name)
    assert codes(archive) == expected
    assert b"getcwd" in content(archive, "a/data.pkl") or name == "53_zip_other_ext.pt"


def test_the_folder_is_where_it_should_be() -> None:
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared is absent, so its files could not be tried")
    assert len(list((SHARED / "samples").glob("C_zip_*"))) == 62
