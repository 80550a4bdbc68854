"""Bytes as they are: the file, regions of it, and what records hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.core.export.reading import exported
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

VALUE = state_dict({"w": full("float32", (2,), [1, 2])})


def document(deflated: bool = False) -> Document:
    return open_document(MemorySource(torch_zip(VALUE, root="m", deflated=deflated)))


@pytest.mark.parametrize("root", ["0x10+16", "16+0x10", "016+0016"])
def test_a_region(tmp_path: Path, root: str) -> None:
    whole = torch_zip(VALUE, root="m")
    report = exported(document(), tmp_path / "out.bin", "bytes", Wanted(root))
    assert (tmp_path / "out.bin").read_bytes() == whole[16:32]
    assert [line.text for line in report.plan.lines] == ["Bytes: 16, from 0x10 on."]
    verdict = exporter_of("bytes").verify(report, Progress())
    assert verdict is not None
    assert verdict.good is True
    (tmp_path / "out.bin").write_bytes(whole[16:31])
    verdict = exporter_of("bytes").verify(report, Progress())
    assert verdict is not None
    assert verdict.good is False


def test_the_whole_file(tmp_path: Path) -> None:
    exported(document(), tmp_path / "out.bin", "bytes")
    assert (tmp_path / "out.bin").read_bytes() == torch_zip(VALUE, root="m")


@pytest.mark.parametrize("deflated", [False, True])
@pytest.mark.parametrize("root", ["m/data/0", "data/0"])
def test_what_a_record_holds(tmp_path: Path, deflated: bool, root: str) -> None:
    report = exported(document(deflated), tmp_path / "out.bin", "bytes", Wanted(root))
    assert (tmp_path / "out.bin").read_bytes() == b"\0\0\x80?\0\0\0@"
    assert [line.text for line in report.plan.lines] == ["Bytes: 8, all of the record m/data/0."]


@pytest.mark.parametrize(
    ("root", "words"),
    [
        ("1+99999", "1+99999 lies beyond the end of the file, which has"),
        ("data/9", "There is no record data/9. There are: m/data.pkl, m/"),
        ("0x1G+1", "There is no record 0x1G+1."),
    ],
)
def test_what_is_not_there(tmp_path: Path, root: str, words: str) -> None:
    with pytest.raises(ExportError) as caught:
        exported(document(), tmp_path / "out.bin", "bytes", Wanted(root))
    assert str(caught.value).startswith(words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wanted", [Wanted(only=("w",)), Wanted(skip=("w",))])
def test_names_of_tensors_choose_no_bytes(tmp_path: Path, wanted: Wanted) -> None:
    with pytest.raises(ExportError, match="The form bytes takes no names of tensors: leave out --only and --skip"):
        exported(document(), tmp_path / "out.bin", "bytes", wanted)


def test_a_file_without_records_has_regions_only(tmp_path: Path) -> None:
    pickle = open_document(MemorySource(b"\x80\x02K\x01."))
    with pytest.raises(ExportError, match=r"data\.pkl is no region: write OFFSET\+LENGTH, as 0x1F4\+64\."):
        exported(pickle, tmp_path / "out.bin", "bytes", Wanted("data.pkl"))
