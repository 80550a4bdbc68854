"""`picklescope rescue` and `inspect --check`: what is written of damaged files, what is said, the exit codes."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.cli.running import inspected
from tests.core.export.reading import read_state_dict
from tests.shared import shared_files
from viewer.cli import main


def value() -> OrderedDict[str, object]:
    return OrderedDict(a=full("float32", (2, 3), range(6)), b=full("int64", (2,), [7, 8]), c=full("float32", (1,), [9]))


def rescue(capsys: pytest.CaptureFixture[str], path: Path, target: Path, *more: str) -> tuple[int, list[str]]:
    code = main(["rescue", str(path), str(target), "--no-verify", *more])
    out, err = capsys.readouterr()
    assert out == ""
    return code, err.splitlines()


def test_a_zip_cut_in_its_second_storage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = torch_zip(value())
    path, target = tmp_path / "cut.pt", tmp_path / "whole.pt"
    start = data.index((7).to_bytes(8, "little") + (8).to_bytes(8, "little"))
    path.write_bytes(data[: start + 10])
    code, lines = rescue(capsys, path, target)
    assert code == 1
    assert lines[:4] == [
        "Whole tensors: 1 of 3.",
        "Cut: b: 6 of its 16 bytes are missing.",
        "Missing: c: none of its 4 bytes is there.",
        "Tensors that are written: 1.",
    ]
    assert list(read_state_dict(target)) == ["a"]


def test_a_stream_cut_in_its_last_storage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "cut.pt", tmp_path / "whole.pt"
    path.write_bytes(legacy(value())[:-1])
    code, lines = rescue(capsys, path, target)
    assert code == 1
    assert lines[:2] == ["Whole tensors: 2 of 3.", "Cut: c: 1 of its 4 bytes are missing."]
    assert list(read_state_dict(target)) == ["a", "b"]


def test_a_whole_file_is_written_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "whole.pt", tmp_path / "again.pt"
    path.write_bytes(torch_zip(value()))
    code, lines = rescue(capsys, path, target)
    assert (code, lines[0]) == (0, "Whole tensors: 3 of 3.")
    assert list(read_state_dict(target)) == ["a", "b", "c"]


def test_several_models_are_rescued_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "two.pt", tmp_path / "whole.pt"
    one, other = OrderedDict(w=full("float32", (1,), [1])), OrderedDict(w=full("float32", (1,), [2]))
    path.write_bytes(torch_zip({"first": one, "second": other}))
    code, lines = rescue(capsys, path, target)
    assert (code, lines[0]) == (0, "Whole tensors: 2 of 2.")
    assert len(read_state_dict(target)) == 2


def test_where_nothing_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "cut.pt", tmp_path / "whole.pt"
    data = legacy(OrderedDict(a=full("float32", (2,), [1, 2])))
    path.write_bytes(data[:-4])
    code, lines = rescue(capsys, path, target)
    assert code == 2
    assert lines[0] == "Whole tensors: 0 of 1."
    assert not target.exists()


def test_a_target_that_stands_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "whole.pt", tmp_path / "again.pt"
    path.write_bytes(torch_zip(value()))
    target.write_bytes(b"mine")
    assert rescue(capsys, path, target)[0] == 2
    assert target.read_bytes() == b"mine"
    assert rescue(capsys, path, target, "--overwrite")[0] == 0


def test_changed_bytes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(torch_zip(value()))
    data[data.index((7).to_bytes(8, "little") + (8).to_bytes(8, "little"))] = 6
    path = tmp_path / "flipped.pt"
    path.write_bytes(data)
    code, lines = rescue(capsys, path, tmp_path / "whole.pt")
    assert (code, lines[0]) == (1, "Whole tensors: 3 of 3.")
    assert lines[1].startswith("The bytes of b do not fit their checksum. The record archive/data/1 states ")


def test_inspect_reads_checksums_when_asked(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    data = bytearray(torch_zip(value()))
    path = tmp_path / "flipped.pt"
    data[data.index((7).to_bytes(8, "little") + (8).to_bytes(8, "little"))] = 6
    path.write_bytes(data)
    facts, code = inspected(path, capfdbinary)
    assert (facts["problems"], code) == ([], 0)
    facts, code = inspected(path, capfdbinary, "--check")
    assert ([problem["code"] for problem in facts["problems"]], code) == (["tensor-checksum"], 1)


def test_inspect_says_how_many_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "whole.pt"
    path.write_bytes(torch_zip(value()))
    assert main(["inspect", str(path), "--check"]) == 0
    assert capsys.readouterr().err == "Records that fit their checksums: 9; records that state none: 0.\n"


@pytest.mark.parametrize("path", shared_files("samples", "C_zip_bit_flip.pt"))
def test_the_flipped_bit_of_the_sample(path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    facts, code = inspected(path, capfdbinary, "--check")
    assert code == 1
    assert [problem["code"] for problem in facts["problems"]] == ["tensor-checksum"]
    assert facts["problems"][0]["text"].startswith("The bytes of w, wt, slice do not fit their checksum.")


@pytest.mark.parametrize(
    ("case", "whole", "code"),
    [
        ("cor-zip-half", "Whole tensors: 2 of 5.", 1),
        ("cor-zip-missing-record", "Whole tensors: 3 of 4.", 1),
        ("cor-legacy-badcount", "Whole tensors: 4 of 4.", 1),
        ("cor-legacy-pickle-cut", "Whole tensors: 0 of 4.", 2),
        ("cor-zip-no-datapkl", "Whole tensors: 0 of 0.", 2),
    ],
)
def test_damaged_cases(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str, whole: str, code: int
) -> None:
    (path,) = (shared / "cases" / case).iterdir()
    found, lines = rescue(capsys, path, tmp_path / "whole.pt")
    assert (found, lines[0]) == (code, whole)
