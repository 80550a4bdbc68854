"""Looks for words that have no room: what a widget needs for its text, as it is shaped, against what it has.

Fallback fonts count: text is laid out with the font of the widget, and both its advance and its ink are measured.
What elides on purpose has a tooltip with all of its words, and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QRect, QSize, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from viewer.ui.pane import Pane
from viewer.ui.widgets.labels import ElidedBox, ElidedLabel
from viewer.ui.window.dock import PaneDock

SCREEN: Final = QSize(1366, 768)
"""The smallest screen that must hold every window, at 200 % text too."""
TITLE_BAR: Final = 24
SLACK: Final = 1
"""Pixels by which rounding may differ."""
SOFT: Final = "\u200b"
TURNS: Final = "\u200e\u200f\u2066\u2067\u2068\u2069"
WIDEST: Final = 100_000


def laid_out(text: str, font: QFont) -> QSizeF:
    """The size of one line as it is drawn, by the fonts that its letters are really drawn with."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(WIDEST)
    layout.endLayout()
    return QSizeF(line.naturalTextWidth(), line.height())


def shaped(text: str, font: QFont) -> int:
    """The width of one line: the advance, or the ink where that is wider."""
    ink = QFontMetricsF(font).boundingRect(text).width()
    # A tail of the last letter may reach a pixel or two into what comes next.
    tail = font.pixelSize() / 13
    return round(max(laid_out(text, font).width(), ink - tail) + 0.49)


def spoken(text: str) -> str:
    """What is drawn of the words of a button: no accelerators."""
    return re.sub(r"&(.)", r"\1", text)


def faults(root: QWidget) -> list[str]:
    """What is cut in a window, in words; none where all is well."""
    found = [*_of_window(root)]
    for widget in _seen(root):
        found += [f"{_name(widget)}: {words}" for words in _of(widget)]
    return found


def _seen(widget: QWidget) -> Iterator[QWidget]:
    """The widget and those in it; not what waits behind a tab, which Qt puts far outside."""
    if not widget.isVisible() or not widget.width() or not widget.height():
        return
    if isinstance(widget, PaneDock) and not widget.is_seen():
        return
    yield widget
    # Qt scrolls what stands in tabs, and keeps the tabs of docks that we do not show out of sight.
    if isinstance(widget, QTabBar):
        return
    for child in widget.children():
        if isinstance(child, QWidget) and not child.isWindow():
            yield from _seen(child)


def _of_window(root: QWidget) -> Iterator[str]:
    if not root.isWindow():
        return
    least = root.minimumSizeHint().expandedTo(root.minimumSize()) if root.layout() else root.minimumSize()
    if least.width() > SCREEN.width() or least.height() > SCREEN.height() - TITLE_BAR:
        yield f"{_name(root)}: wants {least.width()} x {least.height()} at least, more than the screen has"


def _of(widget: QWidget) -> Iterator[str]:
    yield from _beside_its_parent(widget)
    if isinstance(widget, QLabel):
        yield from _of_label(widget)
    elif isinstance(widget, QAbstractButton):
        yield from _of_button(widget)
    elif isinstance(widget, QComboBox):
        yield from _of_box(widget)
    elif isinstance(widget, QHeaderView):
        yield from _of_header(widget)
    elif isinstance(widget, QLineEdit):
        yield from _of_field(widget)


def _beside_its_parent(widget: QWidget) -> Iterator[str]:
    parent = widget.parentWidget()
    if parent is None or widget.isWindow() or _in_view(widget) or isinstance(widget, QTabBar):
        return
    # A pane that is lower than what stands in it loses its foot: there is no more room.
    low = 10_000 if _in_low_pane(widget) else SLACK
    if not parent.rect().adjusted(-SLACK, -low, SLACK, low).contains(widget.geometry()):
        yield f"{_rect(widget.geometry())} is not within {_rect(parent.rect())} of {_name(parent)}"


def _in_low_pane(widget: QWidget) -> bool:
    one: QWidget | None = widget
    while one is not None and not isinstance(one, Pane):
        one = one.parentWidget()
    return one is not None and one.height() < one.minimumSizeHint().height()


def _in_view(widget: QWidget) -> bool:
    """True for what scrolls: it may be larger than what it is seen through."""
    parent = widget.parentWidget()
    above = parent.parentWidget() if parent is not None else None
    return isinstance(above, QAbstractScrollArea) and above.viewport() is parent


