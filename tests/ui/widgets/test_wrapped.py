"""Text that never makes its pane wider."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QWidget

from viewer.ui.theme import load_theme
from viewer.ui.widgets.labels import hint
from viewer.ui.widgets.wrapped import CodeBlock, WrappedLabel, breakable, breakable_at_joints

ZERO = "\u200b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("short.name stays", "short.name stays"),
        ("torch.nn.modules.batchnorm.BatchNorm2d", "torch.\nnn.\nmodules.\nbatchnorm.\nBatchNorm2d"),
        ("a" * 30, "a" * 24 + "".join("\na" for _ in range(6))),
        ("", ""),
    ],
)
def test_long_names_may_break(text, shown):
    assert breakable(text) == shown.replace("\n", ZERO)
    assert breakable(text).replace(ZERO, "") == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("conv.1", "conv.1"),
        ("per_channel_affine", "per_\nchannel_\naffine"),
        ("archive/data/0", "archive/\ndata/\n0"),
        ("little-endian", "little-endian"),
        ("0x1100–0x1220", "0x1100–0x1220"),
        ("-0.00123456", "-0.00123456"),
        ("1.234e-05", "1.234e-05"),
        ("a" * 25, "a" * 24 + "\na"),
    ],
)
def test_short_names_may_break_where_there_is_little_room(text, shown):
    assert breakable_at_joints(text) == shown.replace("\n", ZERO)


LONG = "torch.nn.modules.batchnorm.BatchNorm2d"


def test_what_is_copied_and_told_is_the_plain_text(qtbot):
    label = WrappedLabel(f"\u2068{LONG}\u2069 is a class")
    qtbot.addWidget(label)
    with qtbot.waitExposed(label):
        label.show()
    label.setFocus()
    label.setSelection(0, len(label.text()))
    assert ZERO in label.selectedText()
    qtbot.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == f"{LONG} is a class")
    told = QAccessible.queryAccessibleInterface(label)
    assert told.text(QAccessible.Text.Name) == f"{LONG} is a class"
    label.setText("Short")
    assert told.text(QAccessible.Text.Name) == "Short"
    label.setAccessibleName("Given")
    label.setText(LONG)
    assert label.accessibleName() == "Given"


def test_what_others_copy_stays(qtbot):
    label = WrappedLabel(LONG)
    qtbot.addWidget(label)
    label.setSelection(0, len(label.text()))
    QGuiApplication.clipboard().setText(f"another{ZERO} text")
    assert QGuiApplication.clipboard().text() == f"another{ZERO} text"


def test_a_description_has_no_marks_of_drawing(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    hint(widget, f"\u2068conv\u2069{ZERO} is here")
    assert widget.accessibleDescription() == "conv is here"


def test_a_label_asks_for_no_width(qtbot):
    label = WrappedLabel("x" * 500)
    qtbot.addWidget(label)
    assert label.minimumSizeHint().width() == 0
    assert label.heightForWidth(200) > 3 * label.fontMetrics().lineSpacing()


def test_code_is_as_high_as_its_lines_and_scrolls_sideways(qtbot):
    theme = load_theme("light")
    block = CodeBlock(theme)
    qtbot.addWidget(block)
    block.resize(200, 10)
    heights = []
    for lines in (1, 3, 500):
        block.show_code(theme, "\n".join(["x" * 300] * lines))
        heights.append(block.height())
    assert heights[1] - heights[0] == 2 * block.fontMetrics().lineSpacing()
    assert heights[2] - heights[0] == 39 * block.fontMetrics().lineSpacing()
    assert block.isReadOnly()
    assert block.toPlainText().count("\n") == 499
