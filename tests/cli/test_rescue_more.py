"""`picklescope rescue` of files that are cut in every kind of place: what is written, what is said, what stays."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from tests.builders.legacy import legacy
from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import full
from tests.builders.torch_zip import ZipWriter, torch_zip
from tests.core.export.reading import read_state_dict
from viewer.cli import main
from viewer.core.opening import open_document
from viewer.core.tensors import window


def value() -> OrderedDict[str, object]:
    return OrderedDict(a=full("float32", (2, 3), range(6)), b=full("int64", (2,), [7, 8]), c=full("float32", (1,), [9]))


def rescue(
    capsys: pytest.CaptureFixture[str], data: bytes, folder: Path, *more: str
) -> tuple[int, list[str], list[str]]:
    """Exit code, lines on stderr, names in the result; nothing else may lie in the folder."""
    path, target = folder / "damaged", folder / "whole.pt"
    path.write_bytes(data)
    code = main(["rescue", str(path), str(target), "--no-verify", *more])
    out, err = capsys.readouterr()
    assert out == ""
    assert path.read_bytes() == data
    assert {one.name for one in folder.iterdir()} <= {"damaged", "whole.pt"}
    assert target.exists() == (code != 2)
    return code, err.splitlines(), list(read_state_dict(target)) if code != 2 else []


def test_every_cut_of_a_zip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = torch_zip(value())
    ends = [data.index(bytes(np.arange(6, dtype="<f4"))) + 24]
    ends.append(data.index((7).to_bytes(8, "little") + (8).to_bytes(8, "little")) + 16)
    ends.append(data.index(np.float32(9).tobytes(), ends[1]) + 4)
    for number, end in enumerate(ends):
        for at in (end - 1, end, end + 5):
            (tmp_path / "whole.pt").unlink(missing_ok=True)
            code, lines, names = rescue(capsys, data[:at], tmp_path)
            whole = "abc"[: number + (at >= end)]
            assert (code, "".join(names)) == ((1, whole) if whole else (2, ""))
            assert lines[0] == f"Whole tensors: {len(whole)} of 3."


def test_the_values_that_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rescue(capsys, legacy(value())[:-1], tmp_path)
    tensors = open_document(tmp_path / "whole.pt").tensors
    assert [window.read(tensor).tolist() for tensor in tensors] == [[[0, 1, 2], [3, 4, 5]], [7, 8]]


def test_a_gzip_that_is_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = np.random.default_rng(3).standard_normal(3000).astype("<f4")
    values = OrderedDict(a=full("float32", (3000,), chance.tolist()), b=full("float32", (3000,), chance[::-1].tolist()))
    packed = gzip.compress(torch_zip(values))
    code, lines, names = rescue(capsys, packed[: len(packed) * 3 // 4], tmp_path)
    assert (code, names) == (1, ["a"])
    assert lines[0] == "Whole tensors: 1 of 2."
    assert lines[1].startswith("Cut: b: ")


def test_an_npz_whose_compressed_array_is_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = BytesIO()
    noise = np.random.default_rng(4).integers(0, 256, 5000, dtype=np.uint8)
    np.savez_compressed(file, first=noise, second=noise[::-1])
    data = file.getvalue()
    code, lines, names = rescue(capsys, data[: data.index(b"second.npy") + 3000], tmp_path)
    assert (code, names) == (1, ["first"])
    assert lines[0] == "Whole tensors: 1 of 2."
    assert lines[1].startswith("Cut: ")


def test_a_safetensors_file_that_is_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = safetensors({"a": entry("F32", [2], 0, 8), "b": entry("I64", [2], 8, 24)}, bytes(24))
    code, lines, names = rescue(capsys, data[:-9], tmp_path)
    assert (code, names) == (1, ["a"])
    assert lines[1] == "Cut: b: 9 of its 16 bytes are missing."


def test_a_type_that_is_not_known_is_not_called_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = torch_zip(value()).replace(b"LongStorage", b"LonkStorage")
    code, lines, names = rescue(capsys, data, tmp_path)
    assert (code, names) == (1, ["a", "c"])
    assert lines[:2] == ["Whole tensors: 2 of 3.", "Unknown: b: its type or its shape cannot be read."]


def test_metadata_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = torch_zip({"state_dict": value(), "mean": full("float32", (2,), [1, 2]), "epoch": 3})
    code, lines, names = rescue(capsys, data, tmp_path)
    assert (code, names) == (0, ["a", "b", "c"])
    (line,) = [line for line in lines if line.startswith("Whole, and no part")]
    assert line == "Whole, and no part of what is written: 1 (mean). `picklescope export` writes them."


def test_a_lost_object_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    writer = ZipWriter()
    writer.add("data.pkl", b"\xff not a pickle")
    writer.add("data/0", bytes(16))
    code, lines, _ = rescue(capsys, writer.finish(), tmp_path)
    assert code == 2
    assert len([line for line in lines if line.startswith("picklescope: ")]) == 1


def test_never_over_the_open_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "damaged"
    data = torch_zip(value())[:-10]
    path.write_bytes(data)
    (tmp_path / "link").symlink_to(path)
    for target in (path, tmp_path / "link", tmp_path / "." / "damaged"):
        assert main(["rescue", str(path), str(target), "--overwrite", "--no-verify"]) == 2
    assert path.read_bytes() == data
    assert "picklescope: " in capsys.readouterr().err


@pytest.mark.torch
def test_the_result_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "damaged", tmp_path / "whole.pt"
    path.write_bytes(torch_zip(value())[:-500])
    assert main(["rescue", str(path), str(target)]) == 1
    assert "Verified: torch" in capsys.readouterr().err
