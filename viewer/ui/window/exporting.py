"""Exports of a window: ask, write in a thread, have the result read back, tell how it went."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from viewer.core.errors import CancelledError
from viewer.core.folder import listed
from viewer.core.source import printable
from viewer.session.jobs import EXPORT
from viewer.session.settings import EXPORT_FOLDER
from viewer.ui.widgets.message_bar import Message
from viewer.ui.words import of_failure, paragraph, said

if TYPE_CHECKING:
    from viewer.core.export.plan import Report, Verdict
    from viewer.core.progress import Progress
    from viewer.core.tensors.tensor import Tensor
    from viewer.session.damage import Left
    from viewer.session.session import Session
    from viewer.ui.dialogs.export import ExportDialog
    from viewer.ui.dialogs.export_jobs import Order
    from viewer.ui.window.frame import Frame

TORCH: Final = "torch"
CLOSING: Final = "closing"
NOW, LATER = "now", "later"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an export ended: what was written, None when it was stopped before; and whether it was stopped at all."""

    report: Report | None
    stopped: bool = False


class Exports(QObject):
    """The exports of one window, one at a time for each file; its dialog shows how far it is, or a bar how it ended."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window
        self._running: dict[Session, Progress] = {}
        self._orders: dict[Session, Order] = {}
        self._stopped: set[Session] = set()
        self._at_end = ""
        self._dialogs: dict[Session, ExportDialog] = {}
        window.workspace.removed.connect(self._forget)

    def handlers(self) -> dict[str, Callable[[], None]]:
        """What the commands of the menus do that are about exports."""
        forms = ("state_dict", "npz", "safetensors", "source", "recovery", "imports", "listing")
        found: dict[str, Callable[[], None]] = {f"file.export_{form}": partial(self.ask, form) for form in forms}
        rest: dict[str, Callable[[], None]] = {
            "file.export_found": self.ask_found,
            "file.rescue": self.rescue,
            "tensor.export": self.ask_tensor,
        }
        return found | rest

    def ask(
        self, form: str, tensors: Sequence[Tensor] = (), left: Left | None = None, *, compact: bool = False
    ) -> None:
        """Ask what is to be written, and write it. Panes ask for a form by its action: `file.export_recovery`.

        `left`: of the damaged file that is rescued; what is not whole is told with the result. `compact`: of the
        tensors only the elements in use.
        """
        from viewer.ui.dialogs.export import ExportDialog

        session = self._window.session
        if session is None or session.root is None:
            return
        if session in self._dialogs:
            # It is being written, and the person comes back to see how far it is.
            self._dialogs[session].show()
            return
        folder = Path(self._window.workspace.settings.get(EXPORT_FOLDER) or session.path.absolute().parent)
        dialog = ExportDialog(session, self._window.theme, form, folder, tensors, self._window, compact)
        self._dialogs[session] = dialog
        dialog.ordered.connect(lambda order: self._begin(session, order, left))
        dialog.stopped.connect(partial(self.stop, session))
        dialog.finished.connect(partial(self._closed, session))
        session.progressed.connect(dialog.follow)
        dialog.open()

    def rescue(self) -> None:
        """Ask where the whole tensors of a damaged file are to be written."""
        left = self._window.session.left if self._window.session is not None else None
        if left is not None and left.can_be_rescued:
            self.ask("state_dict", left.whole, left)

    def ask_tensor(self) -> None:
        """Ask how the selected tensor is to be written."""
        session = self._window.session
        document = session.document if session is not None else None
        if session is not None and document is not None and session.selection.tensor is not None:
            self.ask("npz", (document.tensors[session.selection.tensor],))

    def ask_for(self, tensors: Sequence[Tensor], compact: bool) -> None:
        """Ask how tensors that a pane names are to be written."""
        self.ask("state_dict", tensors, compact=compact)

    def ask_found(self) -> None:
        """Ask how the tensors that the search found are to be written."""
        from viewer.ui.dialogs.export_choices import found_tensors

        session = self._window.session
        found = found_tensors(session) if session is not None else ()
        if found:
            self.ask("state_dict", found)

    def stop(self, session: Session) -> None:
        """Stop the export of a file; how far it came is told when it has stopped."""
        # Before the export is looked for: it may begin just now, or wait for a thread still.
        self._stopped.add(session)
        if session in self._running:
            self._running[session].cancel()

    def is_running(self, session: Session) -> bool:
        """True while something is written."""
        return session.jobs.is_running(EXPORT)

    def may_close(self) -> bool:
        """True where nothing is written, or the person said that it may end; else the person is asked in a bar."""
        targets = [order.target for session, order in self._orders.items() if self.is_running(session)]
        if not targets or self._at_end == NOW:
            return True
        title = self.tr("Still being written: {names}.").format(names=listed([target.name for target in targets]))
        actions = (
            (self.tr("Close when it is done"), partial(self._close, LATER)),
            (self.tr("Stop it and close"), partial(self._close, NOW)),
        )
        sentence = self.tr("What is stopped leaves nothing behind.")
        self._window.say(Message("warning", title, sentence, actions, CLOSING))
        return False

    def _close(self, when: str) -> None:
        self._at_end = when
        if when == NOW or not self._orders:
            self._window.close()

    def _ended(self, session: Session, *, good: bool) -> None:
        """The last export of a window that is to be closed closes it, unless there is a failure to be told."""
        self._running.pop(session, None)
        self._take_order(session)
        if not good:
            self._at_end = ""
        elif self._at_end == LATER and not self._orders:
            self._window.close()

    def _take_order(self, session: Session) -> Order | None:
        """It is not written any more; the question about those that are goes with the last."""
        order = self._orders.pop(session, None)
        if not self._orders:
            self._window.bars.dismiss(CLOSING)
        return order

    def _begin(self, session: Session, order: Order, left: Left | None) -> None:
        self._window.workspace.settings.set(EXPORT_FOLDER, str(order.target.absolute().parent))

        self._stopped.discard(session)
        self._orders[session] = order

        def work(progress: Progress) -> Outcome:
            self._running[session] = progress
            return write(order, progress) if session not in self._stopped else Outcome(None, stopped=True)

        session.start(EXPORT, work, partial(self._done, session, order, left), partial(self._failed, session, order))

    def _closed(self, session: Session, *_: object) -> None:
        dialog = self._dialogs.pop(session, None)
        if dialog is not None:
            dialog.deleteLater()

    def _forget(self, session: Session) -> None:
        """The file was closed, and its work with it: nobody tells the dialog of an end."""
        self._running.pop(session, None)
        self._stopped.discard(session)
        order = self._take_order(session)
        if session in self._dialogs:
            self._dialogs[session].leave()
        if order is not None and self._at_end != NOW:
            title = self.tr("The export to {name} was stopped.").format(name=printable(order.target.name))
            self._window.say(Message("note", title, self.tr("Its file was closed."), key=EXPORT))

    def _tell(self, session: Session, message: Message) -> None:
        """Where the person looks: in the dialog, or in a bar when it was hidden."""
        dialog = self._dialogs.get(session)
        if dialog is not None and dialog.isVisible():
            dialog.show_end(message)
            return
        if dialog is not None:
            dialog.leave()
        self._window.say(message)

    def _done(self, session: Session, order: Order, left: Left | None, outcome: Outcome) -> None:
        from viewer.ui.models.damage_words import left_words
        from viewer.ui.models.export_words import written_of
        from viewer.wording.exports import LINES, VERDICTS

        name = printable(order.target.name)
        report = outcome.report
        if report is None:
            self._ended(session, good=False)
            title = self.tr("The export to {name} was stopped.").format(name=name)
            self._tell(session, Message("note", title, self.tr("Nothing was written."), key=EXPORT, about=session))
            return
        verdict = report.verdict
        title = self.tr("Exported {tensors} to {name}.").format(tensors=written_of(report.plan), name=name)
        severity = severity_of(verdict)
        self._ended(session, good=severity == "done")
        if verdict is not None:
            sentence = said(VERDICTS[verdict.code], verdict.params)
        else:
            sentence = self.tr("Checking it was stopped.") if outcome.stopped else ""
        sentence = paragraph(*(said(LINES[line.code], line.params) for line in report.lines), sentence)
        if left is None and report.plan.needs.startswith(TORCH):
            sentence = paragraph(sentence, said(LINES["needs"], {"needs": report.plan.needs}))
        if left is not None:
            sentence = paragraph(left_words(left), sentence)
        self._tell(session, Message(severity, title, sentence, self._actions(session, order, left), EXPORT, session))

    def _actions(self, session: Session, order: Order, left: Left | None) -> tuple[tuple[str, Callable[[], None]], ...]:
        """What can be done with the result."""
        from viewer.ui.models.damage_words import report

        target = order.target.absolute()
        lost = self.tr("The list of what is lost is on the clipboard.")
        path = self.tr("The path is on the clipboard.")
        if left is not None:
            return (
                (self.tr("Open it"), partial(self._open, session, target)),
                (self.tr("Copy what is lost"), lambda: self._copy(session, report(left), lost)),
            )
        folder = QUrl.fromLocalFile(str(target if order.exporter.folder else target.parent))
        words = self.tr("Open folder") if order.exporter.folder else self.tr("Show in folder")
        if order.exporter.takes == "tensors" and not order.exporter.folder:
            return ((words, lambda: show(folder)), (self.tr("Open it"), partial(self._open, session, target)))
        return (
            (words, lambda: show(folder)),
            (self.tr("Copy path"), lambda: self._copy(session, str(target), path)),
        )

    def _copy(self, session: Session, text: str, done: str) -> None:
        """Put a text on the clipboard, and say so where the person looks."""
        QGuiApplication.clipboard().setText(text)
        dialog = self._dialogs.get(session)
        if dialog is not None and dialog.isVisible():
            dialog.foot.add_words(done)
        else:
            self._window.say(Message("done", done, key=EXPORT, about=session))

    def _open(self, session: Session, target: Path) -> None:
        if session in self._dialogs:
            self._dialogs[session].leave()
        self._window.workspace.open(target)

    def _failed(self, session: Session, order: Order, failure: Exception) -> None:
        self._ended(session, good=False)
        title = self.tr("{name} was not written.").format(name=printable(order.target.name))
        self._tell(session, Message("error", title, of_failure(failure), key=EXPORT, about=session))


def severity_of(verdict: Verdict | None) -> str:
    """How loudly the end of an export is told."""
    if verdict is None or not verdict.is_fault:
        return "done"
    return "error" if verdict.good is False else "warning"


def show(folder: QUrl) -> None:
    """Show a folder in the person's file manager."""
    QDesktopServices.openUrl(folder)


def write(order: Order, progress: Progress) -> Outcome:
    """Write and verify. A stop before the end of writing leaves nothing, one during the check leaves the file."""
    from viewer import torch_client

    try:
        report = order.exporter.write(order.plan, order.target, progress, order.overwrite)
    except CancelledError:
        return Outcome(None, stopped=True)
    progress.at("", 0, 0)
    if not order.verify:
        return Outcome(report)
    try:
        return Outcome(replace(report, verdict=torch_client.verify(report, progress)))
    except CancelledError:
        return Outcome(report, stopped=True)
