"""Files that are read: what becomes of one that nobody closed."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from viewer.core.source import PAGE, FileSource


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no list of descriptors")
def test_a_source_that_nobody_closed_gives_its_file_back(tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(b"abc")
    source = FileSource(path)
    held = [name for name in Path("/proc/self/fd").iterdir() if name.is_symlink() and name.resolve() == path]
    assert len(held) == 1
    del source
    assert not held[0].is_symlink() or held[0].resolve() != path


def test_bytes_behind_a_cut_do_not_move_up(tmp_path: Path) -> None:
    """The page behind the cut may still be held from before, while the one with the cut is read anew."""
    path = tmp_path / "cut.bin"
    path.write_bytes(b"a" * PAGE + b"b" * PAGE)
    with closing(FileSource(path)) as source:
        assert source.read(PAGE + 5, 10) == b"b" * 10
        os.truncate(path, PAGE - 100)
        assert source.read(PAGE - 150, 100) == b"a" * 50
