"""Which first bytes a file can begin with that hides in an argument: told for a million arguments at once.

A row is an argument, a column its n-th byte. What passes may be a file and is looked at alone; what does not is none.
Text in base64 or hexadecimal digits passes where what it stands for would. A first look at two bytes of each leaves
few for the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.archive.text_codings import BLANK, LETTERS
from viewer.core.pickles.opcodes import OPCODES, codes

Bytes = npt.NDArray[np.uint8]
Lengths = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

WIDTH: Final = 12
SHORTEST: Final = 4
SHORTEST_PLAIN: Final = 6
SHORTEST_CODED: Final = 8
SHORTEST_PACKED: Final = 11
SHORTEST_SAFETENSORS: Final = 64
# Codings of text inside one another that are seen from outside.
MOST_TEXTS: Final = 3
PROTO: Final = 0x80
LAST_PROTOCOL: Final = 5
SIGNATURES: Final = (
    b"\x1f\x8b\x08",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
    b"\x5d\x00\x00",
    b"PK\x03\x04",
    b"\x93NUMPY",
    b"L11954",
)
BRACE: Final = ord("{")
# What a first look at two bytes says.
SIGNED, PLAIN, SIX, FOUR, BLANKS, HIGH = 1, 2, 4, 8, 16, 32

_PUSHERS: Final = frozenset(
    opcode.code for opcode in OPCODES.values() if opcode.writes and not opcode.need and not opcode.closes
) - codes("GET BINGET LONG_BINGET PERSID NEXT_BUFFER")
_ON_ONE: Final = _PUSHERS | codes("POP DUP PUT BINPUT LONG_BINPUT MEMOIZE STOP TUPLE1")
_ON_MARK: Final = _PUSHERS | codes("DICT LIST TUPLE POP_MARK FROZENSET")


def _table(members: bytes | frozenset[int]) -> Mask:
    table = np.zeros(256, dtype=np.bool_)
    table[list(members)] = True
    return table


_AFTER_ONE, _AFTER_MARK = _table(_ON_ONE), _table(_ON_MARK)
_ALONE: Final = _table(codes("EMPTY_LIST EMPTY_DICT EMPTY_TUPLE EMPTY_SET NONE NEWTRUE NEWFALSE"))
_NAME: Final = _table(LETTERS + b"_.\n")
_IS_WORD: Final = _table(LETTERS + BLANK + b"+/-_=")
_NUMBER: Final = _table(b"0123456789+-")
_QUOTES: Final = _table(b"'\"")
_PRINTS: Final = _table(bytes(range(32, 127)) + b"\n\\")
_SIX: Final = np.full(256, 255, dtype=np.uint8)
_SIX[list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")] = np.arange(64)
_SIX[list(b"-_")] = 62, 63
_FOUR: Final = np.full(256, 255, dtype=np.uint8)
_FOUR[list(b"0123456789abcdefABCDEF")] = [*range(16), *range(10, 16)]
_MARK, _GLOBAL = ord("("), ord("c")
# Opcodes behind whose argument of so many bytes another one follows; those with a count of 1 byte, and of 4.
_FIXED: Final = ((ord("K"), 1), (ord("M"), 2), (ord("J"), 4))
_COUNT1: Final = tuple(b"UC\x8c\x8a")
_COUNT4: Final = tuple(b"TXB\x8b\x8d\x8e\x95\x96")


def look(first: Bytes, second: Bytes) -> Bytes:
    """What the first two bytes of each argument can be: flags, none for most."""
    seen: Bytes = _FIRST_TWO[first, second]
    return seen


def look_at(data: Bytes, places: Lengths) -> Bytes:
    """The same for the two bytes at each of some places, behind which there is one more byte."""
    pairs = np.ndarray(len(data) - 1, dtype="<u2", buffer=data, strides=(1,))
    seen: Bytes = _BY_PAIR[pairs[places]]
    return seen


def passes(rows: Bytes, lengths: Lengths, seen: Bytes) -> tuple[Mask, Mask]:
    """Arguments that may hold a file; and those that can only be a stream without PROTO, which are to show more.

    `rows`: a column for each argument, `WIDTH` bytes high. `seen`: what `look` said of them.
    """
    found = np.zeros(len(lengths), dtype=np.bool_)
    for flag, rule in ((SIGNED, _is_signed), (SIX, _is_six), (FOUR, _is_four), (BLANKS, _is_word)):
        part = np.flatnonzero(seen & flag)
        if len(part):
            found[part] |= rule(rows[:, part], lengths[part])
    plain = np.zeros(len(lengths), dtype=np.bool_)
    part = np.flatnonzero(seen & PLAIN)
    if len(part):
        plain[part] = _is_stream(rows[:, part], lengths[part])
    return found, plain & ~found


def columns(texts: Sequence[bytes]) -> Bytes:
    """The first bytes of each, one column for each; zeros where it ends."""
    data = b"".join(text[:WIDTH].ljust(WIDTH, b"\0") for text in texts)
    return np.ascontiguousarray(np.frombuffer(data, dtype=np.uint8).reshape(-1, WIDTH).T)


def any_pass(rows: Bytes, lengths: Lengths) -> Mask:
    """Those that may hold a file, of all rows."""
    found, plain = passes(rows, lengths, look(rows[0], rows[1]))
    return found | plain | is_safetensors(rows, lengths)


def is_safetensors(rows: Bytes, lengths: Lengths) -> Mask:
    """A header of less than 16 MiB, as safetensors states its length in front of it; also in base64."""
    found: Mask = (rows[3:8] == 0).all(axis=0) & (rows[8] == BRACE)
    found |= (rows[4:10] == ord("A")).all(axis=0) & (rows[10] == ord("B")) & (rows[11] == ord("7"))
    found &= lengths >= SHORTEST_SAFETENSORS
    return found


def is_safetensors_head(head: bytes, size: int) -> bool:
    """The same of one source as it is."""
    is_length = head[3:8] == b"\0" * 5 and head[8:9] == b"{"
    return is_length and size >= SHORTEST_SAFETENSORS and int.from_bytes(head[:3], "little") + 8 <= size


def may_begin(head: bytes) -> bool:
    """Whether bytes may begin a file, or what stands around one: a quick look at one source."""
    return len(head) > 1 and (bool(_FIRST_TWO[head[0], head[1]]) or head[3:9] == b"\0\0\0\0\0{")


def may_be_stream(head: bytes) -> bool:
    """Whether bytes may begin a pickle as they are."""
    return (
        len(head) > 1 and bool(_FIRST_TWO[head[0], head[1]] & (SIGNED | PLAIN)) and not head.startswith(SIGNATURES[:7])
    )


# -- rules -------------------------------------------------------------------------------------------


def _is_signed(rows: Bytes, lengths: Lengths) -> Mask:
    """Those that begin with bytes of their own: PROTO of a pickle, a signature, the header of zlib."""
    found: Mask = (rows[0] == PROTO) & (rows[1] <= LAST_PROTOCOL) & (lengths >= SHORTEST)
    packed = _is_zlib(rows[0], rows[1])
    for signature in SIGNATURES:
        expected = np.frombuffer(signature, dtype=np.uint8)[:, None]
        packed |= (rows[: len(signature)] == expected).all(axis=0)
    found |= packed & (lengths >= SHORTEST_PACKED)
    return found


def _is_zlib(first: Bytes, second: Bytes) -> Mask:
    """Method deflate, a window of at most 32 KiB, no dictionary, and a sum that 31 divides."""
    is_header = (first & 15 == 8) & (first < PROTO) & (second & 32 == 0)
    found: Mask = is_header & ((first.astype(np.uint16) * 256 + second) % 31 == 0)
    return found


def _is_stream(rows: Bytes, lengths: Lengths) -> Mask:
    """Pickles without their PROTO: an opcode that needs nothing before it, and one that can follow."""
    first, second = rows[0], rows[1]
    found: Mask = (_ALONE[first] & _AFTER_ONE[second]) | ((first == _MARK) & _AFTER_MARK[second])
    found |= (first == _GLOBAL) & _NAME[rows[1:7]].all(axis=0)
    found |= (first == ord("I")) & _NUMBER[second] | (first == ord("S")) & _QUOTES[second]
    found |= ((first == ord("L")) | (first == ord("F"))) & _NUMBER[second]
    found |= (first == ord("V")) & _PRINTS[rows[1:4]].all(axis=0)
    for opcode, argument in _FIXED:
        found |= (first == opcode) & _AFTER_ONE[rows[1 + argument]]
    is_counted = np.flatnonzero(np.isin(first, _COUNT1) & (second.astype(np.int64) + 2 < lengths))
    behind = second[is_counted].astype(np.int64) + 2
    follows = _AFTER_ONE[rows[np.minimum(behind, WIDTH - 1), is_counted]] & (behind < WIDTH)
    # A text is longer than what is looked at more often than a number is, and is told by its characters.
    is_text = (behind >= WIDTH) & ((first == ord("U")) | (first == 0x8C))[is_counted]
    found[is_counted] |= follows | (is_text & _PRINTS[rows[2:6, is_counted]].all(axis=0))
    count = sum((rows[1 + at].astype(np.int64) << 8 * at for at in range(4)), np.int64(0))
    for opcode in _COUNT4:
        found |= (first == opcode) & (count < lengths)
    found &= lengths >= SHORTEST_PLAIN
    return found


def _is_six(rows: Bytes, lengths: Lengths) -> Mask:
    """base64."""
    return _is_coded(_SIX[rows], lengths, 4, 3)


def _is_four(rows: Bytes, lengths: Lengths) -> Mask:
    """Hexadecimal digits."""
    return _is_coded(_FOUR[rows], lengths, 2, 1)


def _is_coded(digits: Bytes, lengths: Lengths, group: int, size: int) -> Mask:
    """Texts that stand for bytes which pass: `size` of them for `group` digits; 255 is no digit."""
    found = np.zeros(len(lengths), dtype=np.bool_)
    text = np.flatnonzero((digits[:SHORTEST_CODED] < 255).all(axis=0) & (lengths >= SHORTEST_CODED))
    if not len(text):
        return found
    bits = 8 * size // group
    # A digit that is none ends the text: zeros follow.
    some = digits[:, text]
    parts = np.where(some == 255, 0, some).reshape(-1, group, len(text)).astype(np.uint32)
    joined = sum((parts[:, at] << bits * (group - 1 - at) for at in range(group)), np.uint32(0))
    split = [(joined >> 8 * (size - 1 - at)).astype(np.uint8) for at in range(size)]
    inner = np.stack(split, axis=1).reshape(-1, len(text))
    seen = _FIRST_TWO[inner[0], inner[1]]
    found[text] = _is_spelled(inner)
    for flag, again in ((SIGNED, False), (SIX | FOUR, True)):
        at = np.flatnonzero(seen & flag)
        if len(at):
            part = inner[:, at]
            # A text in a text: only what begins with a signature can be coded twice.
            found[text[at]] |= (_SIX[part[:6]] < 255).all(axis=0) if again else _is_signed(part, lengths[text[at]])
    return found


def _is_word(rows: Bytes, lengths: Lengths) -> Mask:
    """A text with blanks in front."""
    found: Mask = _IS_WORD[rows].all(axis=0) & (lengths >= SHORTEST_CODED)
    return found


def _is_spelled(rows: Bytes) -> Mask:
    """Pickles of protocols 0 and 1 as picklers write them: a name, or a container and its place in the memo."""
    first, second, third = rows[:3]
    found: Mask = (first == _GLOBAL) & _NAME[rows[1:6]].all(axis=0)
    is_empty = (first == ord("]")) | (first == ord("}")) | (first == ord(")"))
    found |= is_empty & ((second == ord("q")) | (second == ord("p"))) & (third <= ord("1"))
    inner = (second == ord("d")) | (second == ord("l")) | (second == ord("t"))
    found |= (first == _MARK) & inner & ((third == ord("p")) | (third == ord(".")))
    found |= (first == _MARK) & ((second == _GLOBAL) & _NAME[rows[2:6]].all(axis=0))
    found |= (first == _MARK) & ((second == ord("S")) & _QUOTES[third] | (second == ord("I")) & _NUMBER[third])
    return found


# -- the first look ----------------------------------------------------------------------------------


def _first_two() -> Bytes:
    first, second = (axis.astype(np.uint8).reshape(-1) for axis in np.indices((256, 256)))
    rows = np.zeros((WIDTH, 1 << 16), dtype=np.uint8)
    rows[0], rows[1] = first, second
    signed = (first == PROTO) & (second <= LAST_PROTOCOL) | _is_zlib(first, second)
    for signature in SIGNATURES:
        signed |= (first == signature[0]) & (second == signature[1])
    plain = (_ALONE[first] & _AFTER_ONE[second]) | ((first == _MARK) & _AFTER_MARK[second])
    plain |= (first == _GLOBAL) & _NAME[second] | (first == ord("I")) & _NUMBER[second]
    plain |= (first == ord("S")) & _QUOTES[second] | ((first == ord("L")) | (first == ord("F"))) & _NUMBER[second]
    plain |= (first == ord("V")) & _PRINTS[second]
    plain |= np.isin(first, [*(opcode for opcode, _ in _FIXED), *_COUNT1, *_COUNT4])
    found = signed * np.uint8(SIGNED) | plain * np.uint8(PLAIN)
    found |= (_table(BLANK)[first] & _IS_WORD[second]) * np.uint8(BLANKS)
    found |= _is_high(first, second) * np.uint8(HIGH)
    spelled = _table(b"c(]})")
    starts = _table(bytes(np.unique(first[signed]).tolist())) | spelled
    for table, flag, bits in ((_SIX, SIX, 6), (_FOUR, FOUR, 4)):
        is_text = (table[first] < 255) & (table[second] < 255)
        inner = ((table[first].astype(np.uint16) << 8 - bits) | (table[second] >> (2 * bits - 8))) & 255
        # Coded again and again: what begins with a signature gives letters.
        again = _table(b"")
        for _ in range(MOST_TEXTS - 1):
            again = _table(bytes(letter for letter in LETTERS + b"+/-_" if _may_start(letter, starts | again)))
        found |= (is_text & (starts[inner] | again[inner])) * np.uint8(flag)
    flags: Bytes = found.reshape(256, 256)
    return flags


def _may_start(letter: int, starts: Mask) -> bool:
    """Whether a text of a file that begins with one of these bytes can begin with a letter."""
    six, four = int(_SIX[letter]), int(_FOUR[letter])
    return bool(starts[six << 2 : (six << 2) + 4].any()) or (
        four < 16 and bool(starts[four << 4 : (four + 1) << 4].any())
    )


def _is_high(first: Bytes, second: Bytes) -> Mask:
    """Bytes written as characters of UTF-8: one of the first two is beyond ASCII."""
    behind = _table(b"\x1f\x28" + bytes(range(0x08, 0x80, 0x10)))[first] & ((second == 0xC2) | (second == 0xC3))
    found: Mask = (first == 0xC2) | (first == 0xC3) | behind
    return found


_FIRST_TWO: Final = _first_two()
# By both bytes as one little-endian number.
_BY_PAIR: Final = np.ascontiguousarray(_FIRST_TWO.T).reshape(-1)
