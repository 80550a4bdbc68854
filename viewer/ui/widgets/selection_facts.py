"""Checksums and counts of the selected bytes, asked for from the menu of Bytes; and the selection as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QMenu, QVBoxLayout, QWidget

from viewer.core.source import printable
from viewer.late import late
from viewer.ui.measures import keep_lengths, keep_mono
from viewer.ui.widgets.byte_counts import ByteHistogram, BytePairs
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.sideways import Sideways
from viewer.ui.words import count, hexadecimal, nbytes_of, of_failure, offset, span_text

if TYPE_CHECKING:
    from viewer.core.byte_facts import ByteFacts, facts_of
    from viewer.core.export.protected import kept_of
    from viewer.core.export.ranges import save_ranges
    from viewer.core.progress import Progress
    from viewer.core.span import Span
    from viewer.session.session import Session
    from viewer.ui.hexview.view import HexView
    from viewer.ui.theme import Theme
else:
    (facts_of,) = late("viewer.core.byte_facts", "facts_of")
    (kept_of,) = late("viewer.core.export.protected", "kept_of")
    (save_ranges,) = late("viewer.core.export.ranges", "save_ranges")

FACTS: Final = "facts of bytes"
SAVING: Final = "saving bytes"


class SelectionFacts(QWidget):
    """A panel under the bytes; hidden until it is asked for. Its text can be selected and copied.

    message: something to tell in a bar: severity word, title, sentence.
        Signal(severity: str, title: str, sentence: str)
    asked: the person wants to see it, and what stands in it is higher now.
        Signal()
    """

    message = Signal(str, str, str)
    asked = Signal()

    def __init__(self, session: Session, view: HexView, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._view = session, view
        self._spans: tuple[Span, ...] = ()
        self._most = 0
        self.words = QLabel(self)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.close_button = IconButton(theme, "close", self.tr("Close"), self)
        self.close_button.clicked.connect(self.leave)
        self.histogram = ByteHistogram(theme, self)
        self.pairs = BytePairs(theme, self)
        facts = QVBoxLayout()
        facts.addWidget(Sideways(self.words))
        pictures = QHBoxLayout()
        keep_lengths(theme, pictures.setSpacing, 12)
        pictures.addWidget(self.histogram, 1)
        pictures.addWidget(self.pairs)
        facts.addLayout(pictures)
        row = QHBoxLayout(self)
        keep_lengths(theme, row.setContentsMargins, 12, 6, 8, 6)
        row.addLayout(facts, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        keep_mono(theme, self.words)
        for picture in (self.histogram, self.pairs):
            picture.set_theme(theme)
        self.close_button.set_theme(theme)
        if self._most:
            self.keep_to(self._most)

    def keep_to(self, height: int) -> None:
        """Leave the bytes their room: where all is higher than this, the pictures give way as far as they can."""
        self._most = height
        room = height - self.words.sizeHint().height()
        for picture in (self.histogram, self.pairs):
            picture.setMaximumHeight(max(picture.minimumSizeHint().height(), min(room, picture.sizeHint().height())))

    def commands(self) -> Mapping[str, Callable[[], None]]:
        """What the menus can ask for."""
        return {"edit.byte_facts": self.ask, "edit.save_bytes": self.save}

    def add_to(self, menu: QMenu) -> None:
        """The same as entries of a menu."""
        menu.addAction(self.tr("Checksums and counts")).triggered.connect(self.ask)
        menu.addAction(self.tr("Save these bytes…")).triggered.connect(self.save)

    def leave(self) -> None:
        """Close the panel."""
        self._session.cancel(FACTS)
        self.hide()

    def ask(self) -> None:
        """Count the selected bytes and show what they are."""
        source, spans = self._session.shown_source, self._view.selected_spans()
        if source is None:
            return
        self._spans = spans
        for picture in (self.histogram, self.pairs):
            picture.hide()
        self.words.setText(self.tr("Counting {size}").format(size=nbytes_of(sum(span.length for span in spans))))
        self.show()
        self.asked.emit()
        self._session.start(FACTS, lambda progress: facts_of(source, spans, progress), self._counted, self._failed)

    def _counted(self, facts: ByteFacts) -> None:
        self.words.setText("\n".join(self._lines(facts)))
        self.histogram.show_counts(facts.counts)
        self.keep_to(self._most)
        self.histogram.setVisible(facts.length > 0)
        self.pairs.show_counts(facts.pairs)
        self.pairs.setVisible(facts.length > 1)
        self.asked.emit()

    def _failed(self, failure: Exception) -> None:
        self.words.setText(of_failure(failure))

    def _lines(self, facts: ByteFacts) -> list[str]:
        where = ", ".join(span_text(span) for span in self._spans[:4]) + (", …" if len(self._spans) > 4 else "")
        share = 100 / max(1, facts.length)
        stated = self._stated()
        crc = f"CRC-32   {hexadecimal(facts.crc32, 8)}"
        if stated is not None:
            same = facts.crc32 == stated
            crc += "   " + (
                self.tr("as the archive states")
                if same
                else self.tr("the archive states {0}").format(hexadecimal(stated, 8))
            )
        counts = self.tr("{zeros} zeros ({part} %), {printable} printable, {values} values, {entropy} bits a byte")
        return [
            f"{where}   {nbytes_of(facts.length)}",
            crc,
            f"MD5      {facts.md5}",
            f"SHA-1    {facts.sha1}",
            f"SHA-256  {facts.sha256}",
            counts.format(
                zeros=count(facts.zeros),
                part=f"{facts.zeros * share:.1f}",
                printable=count(facts.printable),
                values=facts.distinct,
                entropy=f"{facts.entropy:.3f}",
            ),
        ]

    def _stated(self) -> int | None:
        """The checksum that the archive states, where the bytes are all of a stored record."""
        document = self._session.document
        if document is None or len(self._spans) != 1 or self._session.selection.source:
            return None
        records = (record for record in document.records if record.stored and record.data == self._spans[0])
        return next((record.crc for record in records), None)

    def save(self) -> None:
        """Ask for a file, and write the selected bytes to it."""
        span = self._view.selected_span()
        name = f"{self._session.path.stem}_{offset(span.start)}.bin"
        offered = str(self._session.path.with_name(name))
        plain, dumped = self.tr("Bytes as they are (*)"), self.tr("Dump as text (*.txt)")
        chosen, form = QFileDialog.getSaveFileName(self, self.tr("Save bytes"), offered, f"{plain};;{dumped}")
        if chosen:
            self.save_to(Path(chosen), as_dump=form == dumped)

    def save_to(self, path: Path, *, as_dump: bool = False) -> None:
        """Write the selected bytes; the dialog has asked before, so what is there is replaced."""
        source, spans = self._session.shown_source, self._view.selected_spans()
        if source is None:
            return

        # bytes are there before the file is decoded
        opened = (source, self._session.source, self._session.root)

        def done(written: int) -> None:
            words = self.tr("{size} in {name}.").format(size=nbytes_of(written), name=printable(path.name))
            self.message.emit("done", self.tr("The bytes were saved"), words)

        def work(progress: Progress) -> int:
            kept = kept_of(*opened)
            return save_ranges(source, spans, path, progress, overwrite=True, kept=kept, as_dump=as_dump)

        self._session.start(
            SAVING,
            work,
            done,
            lambda failure: self.message.emit("error", self.tr("The bytes were not saved"), of_failure(failure)),
        )
