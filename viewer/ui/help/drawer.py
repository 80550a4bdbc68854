"""The help: a drawer over the right side of the window. Nothing below it is moved, and the file stays in view."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.ui.help import PAGES
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.entering import QuietList
from viewer.ui.widgets.field_icons import clearable, fit_icons
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.page_switch import PageSwitch
from viewer.ui.widgets.split import Split
from viewer.ui.widgets.two_line_list import Row, RowDelegate, RowModel
from viewer.ui.words import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from viewer.ui.help.base import Entry, HelpPage
    from viewer.ui.widgets.command_palette import Entry as Command
    from viewer.ui.widgets.list_rows import Index

WIDTH: Final = 444
MARGIN: Final = 12


class EntryDelegate(RowDelegate):
    """Paints a row; the chosen one stays marked while the keyboard is elsewhere."""

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        marked = QStyleOptionViewItem(option)
        if marked.state & QStyle.StateFlag.State_Selected:
            marked.state |= QStyle.StateFlag.State_HasFocus
        super().paint(painter, marked, index)


class HelpDrawer(QWidget):
    """Pages, a filter, the entries that fit, and the chosen one in full. Esc empties the filter, then closes.

    closed: the keyboard goes back.
        Signal()
    """

    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        beside: QWidget,
        parent: QWidget,
        pages: Sequence[type[HelpPage]] = PAGES,
        commands: Callable[[], Sequence[Command]] = tuple,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._beside, self._over = beside, parent
        self._pages = tuple(page(commands) for page in pages)
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._chosen = ""
        self.setObjectName("help")
        self._make_head()
        self._make_list()
        self._make_article()
        self._lay_out()
        self.set_theme(theme)
        self.setVisible(False)
        beside.installEventFilter(self)

    # -- asked from outside -----------------------------------------------------------------------

    def open(self, topic: str = "") -> None:
        """Show a topic (`problems/zip-record-cut`, `problems`), or what was shown last. The keyboard comes here."""
        for one in self._pages:
            if one.changes:
                self._entries.pop(one.key, None)
        page, _, key = topic.partition("/")
        keys = [one.key for one in self._pages]
        if page in keys:
            self.tabs.set_current(keys.index(page))
        if key:
            self._chosen = key
            self.filter.clear()
        self._fit()
        self.setVisible(True)
        self.raise_()
        self._show_entries()
        target = self.article if key and key == self._chosen else self.filter
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def leave(self) -> None:
        """Close it."""
        self.setVisible(False)
        self.closed.emit()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._delegate.theme = theme
        self.close_button.set_theme(theme)
        self.head.setFixedHeight(theme.px(32))
        self.title.setFont(theme.text("heading"))
        self._lens.setIcon(icon(theme, "filter"))
        fit_icons(self.filter, theme)
        self.rows.scheduleDelayedItemsLayout()
        self._fit()
        self._show_article()

    # -- making -----------------------------------------------------------------------------------

    def _make_head(self) -> None:
        self.head = QWidget(self)
        self.title = QLabel(self.tr("Help"), self.head)
        self.number = QLabel(self.head)
        self.number.setProperty("muted", True)
        self.close_button = IconButton(self._theme, "close", self.tr("Close the help"), self.head)
        self.close_button.clicked.connect(self.leave)
        row = QHBoxLayout(self.head)
        row.setContentsMargins(MARGIN, 0, 6, 1)
        row.addWidget(self.title)
        row.addStretch(1)
        row.addWidget(self.number)
        row.addWidget(self.close_button)
        titles = [QCoreApplication.translate("help", page.title) for page in self._pages]
        self.tabs = PageSwitch(titles, self.tr("Pages of the help"), self)
        self.tabs.changed.connect(self._show_entries)

    def _make_list(self) -> None:
        self.filter = QLineEdit(self)
        self.filter.setProperty("filter", True)
        self.filter.setPlaceholderText(self.tr("Search the help"))
        self.filter.setAccessibleName(self.tr("Search the help"))
        clearable(self.filter)
        self._lens = self.filter.addAction(icon(self._theme, "filter"), QLineEdit.ActionPosition.LeadingPosition)
        self.filter.textChanged.connect(self._show_entries)
        self.filter.installEventFilter(self)
        self.rows = QuietList(self)
        self._model = RowModel(self.rows)
        self._delegate = EntryDelegate(self._theme, self.rows)
        self.rows.setModel(self._model)
        self.rows.setItemDelegate(self._delegate)
        self.rows.setUniformItemSizes(True)
        self.rows.setMouseTracking(True)
        self.rows.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setProperty("marks_always", True)
        self.rows.setAccessibleName(self.tr("Entries of the help"))
        self.rows.selectionModel().currentChanged.connect(self._moved)
        self.nothing = QLabel(self)
        self.nothing.setWordWrap(True)
        self.nothing.setMargin(MARGIN)
        self.nothing.setVisible(False)
        self.nothing.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.nothing.linkActivated.connect(self._turn_to)

    def _make_article(self) -> None:
        self.article = QTextBrowser(self)
        self.article.setOpenLinks(False)
        self.article.setAccessibleName(self.tr("Explanation"))
        self.article.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.article.document().setDocumentMargin(MARGIN)
        # A line that begins with the name of an opcode runs as the language does too.
        option = self.article.document().defaultTextOption()
        option.setTextDirection(self.layoutDirection())
        self.article.document().setDefaultTextOption(option)

    def _lay_out(self) -> None:
        upper = QWidget(self)
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        field = QHBoxLayout()
        field.setContentsMargins(MARGIN, 8, MARGIN, 4)
        field.addWidget(self.filter)
        column.addLayout(field)
        column.addWidget(self.nothing)
        column.addWidget(self.rows, 1)
        column.addStretch(0)
        split = Split(Qt.Orientation.Vertical, self)
        split.addWidget(upper)
        split.addWidget(self.article)
        # F1 asks for the text, not for the list.
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([2000, 3000])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(1, 0, 0, 0)
        whole.setSpacing(0)
        # Not in the parts that share the height: where it takes several lines, none is covered.
        pages = QHBoxLayout()
        pages.setContentsMargins(MARGIN - 4, 4, MARGIN - 4, 0)
        pages.addWidget(self.tabs)
        whole.addWidget(self.head)
        whole.addLayout(pages)
        whole.addWidget(split, 1)

    # -- showing ----------------------------------------------------------------------------------

    @property
    def page(self) -> HelpPage:
        """The page in front."""
        return self._pages[self.tabs.current]

    def entries(self) -> tuple[Entry, ...]:
        """All entries of the page in front; made when it is first shown."""
        return self._of(self.page)

    def _of(self, page: HelpPage) -> tuple[Entry, ...]:
        known = self._entries.get(page.key)
        if known is None:
            known = self._entries[page.key] = tuple(page.entries())
        return known

    @property
    def chosen(self) -> Entry | None:
        """The entry that is shown in full."""
        return next((entry for entry in self.entries() if entry.key == self._chosen), None)

    def _show_entries(self) -> None:
        entries, text = self.entries(), self.filter.text().strip()
        wanted = text.casefold().split()
        fitting = [entry for entry in entries if entry.holds(wanted)]
        self.number.setText(
            count(len(entries))
            if len(fitting) == len(entries)
            else self.tr("{0} of {1}").format(count(len(fitting)), count(len(entries)))
        )
        self._name_tabs(wanted)
        self.nothing.setText("" if fitting else self._no_hits(text))
        self.nothing.setVisible(not fitting)
        self.rows.setVisible(bool(fitting))
        self._model.set_rows([_row(entry) for entry in fitting])
        self._show_current([entry.key for entry in fitting])

    def _name_tabs(self, wanted: Sequence[str]) -> None:
        """While something is looked for each page says how much of it is there."""
        for at, page in enumerate(self._pages):
            title = QCoreApplication.translate("help", page.title)
            hits = sum(entry.holds(wanted) for entry in self._of(page)) if wanted else 0
            self.tabs.set_title(at, f"{title} {count(hits)}" if hits else title)

    def _no_hits(self, text: str) -> str:
        """Nothing is found on the page in front: the way to the pages on which there is something."""
        wanted = text.casefold().split()
        title = self.tr('Nothing matches "{0}"').format(text)
        lines = [
            f"<b>{html.escape(title)}</b>",
            html.escape(self.tr("{0} rows are hidden.").format(count(len(self.entries())))),
        ]
        for page in self._pages:
            if any(entry.holds(wanted) for entry in self._of(page)):
                words = self.tr("Found under {0}").format(QCoreApplication.translate("help", page.title))
                color = self._theme.color("accent").name()
                lines.append(f'<a href="{page.key}" style="color:{color}">{html.escape(words)}</a>')
        return "<br>".join(lines)

    def _turn_to(self, key: str) -> None:
        self.tabs.set_current([page.key for page in self._pages].index(key))
        self.filter.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_current(self, keys: list[str]) -> None:
        """Keep the chosen entry while it is listed, else choose the first."""
        if not keys:
            self._show_article()
            return
        at = keys.index(self._chosen) if self._chosen in keys else 0
        index = self._model.index(at, 0)
        self.rows.setCurrentIndex(index)
        self.rows.scrollTo(index, QListView.ScrollHint.EnsureVisible)
        self._choose(keys[at])

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if current.isValid():
            self._choose(self._model.rows[current.row()].target)

    def _choose(self, key: str) -> None:
        self._chosen = key
        self._show_article()

    def _show_article(self) -> None:
        entry = self.chosen if self._model.rows else None
        self.article.setHtml(article(entry, self._theme) if entry is not None else "")

    # -- Qt ---------------------------------------------------------------------------------------

    def _fit(self) -> None:
        """Cover the right side of what lies below."""
        whole = QRect(self._beside.mapTo(self._over, QPoint(0, 0)), self._beside.size())
        width = min(self._theme.px(WIDTH), whole.width())
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = whole.left() if mirrored else whole.right() + 1 - width
        self.setGeometry(left, whole.top(), width, whole.height())

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._beside and event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._fit()
        if watched is self.filter and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            down = event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if down and self._model.rows:
                self.rows.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return False

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.filter.text():
            self.filter.clear()
            self.filter.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.leave()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("pane"))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        border = self._theme.color("border")
        painter.fillRect(self.width() - 1 if mirrored else 0, 0, 1, self.height(), border)
        painter.fillRect(0, self.head.height() - 1, self.width(), 1, border)
        painter.end()


def _row(entry: Entry) -> Row:
    below = entry.below or entry.key
    return Row(entry.key, entry.title, below, entry.icon, entry.icon_color, more=entry.kind, tooltip=entry.title)


def article(entry: Entry, theme: Theme) -> str:
    """An entry as rich text: title, its name and kind, then the parts under their headings."""
    muted, mono = theme.color("muted").name(), html.escape(theme.mono_family)
    heading = f'<p style="font-size:{theme.px(15)}px"><b>{html.escape(entry.title)}</b></p>'
    kind = f' <span style="color:{theme.color(entry.icon_color).name()}">{html.escape(entry.kind)}</span>'
    family = f"font-family:'{mono}'; " if not entry.below else ""
    below = html.escape(entry.below or entry.key)
    name = f'<p><span style="{family}color:{muted}">{below}</span>&nbsp; {kind}</p>'
    parts = "".join(
        f'<p><span style="color:{muted}; font-size:{theme.px(11)}px">{html.escape(part.heading)}</span><br>'
        f"{html.escape(part.text)}</p>"
        for part in entry.parts
    )
    return f"{heading}{name}{parts}"
