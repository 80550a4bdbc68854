"""Icons are drawn on one grid in one colour, so that the theme can tint them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Final

import pytest

from tests.shared import ROOT

FOLDER: Final = ROOT / "resources" / "icons"
TINTED: Final = sorted(path for path in FOLDER.glob("*.svg") if path.stem != "picklescope")
SHAPES: Final = {"path", "circle", "rect", "ellipse"}
USED: Final = re.compile(r"""\bicon\w*(?:\((?:\s*[\w.]+,)?|\s*=|: ClassVar\[str\] =)\s*["']([a-z-]+)["']""")


@pytest.mark.parametrize("path", TINTED, ids=lambda path: path.stem)
def test_one_grid_one_stroke_one_colour(path: Path) -> None:
    root = ET.parse(path).getroot()
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("16", "16", "0 0 16 16")
    assert (root.get("fill"), root.get("stroke"), root.get("stroke-width")) == ("none", "#000000", "1.4")
    assert (root.get("stroke-linecap"), root.get("stroke-linejoin")) == ("round", "round")
    for shape in root:
        assert shape.tag.rpartition("}")[2] in SHAPES
        assert not {"fill", "stroke", "style", "class"} & set(shape.keys())


@pytest.mark.parametrize("path", TINTED, ids=lambda path: path.stem)
def test_circles_and_boxes_stay_on_the_grid(path: Path) -> None:
    for shape in ET.parse(path).getroot():
        numbers = {key: float(value) for key, value in shape.items() if key != "d"}
        if "r" in numbers:
            left, right = numbers["cx"] - numbers["r"], numbers["cx"] + numbers["r"]
        elif "width" in numbers:
            left, right = numbers["x"], numbers["x"] + numbers["width"]
        else:
            continue
        assert left >= 0.7
        assert right <= 15.3


def test_every_icon_that_the_window_names_is_there() -> None:
    there = {path.stem for path in FOLDER.glob("*.svg")}
    named = {
        name: path.relative_to(ROOT).as_posix()
        for path in (ROOT / "viewer" / "ui").rglob("*.py")
        for name in USED.findall(path.read_text(encoding="utf-8"))
    }
    assert {name: where for name, where in named.items() if name not in there} == {}


def test_the_program_has_its_own_icon() -> None:
    root = ET.parse(FOLDER / "picklescope.svg").getroot()
    assert root.get("viewBox") == "0 0 64 64"
