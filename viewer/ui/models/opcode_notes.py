"""The documentation of an opcode as headed paragraphs, for the help and for the Effect pane."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication

from viewer.core.pickles.documentation import documentation
from viewer.core.pickles.opcodes import BY_NAME
from viewer.ui.words import hexadecimal, joined, nbytes_of, said
from viewer.wording import QT_TRANSLATE_NOOP
from viewer.wording.opcodes import OPCODE_SENTENCES

PRINTABLE: Final = range(0x21, 0x7F)
WORDS: Final = {
    "any": QT_TRANSLATE_NOOP("Opcodes", "any value"),
    "any\u2026": QT_TRANSLATE_NOOP("Opcodes", "values\u2026"),
    "mark": QT_TRANSLATE_NOOP("Opcodes", "mark"),
    "buffer": QT_TRANSLATE_NOOP("Opcodes", "buffer"),
}
"""What stands on the stack; all others are names of types."""


class Note(NamedTuple):
    """A paragraph under its heading."""

    heading: str
    text: str


def byte_text(name: str) -> str:
    """The byte of an opcode, and the character that it is: `52 R`."""
    byte = BY_NAME[name].code
    return f"{hexadecimal(byte, 2)} {chr(byte)}" if byte in PRINTABLE else hexadecimal(byte, 2)


def summary(name: str) -> str:
    """What it does in one line, without a full stop."""
    return said(OPCODE_SENTENCES[name]).removesuffix(".").removesuffix("\N{IDEOGRAPHIC FULL STOP}")


def since(name: str) -> str:
    """From which protocol on it is written."""
    return QCoreApplication.translate("Opcodes", "from protocol {0}").format(documentation()[name].protocol)


def what_it_does(name: str) -> Note:
    """In two or three sentences."""
    return Note(QCoreApplication.translate("Opcodes", "What it does"), _tr(documentation()[name].does))


def watched(name: str) -> list[Note]:
    """What to watch for, where there is something."""
    text = documentation()[name].watch
    return [Note(QCoreApplication.translate("Opcodes", "What to watch for"), _tr(text))] if text else []


def facts(name: str) -> list[Note]:
    """Its byte, its argument, and the stack before and after it."""
    found = documentation()[name]
    own = nbytes_of(int(found.size)) if found.size.isdigit() else ""
    argument = found.argument and _tr(found.argument)
    if argument and own and not argument.startswith(own.split()[0]):
        argument = QCoreApplication.translate("Opcodes", "{0}: {1}").format(own, argument)
    return [
        Note(QCoreApplication.translate("Opcodes", "Byte"), byte_text(name)),
        Note(
            QCoreApplication.translate("Opcodes", "Argument"), argument or QCoreApplication.translate("Opcodes", "none")
        ),
        Note(
            QCoreApplication.translate("Opcodes", "Stack, the top last"),
            QCoreApplication.translate("Opcodes", "{before} → {after}").format(
                before=_items(found.before), after=_items(found.after)
            ),
        ),
    ]


def _items(items: tuple[str, ...]) -> str:
    return joined(_tr(WORDS.get(item, item)) for item in items) or QCoreApplication.translate("Opcodes", "nothing")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Opcodes", text)
