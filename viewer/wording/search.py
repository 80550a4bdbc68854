"""What Search everything says: the kinds of hits, and why something cannot be looked for."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

KINDS: Final[dict[str, str]] = {
    "go-to": QT_TRANSLATE_NOOP("wording", "Go to"),
    "name": QT_TRANSLATE_NOOP("wording", "Tensors"),
    "record": QT_TRANSLATE_NOOP("wording", "Records"),
    "key": QT_TRANSLATE_NOOP("wording", "Keys"),
    "global": QT_TRANSLATE_NOOP("wording", "Classes and globals"),
    "text": QT_TRANSLATE_NOOP("wording", "Texts"),
    "number": QT_TRANSLATE_NOOP("wording", "Numbers"),
    "source": QT_TRANSLATE_NOOP("wording", "Source lines"),
    "opcode": QT_TRANSLATE_NOOP("wording", "Opcodes"),
    "problem": QT_TRANSLATE_NOOP("wording", "Problems"),
}
FAULTS: Final[dict[str, str]] = {
    "empty": QT_TRANSLATE_NOOP(
        "wording", "Blanks alone are not looked for. Write a name, a text, a number or an offset."
    ),
    "expression": QT_TRANSLATE_NOOP(
        "wording",
        "This is no regular expression: {reason}, at letter {at}. A sign that is meant as such takes a \\ before it.",
    ),
    "groups": QT_TRANSLATE_NOOP(
        "wording",
        "Looking ahead or behind, switches and references to groups are not searched for. Plain groups are: (a|b).",
    ),
    "heavy": QT_TRANSLATE_NOOP(
        "wording",
        "This expression has so many repeats and choices that it could take hours. Leave some of * + ? | out.",
    ),
    "long": QT_TRANSLATE_NOOP("wording", "At most {limit} letters can be looked for."),
    "nested": QT_TRANSLATE_NOOP(
        "wording",
        "A repeat around a group that itself repeats or chooses could take hours. Write it without one of the repeats.",
    ),
}
CUT: Final = QT_TRANSLATE_NOOP(
    "wording", "The expression looked at the first {count} letters of each text; some texts are longer."
)
UNREAD: Final = QT_TRANSLATE_NOOP("wording", "{count} parts of the file could not be read.")
