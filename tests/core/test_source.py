"""Files that are read: what becomes of one that nobody closed."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.core.source import FileSource


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no list of descriptors")
def test_a_source_that_nobody_closed_gives_its_file_back(tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(b"abc")
    source = FileSource(path)
    held = [name for name in Path("/proc/self/fd").iterdir() if name.is_symlink() and name.resolve() == path]
    assert len(held) == 1
    del source
    assert not held[0].is_symlink() or held[0].resolve() != path
