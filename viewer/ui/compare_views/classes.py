"""Classes: the text of a class beside another text of the same class, line by line, and the patch between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.code.differences import CUT, MOST_LINES, Differences, differences
from viewer.core.code.patch import patch
from viewer.core.code.supplied import SuppliedFile
from viewer.core.code.torch_text import TorchTexts
from viewer.core.errors import ViewerError
from viewer.core.progress import Progress
from viewer.core.source import printable
from viewer.core.summary.classes import Classes, ClassRow, Text
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.session.stored_text import write_text
from viewer.ui.models.class_of_selection import spot_of
from viewer.ui.models.comparisons import TORCH, Other, others
from viewer.ui.models.text_saving import file_name
from viewer.ui.pane import Area, Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.code_colours import Tokens, tokens_of
from viewer.ui.widgets.compare_head import CompareHead
from viewer.ui.widgets.difference_view import DifferenceView
from viewer.ui.widgets.hidden import visible
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.source_foot import NoteLine
from viewer.ui.widgets.source_text import paragraphs
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import count, of_failure, paragraph, said
from viewer.wording import QT_TRANSLATE_NOOP
from viewer.wording.checks import DIFFERENCES, TORCH_TEXTS

JOB: Final = "differences"
PATCH_JOB: Final = "patch"
Compared = tuple[Differences, Tokens, Tokens]


class ClassesView(Pane):
    """Above: the class and what it is compared with. Below: the rows."""

    key: ClassVar[str] = "compare"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("panes", "Compare")
    icon: ClassVar[str] = "compare"
    area: ClassVar[Area] = Area.RIGHT
    order: ClassVar[int] = 2

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._classes = Classes()
        self._row = self._number = -1
        self._others: list[Other] = []
        self._other: Other | None = None
        self._stale = True
        self.pages = QStackedWidget(self)
        full, nothing = QWidget(self.pages), QWidget(self.pages)
        self.head = CompareHead(theme, full)
        self.tally = WrappedLabel(parent=full)
        self.notes = NoteLine(theme, "note", parent=full)
        self.view = DifferenceView(theme, full)
        self.previous = IconButton(theme, "chevron-up", self.tr("Previous difference"), self)
        self.next = IconButton(theme, "chevron-down", self.tr("Next difference"), self)
        self.save = IconButton(theme, "save", self.tr("Save as a patch"), self)
        self.empty = QLabel(nothing)
        self.choose_first = QPushButton(self.tr("Choose"), nothing)
        self._build(full, nothing)
        self._connect()
        self.show_document()

    def _build(self, full: QWidget, nothing: QWidget) -> None:
        self.empty.setWordWrap(True)
        self._foot = QHBoxLayout()
        self._foot.addWidget(self.tally, 1)
        column = QVBoxLayout(full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.notes)
        column.addWidget(self.view, 1)
        column.addLayout(self._foot)
        self._nothing = QVBoxLayout(nothing)
        self._nothing.addWidget(self.empty)
        self._nothing.addWidget(self.choose_first, 0, Qt.AlignmentFlag.AlignLeft)
        self._nothing.addStretch(1)
        self.pages.addWidget(full)
        self.pages.addWidget(nothing)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)
        self._space()

    def _connect(self) -> None:
        self.head.class_chosen.connect(self._chosen)
        self.head.other_chosen.connect(self._compare)
        self.head.file_wanted.connect(self.ask_file)
        self.choose_first.clicked.connect(self.ask_file)
        self.previous.clicked.connect(lambda: self.step(-1))
        self.next.clicked.connect(lambda: self.step(1))
        self.save.clicked.connect(self.save_patch)
        self.view.row_chosen.connect(self._row_chosen)
        self.session.classes.changed.connect(self._list)
        code = self.session.code
        code.changed.connect(self._texts_changed)
        code.supplied_one.connect(self._was_supplied)
        code.refused.connect(self._was_refused)
        code.fetched.connect(self._was_fetched)

    def _space(self) -> None:
        px = self.theme.px
        self._foot.setContentsMargins(px(12), px(4), px(12), px(4))
        self.notes.setContentsMargins(px(12), 0, px(12), px(4))
        self._nothing.setContentsMargins(px(16), px(16), px(16), px(16))
        self._nothing.setSpacing(px(12))

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        for part in (self.head, self.notes, self.view, self.previous, self.next, self.save):
            part.set_theme(theme)
        self._space()

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.previous, self.next, self.save]

    @override
    def focus_target(self) -> QWidget:
        return self.view if self.pages.currentIndex() == 0 else self.choose_first

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        found: dict[str, Callable[[], None]] = {}
        if self.view.hasFocus() and self.view.row >= 0:
            found["edit.copy_text"] = self.copy_rows
        if self._can_step(1):
            found["go.next_difference"] = lambda: self.step(1)
        if self._can_step(-1):
            found["go.previous_difference"] = lambda: self.step(-1)
        return found

    # -- classes and selection --------------------------------------------------------------------

    @override
    def show_document(self) -> None:
        for key in (JOB, PATCH_JOB):
            self.session.jobs.cancel(key)
        self._row = self._number = -1
        self.session.classes.look_at(self.session.document, self.session.options.encoding)
        self._list()

    def _list(self) -> None:
        before = self.shown_row()
        self._classes = classes = self.session.classes.classes
        self.head.set_classes(classes)
        self._row = classes.row_of.get(before.name, -1) if before is not None else -1
        self._number = max(self._number, 0) if self._row >= 0 else -1
        self._stale = True
        self.show_selection(self.session.selection)

    @override
    def show_selection(self, selection: Selection) -> None:
        """Follow the selection to its class."""
        spot = spot_of(self.session, self._classes, selection)
        if spot is not None and self._classes.rows[spot.row].texts:
            self._show(spot.row, spot.text or 0)
        elif self._row < 0:
            texts = (at for at, row in enumerate(self._classes.rows) if row.texts)
            self._show(next(texts, -1), 0)
        elif self._stale:
            self._show(self._row, self._number)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._show(self._row, self._number)

    def shown_row(self) -> ClassRow | None:
        """The class that is compared."""
        return self._classes.rows[self._row] if 0 <= self._row < len(self._classes.rows) else None

    def shown_text(self) -> Text | None:
        """Its text on the left side."""
        row = self.shown_row()
        return row.texts[self._number] if row is not None and 0 <= self._number < len(row.texts) else None

    def _chosen(self, row: int) -> None:
        if 0 <= row < len(self._classes.rows):
            self._show(row, 0)

    def _show(self, row: int, number: int) -> None:
        """Compare a class; hidden panes wait until they are looked at."""
        if (row, number) == (self._row, self._number) and not self._stale:
            return
        self._row, self._number = row, number
        self._stale = not self.isVisible()
        if self._stale:
            return
        text, found = self.shown_text(), self.shown_row()
        self.pages.setCurrentIndex(0 if found is not None else 1)
        if found is None:
            words = self.tr("The file holds no text of a class.")
            self.empty.setText(paragraphs(self.tr("Nothing to compare"), words))
            self.choose_first.hide()
            return
        self.head.show_class(row, found, text)
        self._texts_changed()

    # -- the other side ---------------------------------------------------------------------------

    def _texts_changed(self) -> None:
        """Another text came or went: list them; the chosen one stays."""
        row, text = self.shown_row(), self.shown_text()
        if not self.isVisible():
            self._stale = True
            return
        before = self._other
        self._others = others(self.session, row, text) if row is not None and text is not None else []
        self.head.show_others(self._others)
        same = (at for at, one in enumerate(self._others) if before is not None and _is_same(one, before))
        ready = (at for at, one in enumerate(self._others) if one.text is not None)
        self._compare(next(same, next(ready, 0 if self._others else -1)))

    def _compare(self, at: int) -> None:
        self.session.jobs.cancel(JOB)
        self._other = other = self._others[at] if 0 <= at < len(self._others) else None
        self.head.show_other(at)
        mine = self.shown_text()
        if other is None or mine is None:
            words = self.tr("Open a second file that has this class, or choose a .py file.")
            self._tell_nothing(words if mine is not None else self.tr("The file holds no text of this class."))
            return
        if other.text is None:
            row = self.shown_row()
            self._tell_nothing(self.tr("torch is asked for its text."))
            self.session.code.fetch([row.name] if row is not None else [])
            return
        left, right = mine.text, other.text

        def work(progress: Progress) -> Compared:
            found = differences(left, right, progress)
            return found, tokens_of(visible(left)), tokens_of(visible(right))

        self.session.jobs.start(JOB, work, self._compared)

    def _tell_nothing(self, words: str) -> None:
        self.view.set_differences(Differences((), (), ()))
        self.notes.tell(words)
        self.tally.setText("")
        self._enable()

    def _compared(self, found: Compared) -> None:
        rows, left, right = found
        self.view.set_differences(rows, left, right)
        counts = rows.counts
        if not any(counts.values()):
            self.tally.setText(said(DIFFERENCES["equal"]))
        else:
            words = self.tr("Lines changed: {changed}, only here: {removed}, only there: {added}")
            self.tally.setText(words.format(**{kind: count(number) for kind, number in counts.items()}))
        params = {"lines": count(MOST_LINES)}
        self.notes.tell(paragraph(*(said(DIFFERENCES[note], params if note == CUT else {}) for note in rows.notes)))
        self._enable()
        self.step(1, quiet=True)

    def _enable(self) -> None:
        self.save.setEnabled(bool(self.differences.changes))
        for button, step in ((self.previous, -1), (self.next, 1)):
            button.setEnabled(self._can_step(step))

    # -- steps, rows, patch -----------------------------------------------------------------------

    @property
    def differences(self) -> Differences:
        """What is shown."""
        return self.view.differences

    def _target(self, step: int) -> int | None:
        row = self.view.row
        return self.differences.next_change(row) if step > 0 else self.differences.previous_change(row)

    def _can_step(self, step: int) -> bool:
        return self._target(step) is not None

    def step(self, step: int, *, quiet: bool = False) -> None:
        """Go to the next difference, or to the one before. `quiet`: select nothing elsewhere."""
        row = self._target(step)
        if row is not None:
            self.view.blockSignals(quiet)
            self.view.choose(row)
            self.view.blockSignals(False)
        self._enable()

    def _row_chosen(self, row: int) -> None:
        """Select the bytes of the line where the file stores it."""
        self._enable()
        text = self.shown_text()
        line = self.differences[row].left
        if text is not None and text.code is not None and line is not None:
            self.session.select_line(text.code, line, self.key)

    def copy_rows(self) -> None:
        """Put the chosen rows on the clipboard."""
        QApplication.clipboard().setText(self.view.chosen_text())

    def ask_file(self) -> None:
        """Let the person choose a file to compare with."""
        folder = str(self.session.path.parent)
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Compare with"), folder, self.tr("Python (*.py)"))
        if chosen:
            self.session.code.supply(Path(chosen), self.key)

    def save_patch(self) -> None:
        """Ask for a file and write the differences into it."""
        row = self.shown_row()
        if row is None:
            return
        proposed = str(self.session.path.parent / f"{file_name(row.qualname)}.patch")
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save as a patch"), proposed, self.tr("Patch (*.patch)"))
        if chosen:
            self.save_patch_to(Path(chosen))

    def save_patch_to(self, target: Path) -> None:
        """Make the patch in a thread and write it."""
        row, mine, other, opened = self.shown_row(), self.shown_text(), self._other, self.session.root
        if row is None or mine is None or other is None or other.text is None:
            return
        left, right = mine.text, other.text
        name = "/".join([*row.module.split("."), f"{file_name(row.qualname)}.py"])

        def work(progress: Progress) -> None:
            made = patch(left, right, name, name, progress=progress)
            write_text(target, made.encode("utf-8", "surrogatepass"), progress, opened)

        def done(_: None) -> None:
            self.message.emit(
                "done", self.tr("Saved {name}").format(name=printable(target.name)), printable(str(target))
            )

        def failed(failure: Exception) -> None:
            words = of_failure(failure) if isinstance(failure, ViewerError) else self.tr("The texts are too long.")
            self.message.emit("error", self.tr("The patch was not saved"), words)

        self.session.jobs.start(PATCH_JOB, work, done, failed)

    # -- texts from outside -----------------------------------------------------------------------

    def _was_supplied(self, file: SuppliedFile, origin: str) -> None:
        """Compare with the file that was just chosen, where it has the class."""
        if origin != self.key:
            return
        title = printable(str(file.path))
        at = next((at for at, one in enumerate(self._others) if one.kind == "supplied" and one.title == title), -1)
        if at >= 0:
            self._compare(at)
            return
        row = self.shown_row()
        if row is not None:
            words = self.tr("{file} has no class {name}.").format(file=printable(file.path.name), name=row.qualname)
            self.message.emit("warning", self.tr("Nothing to compare with"), words)

    def _was_refused(self, path: Path, failure: Exception, origin: str) -> None:
        if origin == self.key:
            title = self.tr("{name} cannot be compared").format(name=printable(path.name))
            self.message.emit("error", title, of_failure(failure))

    def _was_fetched(self, texts: TorchTexts) -> None:
        """Say why torch's text is not there; where it is, `changed` brings it."""
        row = self.shown_row()
        if row is None or self._other is None or self._other.kind != TORCH or row.name in texts.texts:
            return
        code = texts.failure or texts.refused.get(row.name, "")
        if code:
            self._tell_nothing(said(TORCH_TEXTS[code], {"name": row.name, **texts.params}))


def _is_same(one: Other, before: Other) -> bool:
    """True for the same place, whose text may be there by now."""
    return (one.kind, one.number) == (before.kind, before.number) and (one.kind == TORCH or one.title == before.title)
