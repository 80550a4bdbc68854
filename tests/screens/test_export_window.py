"""Pictures of the export window: names that change and clash, types and what they lose, a region of bytes.

They hold for one pair of fonts; with others they cannot be compared. `PICKLESCOPE_APPROVE=1` draws them anew: look at
each before it is committed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.screens import ALONE
from tests.screens.comparing import FONTS, compare_with_approved
from viewer.session.session import Session
from viewer.ui.dialogs.export import ExportDialog
from viewer.ui.dialogs.export_table import TYPES
from viewer.ui.theme import load_theme, palette, style_sheet

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="drawn by test_alone.py, in a process of its own")

MODEL = state_dict(
    {
        "module.encoder.0.weight": full("float32", (2, 3), [1, 2, 3, 4, 5, 70000]),
        "module.encoder.0.bias": full("float32", (2,), [0.5, 1e-9]),
        "module.encoder.1.gamma": full("float32", (2,), [1, 1]),
        "module.head.weight": full("float32", (2, 2), [1, 0, 0, 1]),
        "module.steps": full("int64", (1,), [1042]),
    }
)
CHECKPOINT = {
    "model": MODEL,
    "optim": {"state": {0: {"exp_avg": full("float32", (2,), [1, 2])}}, "param_groups": [{"lr": 0.1}]},
    "epoch": 7,
    "version": "1.5.12",
}


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(torch_zip(CHECKPOINT))
    made = Session(path)
    made.open()
    qtbot.waitUntil(lambda: made.root is not None and not made.jobs.busy)
    yield made
    made.close()


def typed(field: QLineEdit, text: str) -> None:
    field.setText(text)
    field.textEdited.emit(text)


def names(dialog: ExportDialog, qtbot: QtBot) -> None:
    rule = dialog.names.add_rule()
    typed(rule.old, "*.gamma")
    typed(rule.new, "*.weight")
    typed(dialog.names.strip, "module.")
    typed(dialog.parts.skip, '"a, b", *.steps')
    qtbot.waitUntil(lambda: dialog.plan is not None and len(dialog.plan.items) == 4)


def types(dialog: ExportDialog, qtbot: QtBot) -> None:
    box = dialog.options.field("dtype")
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findData("float16"))
    qtbot.waitUntil(lambda: dialog.plan is not None and bool(dialog.plan.converted))
    dialog.table.tabs.setCurrentIndex(TYPES)


def losses(dialog: ExportDialog, qtbot: QtBot) -> None:
    types(dialog, qtbot)
    dialog.table.losses.button.click()
    qtbot.waitUntil(dialog.table.losses.button.isHidden)


def whole(dialog: ExportDialog, qtbot: QtBot) -> None:
    at = next(at for at in range(dialog.what.count()) if dialog.what.itemText(at).startswith("The whole object"))
    dialog.what.setCurrentIndex(at)
    qtbot.waitUntil(lambda: dialog.plan is not None and "epoch" in dialog.plan.kept)


def region(dialog: ExportDialog, qtbot: QtBot) -> None:
    dialog.choose_form("bytes")
    dialog.side.region.kind.setCurrentIndex(1)
    typed(dialog.side.region.start, "0x40")
    typed(dialog.side.region.length, "128")
    qtbot.waitUntil(lambda: dialog.plan is not None and dialog.plan.nbytes == 128)


SCREENS: dict[str, Callable[[ExportDialog, QtBot], None]] = {
    "names": names,
    "types": types,
    "losses": losses,
    "whole": whole,
    "region": region,
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_the_window_looks_as_approved(
    session: Session, plain: QApplication, qtbot: QtBot, theme: str, name: str
) -> None:
    loaded = load_theme(theme)
    if (loaded.mono_family, QFontInfo(loaded.text()).family()) != FONTS:
        pytest.skip(f"approved in {FONTS}")
    plain.setPalette(palette(loaded))
    dialog = ExportDialog(session, loaded, "state_dict", Path("/models"))
    dialog.setStyleSheet(style_sheet(loaded))
    qtbot.addWidget(dialog)
    dialog.resize(1080, 640)
    with qtbot.waitExposed(dialog):
        dialog.show()
    qtbot.waitUntil(lambda: dialog.plan is not None and not session.jobs.busy)
    SCREENS[name](dialog, qtbot)
    qtbot.waitUntil(lambda: not session.jobs.busy)
    dialog.go.setFocus()
    compare_with_approved(dialog, f"export_{name}_{theme}")
