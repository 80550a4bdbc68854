"""Every command of the program, declared once; menus, toolbar, palette and the list of shortcuts are made from it.

To add one: a line in ACTIONS, and under the same id a handler in `window/commands.py` (or in a pane's `commands`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from viewer.ui.bookmark_keys import BOOKMARKS
from viewer.ui.late_icons import LateIcons
from viewer.ui.theme import Theme
from viewer.wording import QT_TRANSLATE_NOOP


class Fact(StrEnum):
    """What must hold for a command to be on."""

    ALWAYS = "always"
    FILE = "a file is open"
    TABS = "several files are open"
    DECODED = "the file is decoded"
    BUSY = "work is being done"
    DAMAGED = "some tensors are whole and some are not"
    PACKED = "parts of the file stay packed"
    TENSORS = "the file holds tensors"
    TENSOR = "a tensor is selected"
    FOUND = "a search found tensors"
    BYTES = "the file has bytes"
    SOURCES = "the file stores source"
    MODULES = "the file holds modules"
    PROBLEMS = "the file has problems"
    BACK = "an earlier place is known"
    FORWARD = "a later place is known"
    PANE = "a pane can do it"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One command. `title` is English, marked for translation. `menu`: File, or View/Theme for a menu inside one.

    `shortcuts`: portable names, the first is shown. `group`: a line separates the groups of a menu.
    `choice`: a set of which one is on.
    """

    id: str
    title: str
    menu: str
    needs: Fact = Fact.ALWAYS
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    group: int = 0
    choice: str = ""

    @property
    def text(self) -> str:
        """The title in the person's language."""
        return QCoreApplication.translate("actions", self.title)


