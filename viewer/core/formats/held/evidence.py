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

from viewer.core.formats.held.candidates import is_tar
from viewer.core.formats.held.heads import LAST_PROTOCOL, PROTO, is_safetensors_head
from viewer.core.formats.recognition import Guess, recognise
from viewer.core.pickles.disassembly import Disassembly, disassemble
from viewer.core.pickles.memo import PUTS
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress
from viewer.core.source import ByteSource

HEAD: Final = 64
ENOUGH: Final = 8
MOST_CALLS: Final = 100
STREAMS: Final = frozenset({"pickle", "joblib", "torch-legacy"})
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
    guess = recognise(source)
    if guess.format == "torch-legacy":
        return guess
    if not is_pickle(disassemble(source, 0, progress), source.size):
        return None
    return guess if guess.format in STREAMS else Guess("pickle")


def is_pickle(stream: Disassembly, size: int) -> bool:
    """Whether a stream that was decoded from the first byte of so many is one by the rules above."""
    if not len(stream):
        return False
    head = stream.bytes(stream.start, 2)
    stated = head[:1] == bytes([PROTO]) and head[1:] <= bytes([LAST_PROTOCOL])
    values = Values(stream)
    if not stream.complete:
        return calls_a_name(values)
    whole = stream.stop == size
    if stated:
        return whole or len(stream) >= ENOUGH or bool(values.globals())
    return calls_a_name(values) or (whole and is_numbered(values))


def calls_a_name(values: Values) -> bool:
    """Whether a stream calls something that it names in words."""
    calls = values.calls()[:MOST_CALLS]
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
