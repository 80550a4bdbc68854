"""What happens to files, as bars: refused, unreadable, damaged, changed on the disk; and what panes have to say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTime

from viewer.core.errors import FolderChoiceError, ViewerError
from viewer.core.source import printable
from viewer.session.places import MOVED, SAME
from viewer.ui.widgets.message_bar import Message
from viewer.ui.words import count, ended, of_failure, of_problem, paragraph

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.problem import Problem
    from viewer.session.places import Found
    from viewer.session.session import Session
    from viewer.ui.window.commands import Commands
    from viewer.ui.window.file_view import FileView
    from viewer.ui.window.frame import Frame

Action = tuple[str, Callable[[], None]]
ALARM: Final = "alarm"
DAMAGE: Final = "damage"
DISK: Final = "disk"
KNOWN: Final = "known"
NOT_KEPT: Final = "not kept"
MOST: Final = 2
"""Actions in a bar."""
MOST_AT_ONCE: Final = 20
"""Files of a folder that are offered to be opened together."""
PART: Final = "part"
REFUSED: Final = "refused"


class News(QObject):
    """Turns signals into messages of one window."""

    def __init__(self, window: Frame, commands: Commands) -> None:
        super().__init__(window)
        self._window = window
        self._commands = commands
        self._read_at: dict[Session, QTime] = {}
        self._told: WeakKeyDictionary[Session, Document | None] = WeakKeyDictionary()
        self._whole: WeakKeyDictionary[Session, Document | None] = WeakKeyDictionary()
        window.workspace.refused.connect(self.refused)
        window.workspace.changed_on_disk.connect(self.changed_on_disk)
        for kept in (window.workspace.places, window.workspace.bookmarks, window.workspace.recent):
            kept.folder.failed.connect(self.not_kept)
            if kept.folder.failure is not None:
                self.not_kept(kept.folder.failure)

    def follow(self, session: Session, view: FileView) -> None:
        """Listen to a file and to its panes."""
        session.source_ready.connect(lambda: self._read_at.update({session: QTime.currentTime()}))
        session.document_changed.connect(lambda: self.damage(session))
        session.document_changed.connect(lambda: self.part_of_set(session))
        session.sums.changed.connect(lambda: self.sums(session))
        session.failed.connect(lambda failure: self.failed(session, failure))
        view.said.connect(partial(self.said_by_pane, session))
        view.alarmed.connect(partial(self.alarmed, session))

    def came_back(self, session: Session, found: Found) -> None:
        """The file was open before: say so where it was moved since, or is another one."""
        if found.how == SAME:
            return
        name = printable(session.path.name)
        if found.how == MOVED:
            title = self.tr("{name} was moved since it was open.").format(name=name)
            sentence = self.tr("It was {path} then. Its place and its bookmarks are those of before.")
            self._window.say(
                Message("note", title, sentence.format(path=printable(found.path)), key=KNOWN, about=session)
            )
            return
        title = self.tr("{name} has changed since it was open.").format(name=name)
        sentence = self.tr("Its place and its bookmarks are those of before, and may not fit.")
        anew: Action = (self.tr("Begin anew"), lambda: self._commands.remembering.begin_anew(session))
        self._window.say(Message("note", title, sentence, (anew,), KNOWN, session))

    def not_kept(self, failure: Exception) -> None:
        """The folder for what is remembered of files cannot be written; told once."""
        title = self.tr("How files are left could not be kept.")
        self._window.say(Message("warning", title, of_failure(failure), key=NOT_KEPT))

    def said_by_pane(self, session: Session, severity: str, title: str, sentence: str) -> None:
        """A pane has something to tell."""
        self._window.say(Message(severity, title, sentence, about=session))

    def alarmed(self, session: Session, title: str, sentence: str) -> None:
        """Loading the file would do harm, and no pane in front says so."""
        self._window.bars.dismiss(ALARM, session)
        if title:
            show: Action = (self.tr("Show imports"), lambda: self._commands.show_pane("imports"))
            self._window.say(Message("error", ended(title), sentence, (show,), ALARM, session))

    def refused(self, path: Path, failure: Exception) -> None:
        """A file could not be opened."""
        window, actions = self._window, list[Action]()
        if isinstance(failure, ViewerError) and failure.code in ("file-is-folder", "folder-choice"):
            actions = [
                *self._all_of(path, failure),
                (self.tr("Choose a file in it"), partial(self._commands.open_in, path)),
            ]
        if isinstance(failure, ViewerError) and failure.code == "file-missing":
            actions = list(self._commands.remembering.actions_on_missing(str(path.absolute())))
        title = self.tr("{name} was not opened.").format(name=printable(path.name or str(path)))
        window.say(Message("error", title, of_failure(failure), tuple(actions), f"{REFUSED} {path}"))

    def _all_of(self, folder: Path, failure: ViewerError) -> Iterator[Action]:
        """The offer to open all files of a folder with several models, where they are not too many for tabs."""
        if isinstance(failure, FolderChoiceError) and 1 < len(failure.names) <= MOST_AT_ONCE:
            paths = [str(folder / name) for name in failure.names]
            words = self.tr("Open all {count}").format(count=count(len(paths)))
            yield words, partial(self._commands.open_paths, paths)

    def failed(self, session: Session, failure: Exception) -> None:
        """A file that was open could not be read on."""
        title = self.tr("{name} could not be read.").format(name=printable(session.path.name))
        self._window.say(Message("error", title, of_failure(failure), key="failed", about=session))

    def damage(self, session: Session, *, again: bool = False) -> None:
        """The file is decoded: say the worst that was found, once a reading. `again`: more was found since."""
        if session.root is self._told.get(session) and not again:
            return
        from viewer.core.problem import Severity
        from viewer.ui.models.damage_words import sentence_on, worst_of

        self._told[session] = session.root
        window = self._window
        window.bars.dismiss(DAMAGE, session)
        found = [problem for part in session.documents for problem in part.problems]
        worst = worst_of(found)
        if worst is None:
            self._doubts(session)
            return
        sentence = sentence_on(worst, session.left)
        actions = [*self._remedies(session, worst), *self._rescue(session)]
        errors = sum(problem.severity is Severity.ERROR for problem in found)
        if errors > 1:
            if session.left is None:
                more = self.tr("{0} more are listed under Problems.").format(count(errors - 1))
                sentence = paragraph(sentence, more)
            if len(actions) < MOST:
                actions.append((self.tr("Show problems"), lambda: self._commands.show_pane("problems")))
        if worst.span is not None and len(actions) < MOST:
            actions.append((self.tr("Show the place"), lambda: self._show(session, worst)))
        window.say(Message("error", ended(of_problem(worst).title), sentence, tuple(actions), DAMAGE, session))

    def _doubts(self, session: Session) -> None:
        """Nothing is lost; tell of a warning that one click settles."""
        from viewer.core.problem import Severity
        from viewer.ui.models.remedies import remedies

        for document in session.documents:
            for problem in document.problems:
                offered = remedies(session, document, problem) if problem.severity is Severity.WARNING else []
                if offered:
                    words, actions = of_problem(problem), tuple((one.words, one.act) for one in offered)
                    message = Message("warning", ended(words.title), words.detail, actions, DAMAGE, session)
                    self._window.say(message)
                    return

    def part_of_set(self, session: Session) -> None:
        """One file of a set was opened: say that the whole is shown, or that it is not, once a reading."""
        before, root = self._whole.get(session), session.root
        if root is None or root is before:
            return
        self._whole[session] = root
        self._window.bars.dismiss(PART, session)
        name = printable(root.opened_by or session.path.name)
        actions: tuple[Action, ...]
        if root.opened_by:
            number = sum(1 for part in root.children if part.is_member)
            words = self.tr("{name} is part of a model in several files ({count}).")
            title = words.format(name=name, count=count(number))
            sentence = self.tr("The whole model is shown.")
            actions = ((self.tr("Show this file alone"), lambda: session.reread(whole_set=False)),)
        elif before is not None and before.opened_by and not session.options.whole_set:
            title = self.tr("{name} is shown alone.").format(name=name)
            sentence = self.tr("It is part of a model in several files.")
            actions = ((self.tr("Show the whole model"), lambda: session.reread(whole_set=True)),)
        else:
            return
        self._window.say(Message("note", title, sentence, actions, PART, session))

    def sums(self, session: Session) -> None:
        """The checksums were read: what does not fit is damage too."""
        if session.sums.done and session.sums.bad:
            self.damage(session, again=True)

    def _remedies(self, session: Session, worst: Problem) -> list[Action]:
        """What a click can do about the problem that the bar tells of."""
        from viewer.ui.models.remedies import acting, remedies

        say = partial(self.said_by_pane, session)
        document = next((part for part in session.documents if worst in part.problems), session.documents[0])
        return [(remedy.words, acting(remedy, say)) for remedy in remedies(session, document, worst)]

    def _rescue(self, session: Session) -> list[Action]:
        """The offer to write what is whole, where something is and something is not."""
        left = session.left
        if left is None or not left.can_be_rescued:
            return []
        whole = len(left.whole)
        words = self.tr("Rescue 1 whole tensor") if whole == 1 else self.tr("Rescue {0} whole tensors")
        return [(words.format(count(whole)), self._commands.exports.rescue)]

    def changed_on_disk(self, session: Session, what: str, names: list[str]) -> None:
        """A file is not what was read. `names`: which ones; of a set it is said."""
        window = self._window
        read_at = self._read_at.get(session, QTime.currentTime()).toString("HH:mm")
        again: tuple[Action, ...] = ((self.tr("Read again"), lambda: self._commands.reload(session)),)
        if session.root is not None and session.root.files:
            title = self._of_set(what, names)
            sentence = self.tr("What you see was read at {time}. What was not looked at yet may not fit it.")
        elif what == "gone":
            title = self.tr("The file is no longer there.")
            sentence = self.tr("What you see was read at {time} and stays readable while it is open.")
            again = ()
        else:
            title = self.tr("The file has changed on disk.")
            sentence = self.tr("What you see was read at {time}. Your place is kept.")
        window.say(Message("warning", title, sentence.format(time=read_at), again, DISK, session))

    def _of_set(self, what: str, names: list[str]) -> str:
        """What happened to files of a set."""
        is_gone = what == "gone"
        if len(names) == 1:
            words = self.tr("{name} is no longer there.") if is_gone else self.tr("{name} has changed on disk.")
            return words.format(name=printable(names[0]))
        if is_gone:
            return self.tr("{0} files of the set are no longer there.").format(count(len(names)))
        return self.tr("{0} files of the set have changed on disk.").format(count(len(names)))

    def _show(self, session: Session, problem: Problem) -> None:
        document = next((part.index for part in session.documents if problem in part.problems), 0)
        if problem.span is not None:
            session.select_bytes((problem.span,), "problems", document=document)
            self._commands.show_pane("hex")
