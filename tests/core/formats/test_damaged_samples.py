"""What is said of the damaged zips of ../shared: the codes of all Problems, the worst first found."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.opened import codes, regions_tile
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.tensors.window import missing_bytes

# made by hand with Python's zipfile or from parts of a sample, so that alignment and seal are no longer torch's
REPACKED: Final = ["torch-alignment", "torch-seal"]
SAMPLES: Final = {
    "C_zip_bad_byteorder.pt": ["torch-byteorder", *REPACKED],
    "C_zip_basic.pt": [],
    "C_zip_bit_flip.pt": [],
    "C_zip_comment.pt": ["zip-end-in-comment", "torch-alignment"],
    "C_zip_crc_off.pt": ["zip-no-checksums"],
    "C_zip_deflated.pt": ["torch-deflated"],
    "C_zip_duplicate.pt": ["zip-name-twice", *REPACKED],
    "C_zip_no_data_pkl.pt": ["torch-no-object", *REPACKED],
    "C_zip_no_root.pt": ["torch-folders", "torch-alignment"],
    "C_zip_no_version.pt": ["torch-version-missing", *REPACKED],
    "C_zip_prefix_junk.pt": ["zip-prefix"],
    "C_zip_skip_data.pt": ["torch-data-skipped"],
    "C_zip_storage_long.pt": ["storage-size-differs", *REPACKED],
    "C_zip_storage_missing.pt": ["storage-record-missing", *REPACKED],
    "C_zip_storage_short.pt": ["storage-size-differs", *REPACKED],
    "C_zip_t140py2_experimental.pt": ["torch-tensors-folder"],
    "C_zip_two_roots.pt": ["torch-folders", *REPACKED, "torch-records-other"],
    "C_zip_unreferenced.pt": ["torch-unreferenced", *REPACKED, "torch-records-other"],
    "C_zip_version_0.pt": ["torch-version", *REPACKED],
    "C_zip_version_11.pt": ["torch-version", *REPACKED],
    "C_zip_version_text.pt": ["torch-version", *REPACKED],
}


def said(document: Document) -> list[str]:
    regions_tile(document)
    document.source.close()
    return codes(document)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_what_is_said_of_a_sample(shared: Path, name: str) -> None:
    assert said(open_document(shared / "samples" / name)) == SAMPLES[name]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("cor-legacy-badcount", ["storage-count-alone"]),
        ("cor-legacy-pickle-cut", ["pickle-cut", "legacy-keys-cut"]),
        ("cor-zip-missing-record", ["storage-record-missing", *REPACKED]),
        ("cor-zip-no-datapkl", ["torch-no-object", "torch-alignment"]),
    ],
)
def test_what_is_said_of_a_case(shared: Path, case: str, expected: list[str]) -> None:
    (path,) = (shared / "cases" / case).iterdir()
    assert said(open_document(path)) == expected


def test_the_half_of_a_download(shared: Path) -> None:
    (path,) = (shared / "cases" / "cor-zip-half").iterdir()
    document = open_document(path)
    assert [missing_bytes(tensor) for tensor in document.tensors] == [
        (0, 1280),
        (0, 1280),
        (580, 1280),
        (1280, 1280),
        (1280, 1280),
    ]
    assert said(document)[:2] == ["zip-record-cut-unknown", "zip-directory-missing"]
