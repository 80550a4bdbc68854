"""The lines of `inspect` on a file as a whole: what it holds, how many numbers, whether its byte order is stated."""

from __future__ import annotations

from tests.builders.legacy import legacy
from tests.builders.torch_values import adam_state_dict, full, state_dict, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.zips import Member, plain_zip
from tests.opened import opened
from viewer.cli.text_report import report
from viewer.core.summary.rows.inspection import Wanted


def lines(data: bytes) -> list[str]:
    return [line.strip() for line in report(opened(data), Wanted()).splitlines()]


def test_what_a_file_holds() -> None:
    assert "state_dict at the root" in lines(torch_zip(state_dict({"a": full("float32", (2,), [1, 2])})))
    assert "No tensors" in lines(torch_zip([]))
    step, average, square = (full("float32", (), [number]) for number in (1, 2, 3))
    said = next(line for line in lines(torch_zip(adam_state_dict([(step, average, square)]))) if "Adam" in line)
    assert "1 parameter" in said
    assert "lr 0.001" in said


def test_numbers_that_have_two_names_are_counted_once_too() -> None:
    kept = storage("float32", range(16))
    tied = {"a": tensor(kept, (4, 4)), "b": full("float32", (8,), range(8)), "c": tensor(kept, (4, 4))}
    assert "parameters: 40, 24 where each is counted once; 96 bytes" in lines(torch_zip(state_dict(tied)))
    plain = lines(torch_zip(state_dict({"b": full("float32", (8,), range(8))})))
    assert "parameters: 8; 32 bytes" in plain


def test_a_byte_order_that_is_not_stated() -> None:
    value = state_dict({"a": full("float32", (2,), [1, 2])})
    assert "little-endian, as torch takes it where the file does not say" in lines(torch_zip(value, version="1.6"))
    assert "little-endian" in lines(torch_zip(value))
    assert "big-endian" in lines(torch_zip(value, byteorder="big"))


def test_the_records_of_an_archive_without_an_object() -> None:
    members = [Member(f"m/data/{number}", bytes(4 * number)) for number in range(30)]
    found = lines(plain_zip([*members, Member("m/version", b"3\n")]))
    assert [line for line in found if line.startswith("record ")][:2] == [
        "record m/data/0: 0 bytes",
        "record m/data/1: 4 bytes",
    ]
    assert "and 11 more records" in found
    assert any("The archive has 31 records, and no data.pkl among them." in line for line in found)


def test_rows_name_the_document_in_which_their_offsets_count() -> None:
    stream = legacy({"w": full("float32", (2,), [1, 2])})
    found = lines(stream + stream)
    first, second = (line for line in found if line.startswith("w "))
    assert second == f"{first}, in document 1"
    assert sum(line.startswith("pickle object: ") and line.endswith(", in document 1") for line in found) == 1
    damaged = lines(stream + stream[:-3])
    assert any(line.startswith("error: ") and line.endswith(", in document 1]") for line in damaged)
