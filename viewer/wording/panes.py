"""What each pane shows and what can be done in it, for its page of the help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class PaneWords:
    """One pane: what it is in a line (no full stop), what it shows, what can be done there.

    `{go.mark}` in it stands for the keys of that command.
    """

    line: str
    shows: str
    use: str


PANE_WORDS: Final[Mapping[str, PaneWords]] = {
    "contents": PaneWords(
        QT_TRANSLATE_NOOP("wording", "The file as a tree"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The parts of the container, then the objects: dicts, lists, modules with their classes, tensors with type "
            "and shape.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "A row selects its bytes, and a byte finds its row. Drag a row into a file manager: a tensor becomes an "
            "npy file, a branch a state_dict.",
        ),
    ),
    "opcodes": PaneWords(
        QT_TRANSLATE_NOOP("wording", "What the pickles say, opcode by opcode"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Tree: each value holds the opcodes that built it. Stream: all in the order of their bytes. Listing: the "
            "same as statements, for reading.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "Filter by text, opcode or offset. {go.mark} goes to the MARK that belongs to an opcode, {go.memo_get} to "
            "the next use of a memo slot. {help.here} on a row explains its opcode.",
        ),
    ),
    "effect": PaneWords(
        QT_TRANSLATE_NOOP("wording", "What the chosen opcode does"),
        QT_TRANSLATE_NOOP("wording", "The stack and the memo before the opcode and after it."),
        QT_TRANSLATE_NOOP("wording", "Enter on a value goes to the opcode that made it."),
    ),
    "hex": PaneWords(
        QT_TRANSLATE_NOOP("wording", "Every byte of the file"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Offsets, bytes and letters, coloured by what they are, and a map of the whole file at the side.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "A click selects what owns the byte; Ctrl and the mouse select several ranges. {edit.find} finds "
            "bytes, text and numbers, {go.offset} goes to an offset, {edit.bookmark} sets a bookmark. The button in "
            "the header says how bytes look.",
        ),
    ),
    "inspector": PaneWords(
        QT_TRANSLATE_NOOP("wording", "The bytes at the caret as numbers and text"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Whole numbers, floats and text in both byte orders, and the part of the file that owns the byte.",
        ),
        QT_TRANSLATE_NOOP("wording", "{edit.copy_hex} copies a reading. The menu chooses which readings are shown."),
    ),
    "summary": PaneWords(
        QT_TRANSLATE_NOOP("wording", "What the file is, and what to do next"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Format and version, root object, parameters and bytes, types and devices, what torch.load would do, and "
            "what is wrong.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "The buttons get the weights out, show the source, rescue what is whole, or copy the code that loads the "
            "file.",
        ),
    ),
    "source": PaneWords(
        QT_TRANSLATE_NOOP("wording", "The classes and their code"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Each class with the text that the file stores, beside its bytes. Where none is stored, a text that is "
            "derived from what the objects hold. Below stand checks of the objects against it.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "Save the text as files that Python imports, or write a recovery kit. A .py file that is dropped on the "
            "window gives the source of a class; it is read, not run.",
        ),
    ),
    "compare": PaneWords(
        QT_TRANSLATE_NOOP("wording", "This file beside another one"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Which tensors, plain values and classes are equal, changed, or only on one side, and by how much.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "Choose a file under Tools > Compare, or drop one on its zone. {go.next_difference} goes to the next "
            "difference. Names can be changed by rules, and the report is saved as text or JSON.",
        ),
    ),
    "tensor": PaneWords(
        QT_TRANSLATE_NOOP("wording", "The selected tensor"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Its facts, then its numbers as values, histogram, heat map and, where it is one, image. Of a large "
            "tensor the statistics are those of a sample until all elements are read, and say so.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "A cell, a pixel or a bar selects its bytes. The slice is copied or saved as CSV or npy. The line at the "
            "foot is numpy code that reads this tensor.",
        ),
    ),
    "problems": PaneWords(
        QT_TRANSLATE_NOOP("wording", "What is wrong with the file"),
        QT_TRANSLATE_NOOP("wording", "Damage first, then what is odd, then what is worth knowing."),
        QT_TRANSLATE_NOOP(
            "wording",
            "A row selects its bytes. {go.next_problem} goes to the next problem, {help.here} on a row explains it.",
        ),
    ),
    "imports": PaneWords(
        QT_TRANSLATE_NOOP("wording", "What loading the file would import and call"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Each name, the worst first: why it is dangerous, known or unknown, what it is called with, and whether "
            "weights_only=True takes it.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "A row selects its bytes. The report is copied or saved. Ask torch has torch read the file in a process "
            "of its own, with weights_only=True.",
        ),
    ),
    "tensors": PaneWords(
        QT_TRANSLATE_NOOP("wording", "All tensors of the file"),
        QT_TRANSLATE_NOOP(
            "wording",
            "List: name, type, shape and bytes, sorted by any column. Groups: sums by the parts of the names. Health: "
            "where values are NaN, infinite, all zero or copies.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "What is selected is summed, exported, or dragged into a file manager. {help.here} in the filter tells all "
            "that can be typed there.",
        ),
    ),
    "space": PaneWords(
        QT_TRANSLATE_NOOP("wording", "Where the bytes go"),
        QT_TRANSLATE_NOOP(
            "wording",
            "A map by branch of the names or by storage, with what is wasted. Every byte is counted once: the sums are "
            "the size of the file.",
        ),
        QT_TRANSLATE_NOOP("wording", "A click selects the part; an export of what is used leaves the waste out."),
    ),
    "values": PaneWords(
        QT_TRANSLATE_NOOP("wording", "What the file holds beside weights"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Tables of all plain values, of the parameter groups of optimizers, and of their state beside the names of "
            "the parameters.",
        ),
        QT_TRANSLATE_NOOP("wording", "A row selects its bytes. The filter leaves out the rows without its words."),
    ),
    "search": PaneWords(
        QT_TRANSLATE_NOOP("wording", "What a search found"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Hits of the box in the toolbar, by kind: names, texts and numbers in pickles, classes, lines of source, "
            "opcodes, problems and offsets.",
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "{go.next_hit} and {go.previous_hit} walk the hits. Small letters find both cases; the buttons ask for exact case and for "
            "regular expressions. Tensors that were found can be exported.",
        ),
    ),
    "bookmarks": PaneWords(
        QT_TRANSLATE_NOOP("wording", "Bytes that you marked"),
        QT_TRANSLATE_NOOP("wording", "Name, colour and note of each bookmark; they are kept for this file."),
        QT_TRANSLATE_NOOP(
            "wording",
            "{edit.bookmark} marks the selected bytes, {go.bookmark_1} to {go.bookmark_9} go to the first nine, and "
            "@name does so where offsets are typed.",
        ),
    ),
}
"""By the key of the pane."""


@dataclass(frozen=True, slots=True)
class PaneKeys:
    """Keys of a pane that are in no menu, by portable names, and what they do (no full stop)."""

    pane: str
    keys: tuple[str, ...]
    title: str


PANE_KEYS: Final = (
    PaneKeys(
        "hex",
        ("Shift+Left", "Shift+Right", "Shift+Up", "Shift+Down"),
        QT_TRANSLATE_NOOP("wording", "Select more bytes, or fewer"),
    ),
    PaneKeys("hex", ("Ctrl+Left", "Ctrl+Right"), QT_TRANSLATE_NOOP("wording", "To the edge of the group")),
    PaneKeys("hex", ("Ctrl+Up", "Ctrl+Down"), QT_TRANSLATE_NOOP("wording", "Scroll and leave the caret where it is")),
    PaneKeys("hex", ("Tab",), QT_TRANSLATE_NOOP("wording", "To the next column")),
    PaneKeys("hex", ("Shift+F10",), QT_TRANSLATE_NOOP("wording", "The menu of the bytes")),
    PaneKeys("effect", ("Return",), QT_TRANSLATE_NOOP("wording", "Go to what made the value")),
    PaneKeys("tensor", ("Return",), QT_TRANSLATE_NOOP("wording", "Select the bytes of the cell or bar")),
    PaneKeys("bookmarks", ("Del",), QT_TRANSLATE_NOOP("wording", "Remove the bookmark")),
)
