from __future__ import annotations

import importlib.resources
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer import resources


@pytest.fixture
def fresh_root() -> Iterator[None]:
    """The place of the folder is looked up anew, before and after."""
    resources._root.cache_clear()
    yield
    resources._root.cache_clear()


def test_a_checkout_reads_its_top_level_folder() -> None:
    assert resources.folder() == Path(__file__).parent.parent / "resources"
    assert json.loads(resources.read_text("themes/light.json"))["name"] == "light"


def test_bytes_are_what_stands_in_the_file() -> None:
    assert resources.read_bytes("themes/tick.svg") == (resources.folder("themes") / "tick.svg").read_bytes()


def test_names_are_sorted_and_without_folders() -> None:
    names = resources.names("themes")
    assert names == sorted(names)
    assert {"light.json", "dark.json", "style.qss"} <= set(names)
    assert "themes" not in resources.names("")


def test_what_is_not_there_raises() -> None:
    with pytest.raises(FileNotFoundError):
        resources.read_text("themes/none.json")
    with pytest.raises(FileNotFoundError, match="'nowhere'"):
        resources.folder("nowhere")


@pytest.mark.usefixtures("fresh_root")
def test_an_installed_package_brings_its_own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged = tmp_path / "viewer" / "resources_data" / "themes"
    packaged.mkdir(parents=True)
    (packaged / "light.json").write_text("{}", encoding="utf-8")
    (tmp_path / "resources").mkdir()
    monkeypatch.setattr(importlib.resources, "files", lambda name: tmp_path / name)
    assert resources.folder("themes") == packaged
    assert resources.read_text("themes/light.json") == "{}"


def test_the_text_is_utf_8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "words.txt").write_bytes("−0.11 é".encode())
    monkeypatch.setattr(resources, "_root", lambda: tmp_path)
    assert resources.read_text("words.txt") == "−0.11 é"
