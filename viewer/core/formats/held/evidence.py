"""When bytes inside an argument count as a file: only on evidence that no accident gives.

A file with a signature counts when it reads as one. A pickle counts

- with PROTO in front: when it ends with its STOP at the last byte; with more behind its STOP when it names something,
  or has eight opcodes; broken when it calls by then what it names;
- without PROTO: when it ends at the last byte and calls what it names, or makes a container that is numbered in the
  memo as picklers number; with more behind its STOP, or broken, only when it calls what it names.

Bytes like `N.`, and words that happen to be opcodes, are none of these.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from viewer.core.formats.held.candidates import SEARCHED, is_tar, spells
from viewer.core.formats.held.heads import LAST_PROTOCOL, PROTO, is_safetensors_head, may_be_stream
from viewer.core.formats.recognition import Guess, recognise
from viewer.core.pickles.disassembly import Disassembly, disassemble
from viewer.core.pickles.memo import PUTS
from viewer.core.pickles.opcodes import codes
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress
from viewer.core.source import ByteSource

HEAD: Final = 64
ENOUGH: Final = 8
MOST_CALLS: Final = 100
STREAMS: Final = frozenset({"pickle", "joblib", "torch-legacy"})
NAMERS: Final = sorted(codes("GLOBAL STACK_GLOBAL INST"))
# The magic number of torch's legacy streams, and as protocol 0 writes it.
LEGACY: Final = bytes.fromhex("6cfc9c46f9206aa85019")
LEGACY_TEXT: Final = b"L119547037146038801333356L"
LEGACY_WITHIN: Final = 24
STOP: Final = b"."
SIGNED: Final = (b"PK\x03\x04", b"\x93NUMPY")
NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
CONTAINERS: Final = frozenset({Kind.TUPLE, Kind.LIST, Kind.DICT, Kind.SET, Kind.FROZENSET, Kind.CALL})
FILES: Final = frozenset(
    {"npy", "npz", "safetensors", "tar", "torch-tar", "torch-zip", "zip", "torchscript", "torchscript-json"}
    | {"torch-mobile", "torch-package", "torch-export", "torch-export-json"}
)


def file_held(source: ByteSource, progress: Progress) -> Guess | None:
    """What file a source is by the rules above; None where it is none. Raises SourceError, CancelledError."""
    head = source.read(0, HEAD)
    if head.startswith(SIGNED) or is_safetensors_head(head, source.size) or (source.size > HEAD and is_tar(source)):
        guess = recognise(source)
        return guess if guess.format in FILES else None
    if not (may_be_stream(head) and (head[0] == PROTO or _shows_more(source))):
        return None
    if LEGACY in head[:LEGACY_WITHIN] or head.startswith(LEGACY_TEXT):
        guess = recognise(source)
        return guess if guess.format == "torch-legacy" else None
    if not is_pickle(disassemble(source, 0, progress), source.size):
        return None
    guess = recognise(source)
    return guess if guess.format in STREAMS else Guess("pickle")


def _shows_more(source: ByteSource) -> bool:
    """Whether bytes without PROTO end as a pickle or spell a name: cheaper than decoding them."""
    data = source.read(0, SEARCHED)
    return spells(data, 0, len(data)) or source.read(source.size - 1, 1) == STOP


def is_pickle(stream: Disassembly, size: int) -> bool:
    """Whether a stream that was decoded from the first byte of so many is one by the rules above."""
    if not len(stream):
        return False
    head = stream.bytes(stream.start, 2)
    stated = head[:1] == bytes([PROTO]) and head[1:] <= bytes([LAST_PROTOCOL])
    whole = stream.complete and stream.stop == size
    if not (whole or np.isin(stream.codes, NAMERS).any()):
        # It names nothing and calls nothing: most bytes that are no pickle end here.
        return stream.complete and stated and len(stream) >= ENOUGH
    values = Values(stream)
    if not stream.complete:
        return calls_a_name(values)
    if stated:
        return whole or len(stream) >= ENOUGH or bool(values.globals())
    return calls_a_name(values) or (whole and is_numbered(values))


def calls_a_name(values: Values) -> bool:
    """Whether a stream calls something that it names in words."""
    calls = values.calls(MOST_CALLS)
    names = (values.call_name(call) for call in calls)
    return any(name is not None and all(NAME.fullmatch(part) for part in name) for name in names)


def is_numbered(values: Values) -> bool:
    """Whether a stream gives a container, and stores in the memo from its first slot on, as picklers do."""
    if values.root < 0 or values.kind(values.root) not in CONTAINERS:
        return False
    code = values.code
    puts = np.flatnonzero(np.isin(code.codes, sorted(PUTS)))[:ENOUGH].tolist()
    numbers = [code.memo.index(put) for put in puts]
    return bool(numbers) and numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
