"""What the program remembers about the person: every setting declared once, read and written in one place.

To add a setting: a constant below with its key, default, range, label and help, and a line in PREFERENCES (what a
person chooses) or in STATE (what is only remembered). Its type is the type of its default.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QByteArray, QObject, QSettings, QStandardPaths, Signal

from viewer.session.setting import Setting, T
from viewer.wording import QT_TRANSLATE_NOOP

NAME: Final = "picklescope"
"""Of the program and of its maker, for the place where settings are kept."""

BYTE_TYPES: Final = (
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
)
"""What cells of Bytes may show, by torch's names."""

BYTE_ENCODINGS: Final = {
    "ascii": "ASCII",
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "latin-1": "Latin-1",
    "cp1252": "Windows-1252",
    "cp437": "DOS 437",
    "koi8-r": "KOI8-R",
    "mac-roman": "Mac Roman",
}
"""Encodings of the text beside the bytes, and what people call them."""

THEME: Final = Setting(
    "appearance/theme",
    "system",
    QT_TRANSLATE_NOOP("settings", "Theme"),
    QT_TRANSLATE_NOOP("settings", "Light, dark, or as the system says."),
    choices=("system", "light", "dark"),
    words=(
        QT_TRANSLATE_NOOP("settings", "As the system"),
        QT_TRANSLATE_NOOP("settings", "Light"),
        QT_TRANSLATE_NOOP("settings", "Dark"),
    ),
)
COLOURS: Final = Setting(
    "appearance/colours",
    "usual",
    QT_TRANSLATE_NOOP("settings", "Colours"),
    QT_TRANSLATE_NOOP("settings", "Of bytes, opcodes, differences and problems. Signs and words tell the same."),
    choices=("usual", "distinct"),
    words=(
        QT_TRANSLATE_NOOP("settings", "Usual"),
        QT_TRANSLATE_NOOP("settings", "For colour-blind readers"),
    ),
)
CONTRAST: Final = Setting(
    "appearance/contrast",
    "system",
    QT_TRANSLATE_NOOP("settings", "Contrast"),
    QT_TRANSLATE_NOOP("settings", "High: black and white, lines that can be seen, in light and dark."),
    choices=("system", "usual", "high"),
    words=(
        QT_TRANSLATE_NOOP("settings", "As the system"),
        QT_TRANSLATE_NOOP("settings", "Usual"),
        QT_TRANSLATE_NOOP("settings", "High"),
    ),
)
TEXT_SIZE: Final = Setting(
    "appearance/text_size",
    100,
    QT_TRANSLATE_NOOP("settings", "Text size"),
    QT_TRANSLATE_NOOP("settings", "In percent of the system's size."),
    least=70,
    most=200,
    unit="%",
)
LANGUAGE: Final = Setting(
    "appearance/language",
    "system",
    QT_TRANSLATE_NOOP("settings", "Language"),
    QT_TRANSLATE_NOOP("settings", "The open files are read again when it changes."),
    choices=("system", "en", "zh_CN", "ja", "fa"),
    # Each in itself: who cannot read the others finds it.
    words=(QT_TRANSLATE_NOOP("settings", "As the system"), "English", "简体中文", "日本語", "فارسی"),
)
MONO_FAMILY: Final = Setting(
    "appearance/mono_family",
    "",
    QT_TRANSLATE_NOOP("settings", "Font of bytes and code"),
    QT_TRANSLATE_NOOP("settings", "A font of fixed pitch for what stands in the file."),
    font=True,
)
MOTION: Final = Setting(
    "appearance/motion",
    "system",
    QT_TRANSLATE_NOOP("settings", "Motion"),
    QT_TRANSLATE_NOOP("settings", "Without it bars and overlays are there at once."),
    choices=("system", "none"),
    words=(QT_TRANSLATE_NOOP("settings", "As the system"), QT_TRANSLATE_NOOP("settings", "None")),
)
NUMBER_GROUPS: Final = Setting(
    "numbers/groups",
    "locale",
    QT_TRANSLATE_NOOP("settings", "Groups of three digits"),
    QT_TRANSLATE_NOOP("settings", "What stands between them, in the window. Copies and exports stay as they are."),
    choices=("locale", "comma", "thin", "none"),
    words=(
        QT_TRANSLATE_NOOP("settings", "As the system"),
        QT_TRANSLATE_NOOP("settings", "Comma: 57,437"),
        QT_TRANSLATE_NOOP("settings", "Thin space: 57\u202f437"),
        QT_TRANSLATE_NOOP("settings", "Nothing: 57437"),
    ),
)
NUMBER_LETTERS: Final = Setting(
    "numbers/letters",
    "upper",
    QT_TRANSLATE_NOOP("settings", "Hexadecimal letters"),
    QT_TRANSLATE_NOOP("settings", "Of bytes, offsets and checksums."),
    choices=("upper", "lower"),
    words=(QT_TRANSLATE_NOOP("settings", "Capitals: 0x1F4"), QT_TRANSLATE_NOOP("settings", "Small: 0x1f4")),
)
NUMBER_UNITS: Final = Setting(
    "numbers/units",
    "decimal",
    QT_TRANSLATE_NOOP("settings", "Units of sizes"),
    QT_TRANSLATE_NOOP("settings", "Of sizes that are rounded. Tables tell every byte."),
    choices=("decimal", "binary"),
    words=(QT_TRANSLATE_NOOP("settings", "kB: 1,000 bytes"), QT_TRANSLATE_NOOP("settings", "KiB: 1,024 bytes")),
)
RECENT_KEPT: Final = Setting(
    "files/recent_kept",
    20,
    QT_TRANSLATE_NOOP("settings", "Recent files"),
    QT_TRANSLATE_NOOP("settings", "How many are listed; 0 keeps none."),
    least=0,
    most=100,
)
KEEP_PLACES: Final = Setting(
    "files/keep_places",
    True,
    QT_TRANSLATE_NOOP("settings", "Keep the place in each file"),
    QT_TRANSLATE_NOOP("settings", "A file opens where it was left, with the panes as they stood."),
)
REOPEN: Final = Setting(
    "files/reopen",
    "fault",
    QT_TRANSLATE_NOOP("settings", "Open the files of the last time"),
    QT_TRANSLATE_NOOP("settings", "When the program starts, and nothing else of its kind is running."),
    choices=("fault", "always", "never"),
    words=(
        QT_TRANSLATE_NOOP("settings", "When it was not left as usual"),
        QT_TRANSLATE_NOOP("settings", "Always"),
        QT_TRANSLATE_NOOP("settings", "Never"),
    ),
)
MEMORY: Final = Setting(
    "files/memory",
    4096,
    QT_TRANSLATE_NOOP("settings", "Memory limit"),
    QT_TRANSLATE_NOOP("settings", "For opcodes, caches, copies, previews and torch. What it forbids is told."),
    least=256,
    most=1024 * 1024,
    unit="MiB",
)
TORCH_PYTHON: Final = Setting(
    "files/torch_python",
    "",
    QT_TRANSLATE_NOOP("settings", "Python that has torch"),
    QT_TRANSLATE_NOOP("settings", "Its path, where this program has none: to check exports, and to ask torch."),
    path=True,
)
BYTE_CELLS: Final = Setting(
    "bytes/cells",
    "",
    QT_TRANSLATE_NOOP("settings", "Cells"),
    QT_TRANSLATE_NOOP("settings", "What a cell of Bytes shows: a byte, or the number that several are."),
    choices=("", *BYTE_TYPES),
    words=(QT_TRANSLATE_NOOP("settings", "Bytes"), *BYTE_TYPES),
)
BYTE_ORDER: Final = Setting(
    "bytes/order",
    "little",
    QT_TRANSLATE_NOOP("settings", "Byte order of the cells"),
    QT_TRANSLATE_NOOP("settings", "Which byte of a number comes first."),
    choices=("little", "big"),
    words=(QT_TRANSLATE_NOOP("settings", "Little-endian"), QT_TRANSLATE_NOOP("settings", "Big-endian")),
)
BYTE_ROW: Final = Setting(
    "bytes/row",
    0,
    QT_TRANSLATE_NOOP("settings", "Bytes in a row"),
    QT_TRANSLATE_NOOP("settings", "0 takes as many as fit in the pane."),
    least=0,
    most=2**20,
)
BYTE_MOST: Final = Setting(
    "bytes/most",
    16,
    QT_TRANSLATE_NOOP("settings", "Rows that fit"),
    QT_TRANSLATE_NOOP("settings", "How far rows grow with the pane."),
    choices=(16, 64),
    words=(QT_TRANSLATE_NOOP("settings", "At most 16 bytes"), QT_TRANSLATE_NOOP("settings", "At most 64 bytes")),
)
BYTE_GROUP: Final = Setting(
    "bytes/group",
    4,
    QT_TRANSLATE_NOOP("settings", "Groups of"),
    QT_TRANSLATE_NOOP("settings", "Bytes between two gaps; 0 leaves no gaps."),
    least=0,
    most=16,
)
BYTE_RADIX: Final = Setting(
    "bytes/radix",
    16,
    QT_TRANSLATE_NOOP("settings", "Offsets"),
    QT_TRANSLATE_NOOP("settings", "How the offsets beside the bytes are written."),
    choices=(16, 10),
    words=(QT_TRANSLATE_NOOP("settings", "Hexadecimal"), QT_TRANSLATE_NOOP("settings", "Decimal")),
)
BYTE_LETTERS: Final = Setting(
    "bytes/letters",
    "ascii",
    QT_TRANSLATE_NOOP("settings", "Letters"),
    QT_TRANSLATE_NOOP("settings", "The encoding of the text beside the bytes."),
    choices=tuple(BYTE_ENCODINGS),
    # Names of encodings are the same in every language.
    words=tuple(BYTE_ENCODINGS.values()),
)
BYTE_SHADING: Final = Setting(
    "bytes/shading",
    False,
    QT_TRANSLATE_NOOP("settings", "Colour bytes by their value"),
    QT_TRANSLATE_NOOP("settings", "Letters, control bytes, bytes from 80 on and FF each have an ink of their own."),
)
BYTE_LINES: Final = Setting(
    "bytes/lines",
    False,
    QT_TRANSLATE_NOOP("settings", "Lines at 64 bytes and 4 KiB"),
    QT_TRANSLATE_NOOP("settings", "Above the rows in which such an offset is reached."),
)
GEOMETRY: Final = Setting("window/geometry", b"")
RECENT: Final = Setting("files/recent", "[]")
PLACES: Final = Setting("files/places", "[]")
BOOKMARKS: Final = Setting("files/bookmarks", "[]")
HIDDEN_READINGS: Final = Setting("bytes/hidden_readings", "[]")
"""Rows of the inspector that are not shown."""
BYTE_SEARCHES: Final = Setting("bytes/searches", "[]")
"""What was looked for among bytes, the last one first."""
COMMAND_KEYS: Final = Setting("keys/commands", "{}")
"""The keys of commands that have other ones than usual, as JSON."""
TOUR: Final = Setting("window/tour", default=False)
"""The tour was shown or offered."""
OPEN_FOLDER: Final = Setting("files/open_folder", "")
EXPORT_FOLDER: Final = Setting("files/export_folder", "")
OPEN_NOW: Final = Setting("files/open_now", "")
"""Where a version kept the files that are open that had no files of their own for them, a key for each screen."""

