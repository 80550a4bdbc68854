"""Text that never makes its pane wider."""

import pytest

from viewer.ui.theme import load_theme
from viewer.ui.widgets.wrapped import CodeBlock, WrappedLabel, breakable

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
