"""What can be typed in the filter of the opcodes: an example of each form, and what it finds."""

from __future__ import annotations

from typing import Final, NamedTuple

from viewer.wording import QT_TRANSLATE_NOOP


class FilterForm(NamedTuple):
    """`example`: as it is typed. `title`: a few words, no full stop. `finds`: whole sentences."""

    example: str
    title: str
    finds: str


FILTER_FORMS: Final = (
    FilterForm(
        "REDUCE",
        QT_TRANSLATE_NOOP("wording", "The name of an opcode, or a part of it in capitals"),
        QT_TRANSLATE_NOOP(
            "wording", "Finds all opcodes of that name. GLOBAL also finds STACK_GLOBAL, since its name holds it."
        ),
    ),
    FilterForm(
        "torch",
        QT_TRANSLATE_NOOP("wording", "A text"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Finds opcodes whose text or name of a global holds it. Letters from A to Z are found in any case.",
        ),
    ),
    FilterForm(
        '"two words"',
        QT_TRANSLATE_NOOP("wording", "A text in quotes"),
        QT_TRANSLATE_NOOP(
            "wording", "Finds the text with its blanks, and also texts that look like a number or an opcode."
        ),
    ),
    FilterForm(
        "torch.nn.Linear",
        QT_TRANSLATE_NOOP("wording", "The name of a global"),
        QT_TRANSLATE_NOOP("wording", "Finds what names it, however the module and the name are written."),
    ),
    FilterForm(
        "42",
        QT_TRANSLATE_NOOP("wording", "A number"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Finds numbers of that value (nan and inf too), and texts that hold it. With = before it, the numbers only: =42.",
        ),
    ),
    FilterForm(
        "0x1F4",
        QT_TRANSLATE_NOOP("wording", "An offset"),
        QT_TRANSLATE_NOOP(
            "wording", "Finds the opcode that owns the byte there. 0x10-0x40 finds all of a range, its end left out."
        ),
    ),
    FilterForm(
        "#5",
        QT_TRANSLATE_NOOP("wording", "A slot of the memo"),
        QT_TRANSLATE_NOOP("wording", "Finds what stores in that slot and what reads it."),
    ),
    FilterForm(
        "hex:8002",
        QT_TRANSLATE_NOOP("wording", "Bytes"),
        QT_TRANSLATE_NOOP(
            "wording", "Finds opcodes that hold these bytes one after the other, from their own byte to their last."
        ),
    ),
    FilterForm(
        "uses:0x1F4",
        QT_TRANSLATE_NOOP("wording", "Uses of an opcode"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Finds what repeats, changes or takes the value that the opcode there makes, or what reads the slot that it "
            "stores.",
        ),
    ),
    FilterForm(
        "GLOBAL torch 0x0-0x400",
        QT_TRANSLATE_NOOP("wording", "Several of these"),
        QT_TRANSLATE_NOOP("wording", "Finds the opcodes that fit all of them."),
    ),
)