BYTE_LOOK: Final[tuple[Setting[Any], ...]] = (
    BYTE_CELLS,
    BYTE_ORDER,
    BYTE_ROW,
    BYTE_MOST,
    BYTE_GROUP,
    BYTE_RADIX,
    BYTE_LETTERS,
    BYTE_SHADING,
    BYTE_LINES,
)
"""How the bytes look."""

SECTIONS: Final = {
    "appearance": QT_TRANSLATE_NOOP("settings", "Appearance"),
    "numbers": QT_TRANSLATE_NOOP("settings", "Numbers"),
    "bytes": QT_TRANSLATE_NOOP("settings", "Bytes"),
    "files": QT_TRANSLATE_NOOP("settings", "Files"),
}
PREFERENCES: Final[tuple[Setting[Any], ...]] = (
    THEME,
    COLOURS,
    CONTRAST,
    LANGUAGE,
    TEXT_SIZE,
    MONO_FAMILY,
    MOTION,
    NUMBER_GROUPS,
    NUMBER_LETTERS,
    NUMBER_UNITS,
    *BYTE_LOOK,
    REOPEN,
    KEEP_PLACES,
    RECENT_KEPT,
    MEMORY,
    TORCH_PYTHON,
)
STATE: Final = (
    GEOMETRY,
    TOUR,
    RECENT,
    PLACES,
    BOOKMARKS,
    HIDDEN_READINGS,
    BYTE_SEARCHES,
    COMMAND_KEYS,
    OPEN_FOLDER,
    EXPORT_FOLDER,
    OPEN_NOW,
)


