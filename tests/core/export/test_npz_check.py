"""numpy's reader of an npz is left behind by a cancel, and closes what it opened."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viewer.core.errors import CancelledError
from viewer.core.export import npz_check
from viewer.core.progress import Progress


@pytest.fixture
def path(tmp_path: Path) -> Path:
    np.savez(tmp_path / "a.npz", w=np.arange(3))
    return tmp_path / "a.npz"


def test_the_names_are_read(path: Path) -> None:
    with npz_check.loaded(path, Progress()) as archive:
        assert archive.files == ["w"]


def test_what_numpy_raises_is_raised(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        npz_check.loaded(tmp_path / "absent.npz", Progress())


def test_a_cancel_does_not_wait_for_the_names(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go, read = threading.Event(), np.load
    opened: list[Any] = []

    def slow(*arguments: object, **named: object) -> object:
        assert go.wait(120)
        opened.append(read(*arguments, **named))
        return opened[0]

    monkeypatch.setattr(np, "load", slow)
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        npz_check.loaded(path, progress)
    assert opened == []
    reader = next(one for one in threading.enumerate() if one.name == "reading names")
    go.set()
    reader.join(30)
    assert not reader.is_alive()
    assert opened[0].fid is None
