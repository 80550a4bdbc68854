"""The keys of one command: each can be taken away, new ones are pressed, and who has them already is told by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from viewer.ui.command_keys import CommandKeys, native
from viewer.ui.measures import keep_lengths, keep_text, keep_theme
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.key_field import KeyField, stands
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import left_to_right, said
from viewer.wording.panes import PANE_KEYS


class KeysOfCommand(QWidget):
    """Below the list. `titles`: names of the commands by id; `menus`: titles of the menus by the keys that open them.

    `list_`: what the keyboard comes from.

    left: the person is done with this command.
        Signal()
    """

    left = Signal()

    def __init__(
        self,
        keys: CommandKeys,
        titles: Mapping[str, str],
        menus: Mapping[str, str],
        theme: Theme,
        list_: QWidget,
    ) -> None:
        super().__init__()
        self._list = list_
        self._keys = keys
        self._titles = titles
        self._menus = menus
        self._theme = theme
        keep_theme(theme, self)
        self.command = ""
        self.name = QLabel()
        keep_text(theme, self.name, "heading")
        self.buttons: list[QPushButton] = []
        self._flow = QWidget()
        self._row = FlowLayout(self._flow)
        keep_lengths(theme, self._row.setSpacing, 6)
        self.field = KeyField()
        self.field.pressed.connect(self._pressed)
        self.field.left.connect(self.left)
        self.back = self._plain_button(self.tr("Put back"))
        self.back.clicked.connect(self._put_back)
        self.words = WrappedLabel()
        self.answer = self._plain_button("")
        self._answered: Callable[[], None] = lambda: None
        self.answer.clicked.connect(lambda: self._answered())
        self._lay_out()
        self.say("")

    def _lay_out(self) -> None:
        grid = QGridLayout()
        keep_lengths(self._theme, grid.setHorizontalSpacing, 8)
        grid.addWidget(self.field, 0, 0)
        grid.addWidget(self.back, 0, 1)
        grid.addWidget(self.words, 1, 0)
        grid.addWidget(self.answer, 1, 1, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(0, 1)
        column = QVBoxLayout(self)
        keep_lengths(self._theme, column.setContentsMargins, 0, 4, 0, 0)
        column.addWidget(self.name)
        column.addWidget(self._flow)
        column.addLayout(grid)

    def show_command(self, command: str) -> None:
        """Look at another command, "" for none."""
        if command != self.command:
            self.say("")
        self.command = command
        title = self._titles.get(command, "")
        self.name.setText(title or self.tr("No command selected"))
        self.field.setEnabled(bool(command))
        self.field.setAccessibleName(self.tr("New keys for {command}").format(command=title))
        usual = ", ".join(map(native, self._keys.usual(command))) if command else ""
        words = self.tr("Back to {keys}").format(keys=left_to_right(usual)) if usual else self.tr("Back to no keys")
        self.back.setToolTip(words)
        self.back.setAccessibleDescription(words)
        self.back.setEnabled(bool(command) and self._keys.is_changed(command))
        self._show_keys(self._keys.of(command) if command else ())

    def say(self, sentence: str, answer: str = "", act: Callable[[], None] | None = None) -> None:
        """Tell something, with a button where there is something to decide."""
        self.words.setText(sentence)
        self.words.setAccessibleName(sentence)
        self.answer.setText(answer)
        self.answer.setVisible(bool(answer))
        self._answered = act or (lambda: None)

    def take_focus(self) -> None:
        """The next keys are for this command."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- keys -------------------------------------------------------------------------------------

    def _show_keys(self, keys: tuple[str, ...]) -> None:
        for button in self.buttons:
            button.setParent(None)
            button.deleteLater()
        self.buttons = []
        for key in keys:
            button = self._plain_button(left_to_right(native(key)))
            button.setIcon(icon(self._theme, "close"))
            words = self.tr("Take {keys} away").format(keys=left_to_right(native(key)))
            button.setToolTip(words)
            button.setAccessibleName(words)
            button.clicked.connect(lambda _=False, key=key: self._take_away(key))
            self._row.addWidget(button)
            button.setVisible(True)
            # By Tab too they stand between the list and the field.
            self.setTabOrder(self.buttons[-1] if self.buttons else self._list, button)
            self.buttons.append(button)
        self._flow.setVisible(bool(keys))

    def _plain_button(self, words: str) -> QPushButton:
        made = QPushButton(words)
        # Else Enter in the list would press it.
        made.setAutoDefault(False)
        return made

    def _take_away(self, key: str) -> None:
        self._keys.give(self.command, tuple(one for one in self._keys.of(self.command) if one != key))
        self.say(self.tr("{keys} is free.").format(keys=left_to_right(native(key))))
        self.take_focus()

    def _pressed(self, key: str) -> None:
        shown = left_to_right(native(key))
        owner, of_pane = self._keys.owner(key), next((one for one in PANE_KEYS if key in one.keys), None)
        if not stands(key):
            self.say(self.tr("{keys} alone writes or moves. Press it with Ctrl, Alt or Meta.").format(keys=shown))
        elif key in self._menus:
            words = self.tr("{keys} opens the menu {menu}. Press other keys.")
            self.say(words.format(keys=shown, menu=self._menus[key]))
        elif owner == self.command:
            self.say(self.tr("It has {keys} already.").format(keys=shown))
        elif owner:
            words = self.tr("{keys} belongs to {command}.").format(keys=shown, command=self._titles[owner])
            self.say(words, self.tr("Take it from there"), lambda: self._add(key))
        elif of_pane is not None:
            words = self.tr("{keys} does something in {pane}: {action}. The command would go before it.")
            pane = self._titles.get(f"pane.{of_pane.pane}", "")
            self.say(
                words.format(keys=shown, pane=pane, action=said(of_pane.title)),
                self.tr("Take it all the same"),
                lambda: self._add(key),
            )
        else:
            self._add(key)

    def _add(self, key: str) -> None:
        self._keys.give(self.command, (*self._keys.of(self.command), key))
        self.say(self.tr("{keys} is its key now.").format(keys=left_to_right(native(key))))
        self.take_focus()

    def _put_back(self) -> None:
        usual = self._keys.usual(self.command)
        owners = {key: self._keys.owner(key) for key in usual}
        lost = [(key, owner) for key, owner in owners.items() if owner not in ("", self.command)]
        if not lost:
            self._give_usual()
            return
        key, owner = lost[0]
        words = self.tr("{keys} belongs to {command}.")
        sentence = words.format(keys=left_to_right(native(key)), command=self._titles[owner])
        self.say(sentence, self.tr("Take it from there"), self._give_usual)

    def _give_usual(self) -> None:
        self._keys.give(self.command, self._keys.usual(self.command))
        self.say(self.tr("It has its usual keys."))
        self.take_focus()