ACTIONS: Final = (
    ActionSpec("file.open", QT_TRANSLATE_NOOP("actions", "Open…"), "File", shortcuts=("Ctrl+O",), icon="open"),
    ActionSpec("file.open_folder", QT_TRANSLATE_NOOP("actions", "Open folder…"), "File", icon="folder"),
    ActionSpec("file.close", QT_TRANSLATE_NOOP("actions", "Close tab"), "File", Fact.FILE, ("Ctrl+W",), group=1),
    ActionSpec("file.reload", QT_TRANSLATE_NOOP("actions", "Read again"), "File", Fact.FILE, ("F5",), "reload", 1),
    ActionSpec(
        "file.export_state_dict",
        QT_TRANSLATE_NOOP("actions", "Export state_dict…"),
        "File",
        Fact.TENSORS,
        ("Ctrl+E",),
        group=2,
    ),
    ActionSpec(
        "file.export_npz", QT_TRANSLATE_NOOP("actions", "Export npz…"), "File", Fact.TENSORS, ("Ctrl+Shift+E",), group=2
    ),
    ActionSpec(
        "file.export_safetensors", QT_TRANSLATE_NOOP("actions", "Export safetensors…"), "File", Fact.TENSORS, group=2
    ),
    ActionSpec(
        "file.export_source",
        QT_TRANSLATE_NOOP("actions", "Save source as files…"),
        "File",
        Fact.SOURCES,
        icon="source",
        group=2,
    ),
    ActionSpec(
        "file.export_recovery",
        QT_TRANSLATE_NOOP("actions", "Write recovery kit…"),
        "File",
        Fact.MODULES,
        icon="rescue",
        group=2,
    ),
    ActionSpec(
        "file.export_imports",
        QT_TRANSLATE_NOOP("actions", "Save import report…"),
        "File",
        Fact.DECODED,
        icon="shield",
        group=2,
    ),
    ActionSpec(
        "file.export_listing",
        QT_TRANSLATE_NOOP("actions", "Save pickle listing…"),
        "File",
        Fact.DECODED,
        icon="pickle",
        group=2,
    ),
    ActionSpec(
        "file.export_found",
        QT_TRANSLATE_NOOP("actions", "Export tensors found…"),
        "File",
        Fact.FOUND,
        icon="search",
        group=2,
    ),
    ActionSpec(
        "file.rescue",
        QT_TRANSLATE_NOOP("actions", "Rescue whole tensors…"),
        "File",
        Fact.DAMAGED,
        icon="rescue",
        group=2,
    ),
    ActionSpec("file.copy_path", QT_TRANSLATE_NOOP("actions", "Copy path"), "File", Fact.FILE, group=3),
    ActionSpec("file.show_folder", QT_TRANSLATE_NOOP("actions", "Show in folder"), "File", Fact.FILE, group=3),
    ActionSpec(
        "file.pin",
        QT_TRANSLATE_NOOP("actions", "Pin in recent files"),
        "File",
        Fact.FILE,
        icon="pin",
        group=3,
        choice="pin",
    ),
    ActionSpec("file.forget", QT_TRANSLATE_NOOP("actions", "Forget this file"), "File", Fact.FILE, group=4),
    ActionSpec("file.forget_all", QT_TRANSLATE_NOOP("actions", "Forget all files"), "File", group=4),
    ActionSpec("file.quit", QT_TRANSLATE_NOOP("actions", "Quit"), "File", shortcuts=("Ctrl+Q",), group=5),
    ActionSpec("edit.copy_hex", QT_TRANSLATE_NOOP("actions", "Copy as hex"), "Edit", Fact.PANE, ("Ctrl+C",), "copy"),
    ActionSpec("edit.copy_text", QT_TRANSLATE_NOOP("actions", "Copy as text"), "Edit", Fact.PANE, ("Ctrl+Shift+C",)),
    ActionSpec("edit.copy_file", QT_TRANSLATE_NOOP("actions", "Copy as file"), "Edit", Fact.PANE),
    ActionSpec(
        "edit.bookmark", QT_TRANSLATE_NOOP("actions", "Add bookmark"), "Edit", Fact.PANE, ("Ctrl+D",), "bookmark", 1
    ),
    ActionSpec("edit.byte_facts", QT_TRANSLATE_NOOP("actions", "Checksums of the bytes"), "Edit", Fact.PANE, group=1),
    ActionSpec("edit.save_bytes", QT_TRANSLATE_NOOP("actions", "Save selected bytes…"), "Edit", Fact.PANE, group=1),
    ActionSpec("edit.select_all", QT_TRANSLATE_NOOP("actions", "Select all"), "Edit", Fact.PANE, ("Ctrl+A",), group=1),
    ActionSpec("edit.find", QT_TRANSLATE_NOOP("actions", "Find…"), "Edit", Fact.PANE, ("Ctrl+F",), "find", 2),
    ActionSpec("edit.find_next", QT_TRANSLATE_NOOP("actions", "Find next"), "Edit", Fact.PANE, ("F3",), group=2),
    ActionSpec(
        "edit.find_previous", QT_TRANSLATE_NOOP("actions", "Find previous"), "Edit", Fact.PANE, ("Shift+F3",), group=2
    ),
    ActionSpec("edit.find_this", QT_TRANSLATE_NOOP("actions", "Find these"), "Edit", Fact.PANE, ("Ctrl+F3",), group=2),
    ActionSpec("edit.strings", QT_TRANSLATE_NOOP("actions", "List strings"), "Edit", Fact.PANE, group=2),
    ActionSpec(
        "edit.search",
        QT_TRANSLATE_NOOP("actions", "Search everything"),
        "Edit",
        Fact.FILE,
        ("Ctrl+Shift+F",),
        "search",
        group=3,
    ),
    ActionSpec(
        "edit.preferences",
        QT_TRANSLATE_NOOP("actions", "Preferences…"),
        "Edit",
        shortcuts=("Ctrl+,",),
        icon="options",
        group=9,
    ),
    ActionSpec("view.layout.bytes", QT_TRANSLATE_NOOP("actions", "Bytes"), "View/Layout", Fact.FILE, ("Ctrl+1",)),
    ActionSpec(
        "view.layout.structure", QT_TRANSLATE_NOOP("actions", "Structure"), "View/Layout", Fact.FILE, ("Ctrl+2",)
    ),
    ActionSpec("view.layout.tensors", QT_TRANSLATE_NOOP("actions", "Tensors"), "View/Layout", Fact.FILE, ("Ctrl+3",)),
    ActionSpec("view.layout.source", QT_TRANSLATE_NOOP("actions", "Source"), "View/Layout", Fact.FILE, ("Ctrl+4",)),
    ActionSpec("view.layout.compare", QT_TRANSLATE_NOOP("actions", "Compare"), "View/Layout", Fact.FILE, ("Ctrl+5",)),
    ActionSpec("view.layout.reset", QT_TRANSLATE_NOOP("actions", "Reset"), "View/Layout", Fact.FILE, group=1),
    ActionSpec(
        "view.text_larger", QT_TRANSLATE_NOOP("actions", "Larger"), "View/Text size", shortcuts=("Ctrl++", "Ctrl+=")
    ),
    ActionSpec("view.text_smaller", QT_TRANSLATE_NOOP("actions", "Smaller"), "View/Text size", shortcuts=("Ctrl+-",)),
    ActionSpec(
        "view.text_normal", QT_TRANSLATE_NOOP("actions", "As the system's"), "View/Text size", shortcuts=("Ctrl+0",)
    ),
    ActionSpec("view.theme.system", QT_TRANSLATE_NOOP("actions", "As the system"), "View/Theme", choice="theme"),
    ActionSpec("view.theme.light", QT_TRANSLATE_NOOP("actions", "Light"), "View/Theme", icon="sun", choice="theme"),
    ActionSpec("view.theme.dark", QT_TRANSLATE_NOOP("actions", "Dark"), "View/Theme", icon="moon", choice="theme"),
    ActionSpec(
        "view.full_screen",
        QT_TRANSLATE_NOOP("actions", "Full screen"),
        "View",
        shortcuts=("F11",),
        group=1,
        choice="full",
    ),
    ActionSpec("view.byte_look", QT_TRANSLATE_NOOP("actions", "How the bytes look…"), "View", Fact.PANE, group=2),
    ActionSpec("view.columns", QT_TRANSLATE_NOOP("actions", "Columns…"), "View", Fact.PANE, ("Ctrl+Shift+K",), group=2),
    ActionSpec("go.back", QT_TRANSLATE_NOOP("actions", "Back"), "Go", Fact.BACK, ("Alt+Left",), "back"),
    ActionSpec("go.forward", QT_TRANSLATE_NOOP("actions", "Forward"), "Go", Fact.FORWARD, ("Alt+Right",), "forward"),
    ActionSpec(
        "go.offset", QT_TRANSLATE_NOOP("actions", "Go to offset…"), "Go", Fact.BYTES, ("Ctrl+G", "Ctrl+L"), "goto", 1
    ),
    ActionSpec("go.first_byte", QT_TRANSLATE_NOOP("actions", "First byte"), "Go", Fact.BYTES, ("Ctrl+Home",), group=1),
    ActionSpec("go.last_byte", QT_TRANSLATE_NOOP("actions", "Last byte"), "Go", Fact.BYTES, ("Ctrl+End",), group=1),
    ActionSpec("go.selection", QT_TRANSLATE_NOOP("actions", "Selection"), "Go", Fact.PANE, ("Ctrl+J",), group=1),
    ActionSpec("go.run_end", QT_TRANSLATE_NOOP("actions", "End of equal bytes"), "Go", Fact.PANE, ("Ctrl+]",), group=1),
    ActionSpec(
        "go.run_start", QT_TRANSLATE_NOOP("actions", "Start of equal bytes"), "Go", Fact.PANE, ("Ctrl+[",), group=1
    ),
    *(
        ActionSpec(f"go.bookmark_{number}", title, "Go/Bookmark", Fact.PANE, (f"Alt+{number}",))
        for number, title in enumerate(BOOKMARKS, 1)
    ),
    ActionSpec("go.owner", QT_TRANSLATE_NOOP("actions", "Select the owner"), "Go", Fact.PANE, group=1),
    ActionSpec("go.parent", QT_TRANSLATE_NOOP("actions", "Select parent"), "Go", Fact.PANE, ("Alt+Up",), group=1),
    ActionSpec(
        "go.next_problem", QT_TRANSLATE_NOOP("actions", "Next problem"), "Go", Fact.PROBLEMS, ("F8",), "warning", 2
    ),
    ActionSpec(
        "go.previous_problem",
        QT_TRANSLATE_NOOP("actions", "Previous problem"),
        "Go",
        Fact.PROBLEMS,
        ("Shift+F8",),
        group=2,
    ),
    ActionSpec(
        "go.class_source", QT_TRANSLATE_NOOP("actions", "Go to class source"), "Go", Fact.PANE, icon="source", group=3
    ),
    ActionSpec(
        "go.first_object", QT_TRANSLATE_NOOP("actions", "Go to first object"), "Go", Fact.PANE, icon="object", group=3
    ),
    ActionSpec(
        "go.next_difference", QT_TRANSLATE_NOOP("actions", "Next difference"), "Go", Fact.PANE, ("F7",), "compare", 4
    ),
    ActionSpec(
        "go.previous_difference",
        QT_TRANSLATE_NOOP("actions", "Previous difference"),
        "Go",
        Fact.PANE,
        ("Shift+F7",),
        group=4,
    ),
    ActionSpec("go.mark", QT_TRANSLATE_NOOP("actions", "Go to MARK or end"), "Go", Fact.PANE, ("F4",), "mark", 5),
    ActionSpec(
        "go.maker", QT_TRANSLATE_NOOP("actions", "Go to maker of value"), "Go", Fact.PANE, ("Shift+F4",), group=5
    ),
    ActionSpec("go.memo_put", QT_TRANSLATE_NOOP("actions", "Go to PUT"), "Go", Fact.PANE, ("Shift+F9",), "memo", 5),
    ActionSpec("go.memo_get", QT_TRANSLATE_NOOP("actions", "Go to next GET"), "Go", Fact.PANE, ("F9",), group=5),
    ActionSpec("go.uses", QT_TRANSLATE_NOOP("actions", "List all uses"), "Go", Fact.PANE, ("Ctrl+F9",), "list", 5),
    ActionSpec(
        "go.import", QT_TRANSLATE_NOOP("actions", "Show the import"), "Go", Fact.PANE, ("Ctrl+Shift+F9",), "shield", 5
    ),
    ActionSpec(
        "go.next_hit", QT_TRANSLATE_NOOP("actions", "Next search result"), "Go", Fact.PANE, ("F2",), "search", 6
    ),
    ActionSpec(
        "go.previous_hit",
        QT_TRANSLATE_NOOP("actions", "Previous search result"),
        "Go",
        Fact.PANE,
        ("Shift+F2",),
        group=6,
    ),
    ActionSpec(
        "tensor.show_bytes", QT_TRANSLATE_NOOP("actions", "Show bytes"), "Tensor", Fact.TENSOR, ("Ctrl+B",), "bytes"
    ),
    ActionSpec(
        "tensor.show_values", QT_TRANSLATE_NOOP("actions", "Show values"), "Tensor", Fact.TENSOR, ("Ctrl+T",), "tensor"
    ),
    ActionSpec("tensor.show_histogram", QT_TRANSLATE_NOOP("actions", "Show histogram"), "Tensor", Fact.PANE),
    ActionSpec("tensor.show_heat_map", QT_TRANSLATE_NOOP("actions", "Show heat map"), "Tensor", Fact.PANE),
    ActionSpec("tensor.show_image", QT_TRANSLATE_NOOP("actions", "Show image"), "Tensor", Fact.PANE),
    ActionSpec("tensor.show_channels", QT_TRANSLATE_NOOP("actions", "Show channels"), "Tensor", Fact.PANE),
    ActionSpec(
        "tensor.copy_numpy", QT_TRANSLATE_NOOP("actions", "Copy numpy line"), "Tensor", Fact.PANE, icon="copy", group=1
    ),
    ActionSpec("tensor.export", QT_TRANSLATE_NOOP("actions", "Export tensor…"), "Tensor", Fact.TENSOR, (), "export", 2),
    ActionSpec(
        "tools.palette", QT_TRANSLATE_NOOP("actions", "Commands…"), "Tools", Fact.ALWAYS, ("Ctrl+Shift+P",), "commands"
    ),
    ActionSpec(
        "tools.compare",
        QT_TRANSLATE_NOOP("actions", "Compare with a file…"),
        "Tools",
        Fact.DECODED,
        ("Ctrl+Shift+D",),
        "compare",
        1,
    ),
    ActionSpec("tools.compare_bytes", QT_TRANSLATE_NOOP("actions", "Compare bytes with…"), "Tools", Fact.PANE, group=1),
    ActionSpec("tools.ask_torch", QT_TRANSLATE_NOOP("actions", "Ask torch"), "Tools", Fact.PANE, group=1),
    ActionSpec(
        "tools.copy_code", QT_TRANSLATE_NOOP("actions", "Copy loading code"), "Tools", Fact.DECODED, (), "copy", 1
    ),
    ActionSpec(
        "tools.copy_imports",
        QT_TRANSLATE_NOOP("actions", "Copy import report"),
        "Tools",
        Fact.PANE,
        icon="copy",
        group=1,
    ),
    ActionSpec(
        "tools.unpack_more", QT_TRANSLATE_NOOP("actions", "Unpack more"), "Tools", Fact.PACKED, icon="archive", group=1
    ),
    ActionSpec("tools.stop", QT_TRANSLATE_NOOP("actions", "Stop the work"), "Tools", Fact.BUSY, icon="close", group=2),
    ActionSpec("window.next_pane", QT_TRANSLATE_NOOP("actions", "Next pane"), "Window", Fact.FILE, ("F6",), group=1),
    ActionSpec(
        "window.previous_pane",
        QT_TRANSLATE_NOOP("actions", "Previous pane"),
        "Window",
        Fact.FILE,
        ("Shift+F6",),
        group=1,
    ),
    ActionSpec(
        "window.next_tab", QT_TRANSLATE_NOOP("actions", "Next file"), "Window", Fact.TABS, ("Ctrl+Tab",), group=2
    ),
    ActionSpec(
        "window.previous_tab",
        QT_TRANSLATE_NOOP("actions", "Previous file"),
        "Window",
        Fact.TABS,
        ("Ctrl+Shift+Tab",),
        group=2,
    ),
    ActionSpec("window.tab_left", QT_TRANSLATE_NOOP("actions", "Move file back"), "Window", Fact.TABS, group=2),
    ActionSpec("window.tab_right", QT_TRANSLATE_NOOP("actions", "Move file on"), "Window", Fact.TABS, group=2),
    ActionSpec("help.here", QT_TRANSLATE_NOOP("actions", "Help on this pane"), "Help", shortcuts=("F1",), icon="info"),
    ActionSpec("help.tour", QT_TRANSLATE_NOOP("actions", "Tour in three steps"), "Help"),
    ActionSpec("help.shortcuts", QT_TRANSLATE_NOOP("actions", "Keyboard shortcuts"), "Help", Fact.ALWAYS, ("Ctrl+F1",)),
    ActionSpec("help.panes", QT_TRANSLATE_NOOP("actions", "Panes explained"), "Help", group=1),
    ActionSpec("help.problems", QT_TRANSLATE_NOOP("actions", "Problems explained"), "Help", group=1),
    ActionSpec("help.opcodes", QT_TRANSLATE_NOOP("actions", "Opcodes explained"), "Help", group=1),
    ActionSpec("help.filter", QT_TRANSLATE_NOOP("actions", "Filter of opcodes"), "Help", group=1),
    ActionSpec("help.tensor_filter", QT_TRANSLATE_NOOP("actions", "Filter of tensors"), "Help", group=1),
    ActionSpec("help.about", QT_TRANSLATE_NOOP("actions", "About Picklescope"), "Help", icon="info", group=2),
)