def _of_label(label: QLabel) -> Iterator[str]:
    text = label.text()
    if not text or label.width() < 2:
        return
    has = label.contentsRect().size() - QSize(2 * label.margin(), 2 * label.margin())
    is_rich = label.textFormat() == Qt.TextFormat.RichText or (
        label.textFormat() == Qt.TextFormat.AutoText and "<" in text and ">" in text
    )
    if label.wordWrap():
        needs = label.heightForWidth(label.width())
        if needs > label.height() + SLACK and not _in_low_pane(label):
            yield f"{needs} px of height wanted, {label.height()} there: {text!r}"
        if not is_rich:
            widest = max(
                (shaped(word, label.font()) for word in re.split(rf"[\s{SOFT}{TURNS}]+", text)[:200] if _latin(word)),
                default=0,
            )
            if widest > has.width() + SLACK:
                yield f"a word of {widest} px in {has.width()}: {text!r}"
        return
    high = laid_out(text.partition("\n")[0], label.font()).height()
    if high > label.height() + 2 and not _in_low_pane(label):
        yield f"letters of {high:.0f} px in {label.height()} of height: {text!r}"
    if isinstance(label, ElidedLabel) or is_rich:
        return
    needs = max(shaped(line, label.font()) for line in text.split("\n"))
    if needs > has.width() + SLACK and not label.toolTip():
        yield f"{needs} px of text in {has.width()}: {text!r}"


def _latin(word: str) -> bool:
    """Whether a line can end only behind the word."""
    return bool(word) and all(ord(letter) < 0x2E80 for letter in word)


def _of_button(button: QAbstractButton) -> Iterator[str]:
    least = QFontMetricsF(QApplication.font()).height() / 2
    if not button.icon().isNull() and button.iconSize().height() < least:
        yield f"an icon of {button.iconSize().height()} px beside letters of {2 * least:.0f}"
    text = spoken(button.text())
    if not text or (
        isinstance(button, QToolButton)
        and button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
        and not button.icon().isNull()
    ):
        return
    metrics = button.fontMetrics()
    taken = metrics.size(Qt.TextFlag.TextShowMnemonic, button.text()).width()
    if isinstance(button, QPushButton | QCheckBox | QRadioButton):
        option = QStyleOptionButton()
        button.initStyleOption(option)
        element = QStyle.SubElement
        part = element.SE_PushButtonContents
        if isinstance(button, QCheckBox):
            part = element.SE_CheckBoxContents
        elif isinstance(button, QRadioButton):
            part = element.SE_RadioButtonContents
        room = button.style().subElementRect(part, option, button).width()
        if not button.icon().isNull() and isinstance(button, QPushButton):
            room -= button.iconSize().width() + 4
    else:
        room = button.width() - (button.sizeHint().width() - taken)
    needs = max(shaped(line, button.font()) for line in text.split("\n"))
    if needs > room + SLACK:
        yield f"{needs} px of text in {room}: {text!r}"
    high = laid_out(text, button.font()).height()
    if high > button.height() + 2 and not _in_low_pane(button):
        yield f"letters of {high:.0f} px in {button.height()} of height: {text!r}"


def _of_box(box: QComboBox) -> Iterator[str]:
    if box.isEditable() or isinstance(box, ElidedBox):
        return
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    # Qt draws the words with a pixel of room at both sides.
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width() - 2
    texts = (
        [box.currentText()]
        if box.sizeAdjustPolicy() != box.SizeAdjustPolicy.AdjustToContents
        else [box.itemText(at) for at in range(box.count())]
    )
    for text in dict.fromkeys([box.currentText(), *texts]):
        needs = shaped(text, box.font())
        if needs > room and not box.toolTip():
            yield f"{needs} px of text in {room}: {text!r}"
            return


def _of_header(header: QHeaderView) -> Iterator[str]:
    model = header.model()
    if model is None or header.orientation() != Qt.Orientation.Horizontal:
        return
    for column in range(header.count()):
        elides = header.textElideMode() != Qt.TextElideMode.ElideNone
        is_last = header.stretchLastSection() and header.visualIndex(column) == header.count() - 1
        takes_rest = is_last or header.sectionResizeMode(column) == QHeaderView.ResizeMode.Stretch
        if header.isSectionHidden(column) or (takes_rest and elides):
            continue
        title = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        needs = shaped(title, header.font()) if title else 0
        room = header.sectionSize(column) - _sides(header)
        if needs > room + SLACK:
            yield f"{needs} px of title in {room}: {title!r}"


def _sides(header: QHeaderView) -> int:
    """What the style sheet leaves beside a title."""
    view = header.parentWidget()
    theme = getattr(view, "theme", None)
    return 2 * theme.px(8) if theme is not None else 16


def _of_field(field: QLineEdit) -> Iterator[str]:
    hint = field.placeholderText()
    if not hint or field.text() or field.toolTip():
        return
    option_room = field.contentsRect().width() - 4
    margins = field.textMargins()
    room = option_room - margins.left() - margins.right()
    sheet = getattr(field.window(), "theme", None)
    needs = shaped(hint, field.font())
    del sheet
    if needs > room + SLACK:
        yield f"{needs} px of hint in {room}: {hint!r}"


def _rect(rect: QRect) -> str:
    return f"({rect.x()}, {rect.y()}, {rect.width()} x {rect.height()})"


def _name(widget: QWidget) -> str:
    names = []
    one: QWidget | None = widget
    while one is not None and len(names) < 4:
        names.append(
            type(one).__name__
            + (f"#{one.objectName()}" if one.objectName() and not one.objectName().startswith("qt_") else "")
        )
        one = one.parentWidget()
    return " < ".join(names)
