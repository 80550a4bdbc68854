"""Pickles: torch's legacy stream by its magic number, bare pickles of any protocol, joblib."""

from __future__ import annotations

import re
from typing import Final

from viewer.core.archive.text_damage import is_replaced
from viewer.core.formats.recognition.guess import Guess, Sight
from viewer.core.pickles.disassembly import Disassembly, disassemble
from viewer.core.pickles.opcodes import OPCODES
from viewer.core.source import MemorySource
from viewer.wording.phrases import phrase

LAST_PROTOCOL: Final = 5
# 0x1950a86a20f9469cfc6c
NUMBER: Final = bytes.fromhex("6cfc9c46f9206aa85019")
LONG1: Final = b"\x8a\x0a"
MAGIC: Final = re.compile(
    b"(?:\x80[\x02\x03]|\x80[\x04\x05](?:\x95.{8})?)?" + re.escape(LONG1 + NUMBER) + rb"\x94?\."
    rb"|L119547037146038801333356L\n(?:p\d+\n|q.)?\.",
    re.DOTALL,
)
PLAIN_MAGIC: Final = b"\x80\x02" + LONG1 + NUMBER + b"."
# fewer bytes of a cut magic number could be the beginning of any number
CUT_MAGIC: Final = 6
DAMAGED: Final = {b"\x80\x02\x8a\r\n": "line-ends", b"\xc2\x80\x02\xc2\x8a": "utf-8"}
JOBLIB: Final = (b"joblib.numpy_pickle", b"ArrayWrapper")
OLD_JOBLIB: Final = re.compile(rb"ZF0x[0-9a-f]+ ")
# opcodes that a stream can begin with: they need nothing on the stack
BEGINNERS: Final = frozenset(
    opcode.code for opcode in OPCODES.values() if opcode.writes and not opcode.need and not opcode.closes
)
ENOUGH: Final = 8


def by_legacy_magic(sight: Sight) -> Guess | None:
    """The magic number at the first byte, whole or cut by the end of the file."""
    head = sight.head
    is_cut = sight.whole and len(head) >= CUT_MAGIC and PLAIN_MAGIC.startswith(head)
    return Guess("torch-legacy") if MAGIC.match(head) or is_cut else None


def by_damaged_magic(sight: Sight) -> Guess | None:
    """A legacy stream that went through a conversion of text, or any file whose bytes one replaced."""
    for start, damage in DAMAGED.items():
        if sight.head.startswith(start):
            return Guess("unknown", phrase("kind-legacy-spoilt"), {"damage": damage})
    return Guess("unknown", phrase("kind-spoilt"), {"damage": "replaced"}) if is_replaced(sight.head) else None


def by_pickle(sight: Sight) -> Guess | None:
    """A stream that begins with PROTO, or whose opcodes decode as far as is looked."""
    head = sight.head
    if OLD_JOBLIB.match(head):
        return Guess("joblib", phrase("kind-zfile"))
    stated = head[1] if len(head) > 1 and head[0] == 0x80 else None
    if stated is None and not (head and head[0] in BEGINNERS):
        return None
    if stated is None or stated > LAST_PROTOCOL:
        stream = disassemble(MemorySource(head))
        if not is_stream(stream, sight):
            return None
        stated = stream.protocol
    if all(mark in head for mark in JOBLIB):
        return Guess("joblib", None, {"protocol": stated})
    return Guess("pickle", None, {"protocol": stated})


def is_stream(stream: Disassembly, sight: Sight) -> bool:
    """True when these opcodes are no accident: they end well, or go on where the looking ended."""
    if stream.complete:
        return len(stream) > 2 or stream.stop == sight.size
    broken = stream.broken
    at_end = broken is not None and broken.code in ("pickle-cut", "pickle-no-stop")
    return at_end and not sight.whole and len(stream) >= ENOUGH


def by_legacy_further_on(sight: Sight) -> Guess | None:
    """A legacy stream behind bytes that are none of it."""
    at = sight.head.find(PLAIN_MAGIC)
    return Guess("unknown", None, {"inside": "torch-legacy", "offset": at}) if at > 0 else None