class Settings(QObject):
    """The settings as they are kept on the disk. `state_folder`: for what is kept in files of its own.

    changed: a setting has another value now.
        Signal(key: str)
    """

    changed = Signal(str)

    def __init__(self, file: Path | None = None, parent: QObject | None = None) -> None:
        """`file`: where they are kept, instead of the system's usual place."""
        super().__init__(parent)
        form = QSettings.Format.IniFormat
        # What is remembered of single files stands apart: a file of settings is written whole at each change.
        state = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)
        self.state_folder = Path(state) if file is None else file.parent / "state"
        if file is None:
            self._kept = QSettings(form, QSettings.Scope.UserScope, NAME, NAME)
        else:
            self._kept = QSettings(str(file), form)

    def get(self, setting: Setting[T]) -> T:
        """The value, the default where none is kept or what is kept makes no sense."""
        return setting.checked(self._kept.value(setting.key, setting.default))

    def set(self, setting: Setting[T], value: T) -> None:
        """Remember a value, cut to the setting's range; tells when it is another one than before."""
        value = setting.checked(value)
        if value == self.get(setting):
            return
        self._kept.setValue(setting.key, QByteArray(value) if isinstance(value, bytes) else value)
        self.changed.emit(setting.key)

    def reset(self, setting: Setting[T]) -> None:
        """Forget what was kept; the default holds again."""
        self._kept.remove(setting.key)
        self.changed.emit(setting.key)

    def keys_from(self, beginning: str) -> list[str]:
        """The keys that are kept and begin so."""
        return [key for key in self._kept.allKeys() if key.startswith(beginning)]

    def save(self) -> None:
        """Write to the disk now."""
        self._kept.sync()
