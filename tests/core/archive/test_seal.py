"""The seal of an archive is what torch makes of its CRC fields."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import pytest

from tests.builders.torch_values import full
from tests.builders.torch_zip import ZipWriter, torch_zip
from tests.opened import codes, opened
from tests.shared import shared_files
from viewer.core.archive.seal import fold, read_seal
from viewer.core.opening import open_document


def test_the_fold_of_nothing_and_of_one_record() -> None:
    assert fold([]) == 0
    assert fold([0x3610A686]) == 0xD448203F


def test_the_order_of_the_records_counts() -> None:
    assert fold([1, 2]) != fold([2, 1])
    assert fold([0] * 50) < 2**64


@pytest.mark.parametrize("text", [b"", b"12", b"x" * 40, b"1" * 41])
def test_what_is_no_seal(text: bytes) -> None:
    assert read_seal(text, []) is None


def test_half_of_the_digits_are_compared() -> None:
    seal = read_seal(b"9" * 20 + b"00000000003561496639", [0x3610A686])
    assert seal is not None
    assert (seal.stated, seal.whole) == (3561496639, True)


def test_an_archive_with_another_checksum_was_changed() -> None:
    data = torch_zip(OrderedDict(a=full("float32", (4,), range(4))))
    assert codes(opened(data)) == []
    entry = data.rindex(b"archive/data/0") - 46
    changed = bytearray(data)
    changed[entry + 16] ^= 1
    assert codes(opened(bytes(changed))) == ["zip-descriptor", "torch-seal"]


def test_a_seal_of_another_form() -> None:
    data = torch_zip(OrderedDict(a=full("float32", (4,), range(4))))
    start = data.index(b".data/serialization_id") + 22
    digit = next(at for at in range(start, len(data)) if data[at : at + 40].isdigit())
    assert codes(opened(data[:digit] + b"x" + data[digit + 1 :])) == ["torch-seal-form"]


@pytest.mark.parametrize(("change", "found"), [(0, []), (1, ["torch-seal"])])
def test_an_exported_program_has_a_seal_too(change: int, found: list[str]) -> None:
    writer = ZipWriter("model")
    records = {"models/model.json": b"{}", "archive_format": b"pt2", "archive_version": b"0", ".data/version": b"6"}
    for name, data in records.items():
        writer.add(name, data)
    writer.add(".data/serialization_id", f"{int(writer.seal) + change:040d}".encode())
    document = opened(writer.finish())
    assert document.format == "torch-export"
    assert [code for code in codes(document) if code.startswith("torch-")] == found


@pytest.mark.parametrize(("name", "changed"), [("E_export.pt2", True), ("E_aoti.pt2", True), ("F_package.pt", False)])
def test_programs_that_were_changed_since(shared: Path, name: str, changed: bool) -> None:
    document = open_document(shared / "samples" / name)
    assert ("torch-seal" in codes(document)) is changed
    document.source.close()


@pytest.mark.parametrize("path", shared_files("samples", "[FJK]_*"))
def test_what_torch_saved_keeps_its_seal(path: Path) -> None:
    document = open_document(path)
    assert not {"torch-seal", "torch-seal-form"} & set(codes(document))
    document.source.close()
