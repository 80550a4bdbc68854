"""Archives: the kinds of zip by the names of their members, and tar."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from viewer.core.archive import zip_layout as layout
from viewer.core.archive.zip_directory import find_end, read_listed
from viewer.core.formats.recognition.guess import Guess, Sight
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.wording.phrases import phrase

SPANNED: Final = layout.DESCRIPTOR_SIGNATURE + layout.LOCAL_SIGNATURE
HEADER: Final = re.compile(rb"PK\x03\x04.{22}(.)(.)..", re.DOTALL)
# members that decide the kind, in the order in which they are asked for
MARKS: Final[tuple[tuple[str, str], ...]] = (
    ("bytecode.pkl", "torch-mobile"),
    ("constants.pkl", "torchscript"),
    ("model.json", "torchscript-json"),
    ("archive_format", "torch-export"),
    ("serialized_exported_program.json", "torch-export-json"),
    (".data/extern_modules", "torch-package"),
    ("data.pkl", "torch-zip"),
    ("model.weights.h5", "keras"),
    ("[Content_Types].xml", "foreign"),
)
# what an archive without its last records is, by its first ones, where no member decides
BEGINNINGS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"(?:.*/)?\.data/\d+\.storage"), "torch-package"),
    (re.compile(r"[^/]+/data/(?:weights|constants)/\w+"), "torch-export"),
    (re.compile(r"[^/]+/tensors/\d+"), "torchscript-json"),
    (re.compile(r"[^/]+/data/\d+"), "torchscript"),
)
# those that may have a data.pkl of another archive inside them
OUTER: Final = frozenset({"torch-package", "torch-export"})
MOST_HEADERS: Final = 1000
TAR_BLOCK: Final = 512
TAR_MEMBERS: Final = 64
TORCH_TAR: Final = frozenset({"pickle", "storages", "sys_info", "tensors"})
# Members of a checkpoint that was cut: so many of them, and no other.
TORCH_TAR_ENOUGH: Final = 2
TORCH_TAR_ALONE: Final = frozenset({"sys_info"})


def zip_kind(names: Iterable[str]) -> str:
    """The format that a zip with these member names is: `torch-zip`, `npz`, `keras`, ...; `zip` for any other.

    Names count with and without their first folder. `foreign` is an Office document.
    """
    seen: set[str] = set()
    has_code = has_storages = has_tensors = False
    members = arrays = deep = 0
    for name in names:
        rest = name.partition("/")[2]
        seen.add(name)
        seen.add(rest)
        has_code = has_code or rest.startswith("code/__torch__")
        has_storages = has_storages or rest.startswith("data/") or name.startswith("data/")
        has_tensors = has_tensors or rest.startswith("tensors/")
        members += not name.endswith("/")
        arrays += name.endswith(".npy")
        deep += name.endswith("/data.pkl")
    for mark, kind in MARKS:
        if mark in seen and (mark != "model.json" or has_tensors):
            return kind
        if kind == "torchscript" and has_code:
            return kind
    if deep == 1:
        # A checkpoint that was packed again with the folders above it.
        return "torch-zip"
    if arrays and 2 * arrays >= members:
        return "npz"
    return "torch-zip" if has_storages and "version" in seen else "zip"


def zip_guess(names: Sequence[str]) -> Guess:
    """The same with what is to be said beside."""
    kind = zip_kind(names)
    return Guess(kind, phrase("kind-office") if kind == "foreign" else None)


def by_zip_signature(sight: Sight) -> Guess | None:
    """A zip that begins with its first byte."""
    if sight.head[:4] not in (layout.LOCAL_SIGNATURE, layout.END_SIGNATURE) and not sight.head.startswith(SPANNED):
        return None
    names = listed_names(sight)
    return zip_guess(names) if names else cut_guess(head_names(sight.head))


def cut_guess(names: Sequence[str]) -> Guess:
    """The kind of an archive whose directory is lost: the member that decides may be lost with it.

    torch.save writes data.pkl first; the others begin with their storages.
    """
    undecided = zip_kind(names) == "zip"
    for pattern, kind in BEGINNINGS:
        if (undecided or kind in OUTER) and any(pattern.fullmatch(name) for name in names):
            return Guess(kind)
    return zip_guess(names)


def by_zip_header(sight: Sight) -> Guess | None:
    """A zip without its directory whose first header is damaged or stands behind other bytes."""
    head = sight.head
    names = head_names(head)
    first = layout.damaged_name(head)
    if first is not None:
        return cut_guess([first, *names])
    at = head.find(layout.LOCAL_SIGNATURE) + len(layout.LOCAL_SIGNATURE)
    is_header = names and layout.is_usual_name(names[0]) and layout.USUAL_FIELDS.match(head, at)
    return cut_guess(names) if is_header else None


def by_zip_end(sight: Sight) -> Guess | None:
    """A zip with something in front of it, or with a damaged beginning."""
    names = listed_names(sight)
    return zip_guess(names) if names else None


def listed_names(sight: Sight) -> list[str]:
    """The names that the central directory lists; none when there is no directory.

    Where they make no kind of theirs, also those of the local headers: a byte of the name that decides may be damaged.
    """
    end = find_end(sight.source)
    if end is None or end.count == 0:
        return []
    members, _, _ = read_listed(sight.source, end, Progress())
    names = members.names
    if len(names) <= MOST_HEADERS and zip_kind(names) == "zip":
        names = [*names, *(name for at in members.header.tolist() for name in local_name(sight.source, at))]
        names += head_names(sight.head) if len(members) < end.count else []
    return names


def local_name(source: ByteSource, at: int) -> list[str]:
    """The name in the local header at a place; nothing where none stands there."""
    return head_names(source.read(at, layout.LOCAL.size + layout.USUAL_NAME))[:1] if at < source.size else []


def head_names(head: bytes) -> list[str]:
    """The names in the local headers of the first bytes, where the directory is lost."""
    names = []
    for match in HEADER.finditer(head):
        length = match[1][0] + (match[2][0] << 8)
        names.append(layout.decode_name(head[match.end() : match.end() + length], layout.UTF8))
    return names


def by_tar(sight: Sight) -> Guess | None:
    """A tar, by its magic or by the checksum of its first header; torch's own by its members."""
    head = sight.head[:TAR_BLOCK]
    if len(head) < TAR_BLOCK or not (head[257:262] == b"ustar" or tar_sum(head)):
        return None
    names = {name.removeprefix("./") for name in tar_names(sight)} - {"", "@PaxHeader", "./@PaxHeader"}
    known = names & TORCH_TAR
    is_cut = known == names and (len(known) >= TORCH_TAR_ENOUGH or known == TORCH_TAR_ALONE)
    return Guess("torch-tar" if len(known) > TORCH_TAR_ENOUGH or is_cut else "tar")


def tar_sum(head: bytes) -> bool:
    """True when the header's checksum is that of its bytes."""
    stated = octal(head[148:156])
    return stated > 0 and stated == sum(head[:148]) + 8 * ord(" ") + sum(head[156:TAR_BLOCK])


def tar_names(sight: Sight) -> list[str]:
    """The names of the first members."""
    names: list[str] = []
    at = 0
    while len(names) < TAR_MEMBERS and at < sight.size:
        head = sight.source.read(at, TAR_BLOCK)
        if len(head) < TAR_BLOCK or not tar_sum(head):
            break
        names.append(head[:100].partition(b"\0")[0].decode("utf-8", "backslashreplace"))
        at += TAR_BLOCK * (1 + -(-octal(head[124:136]) // TAR_BLOCK))
    return names


def octal(text: bytes) -> int:
    """A number of a tar header, in octal digits or (first bit set) as binary; 0 where it is neither."""
    if text[:1] >= b"\x80":
        return int.from_bytes(bytes([text[0] & 0x7F]) + text[1:], "big")
    digits = text.strip(b" \0")
    return int(digits, 8) if digits and not digits.strip(b"01234567") else 0