class Actions(QObject):
    """The QActions of one window, by id. Raises KeyError for a spec that has no handler."""

    def __init__(
        self,
        handlers: Mapping[str, Callable[[], None]],
        theme: Theme,
        specs: tuple[ActionSpec, ...] = ACTIONS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.specs = specs
        self._actions = {spec.id: self._make(spec, handlers[spec.id]) for spec in specs}
        names = {self._actions[spec.id]: spec.icon for spec in specs if spec.icon}
        self.icons = LateIcons(names, theme, self)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[tuple[ActionSpec, QAction]]:
        return ((spec, self._actions[spec.id]) for spec in self.specs)

    def set_theme(self, theme: Theme) -> None:
        """Tint the icons anew."""
        self.icons.set_theme(theme)

    def set_facts(self, facts: set[Fact], commands: set[str]) -> None:
        """Switch each action on or off. `commands`: ids that some pane carries out now."""
        for spec, action in self:
            action.setEnabled(spec.id in commands if spec.needs is Fact.PANE else spec.needs in facts)

    def _make(self, spec: ActionSpec, handler: Callable[[], None]) -> QAction:
        action = QAction(spec.text, self)
        action.setObjectName(spec.id)
        action.setShortcuts([QKeySequence(name) for name in spec.shortcuts])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setCheckable(bool(spec.choice))
        # Qt would move actions named like Quit or About into the application's menu by guessing from their text.
        action.setMenuRole(ROLES.get(spec.id, QAction.MenuRole.NoRole))
        action.triggered.connect(lambda: handler())
        return action


ROLES: Final = {"file.quit": QAction.MenuRole.QuitRole, "help.about": QAction.MenuRole.AboutRole}
