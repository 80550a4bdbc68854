"""Folder: the files that stand together and make one set. Nothing outside of it is read.

Names are relative, with `/`. A file of a set is opened when it is read, so that ten thousand of them need no more
descriptors than sixty-four.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from typing_extensions import override

from viewer.core.errors import SourceError
from viewer.core.source import FLAGS, ByteSource, FileSource, Identity, identity_of, printable
from viewer.wording import bare

MOST_OPEN: Final = 64
MOST_NAMES: Final = 200_000
DEEPEST: Final = 3
MOST_NAMED: Final = 5
# Where the cache of Hugging Face keeps what the links of `snapshots/<revision>` lead to.
HUB_FILES: Final = "blobs"
HUB_REVISIONS: Final = "snapshots"
HUB_MODEL: Final = "models--"
NO_LINK: Final = getattr(os, "O_NOFOLLOW", None)


def is_inside(name: str) -> bool:
    """True for a relative name that climbs nowhere, on any system."""
    plain = name.replace("\\", "/")
    parts = plain.split("/")
    return (
        any(part not in ("", ".") for part in parts)
        and ".." not in parts
        and not plain.startswith("/")
        and ":" not in name
        and "\0" not in name
    )


def is_folder(path: Path) -> bool:
    """True for a folder; False also for what no system can name."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_file(entry: os.DirEntry[str]) -> bool:
    """True for a regular file and a link to one; False also for links that lead to one another."""
    try:
        return entry.is_file()
    except OSError:
        return False


def is_other(now: Identity, before: Identity) -> bool:
    """True for another file than before. Some systems number the same file anew: its time and size count too."""
    same = (now.device, now.inode) == (before.device, before.inode)
    return not same and (now.size, now.modified_ns) != (before.size, before.modified_ns)


def why(failure: SourceError) -> str:
    """The reason of a failure, for a sentence that names the file itself."""
    cause = getattr(failure.__cause__, "strerror", None)
    return bare(str(failure.params.get("reason") or cause or failure))


def listed(names: Sequence[str], count: int = 0, most: int = MOST_NAMED) -> str:
    """The first of many names in a sentence, and how many more there are. `count`: where it is more than the names."""
    from viewer.wording.phrases import phrase

    first, count = ", ".join(names[:most]), max(count, len(names))
    return first if count <= most else phrase("more", names=first, count=count - most)


def set_name(path: Path) -> str:
    """What people call a set: its folder. Its own files are hidden, or called as in every other set.

    In the cache of Hugging Face the model gives the name: a folder there is called after a revision.
    """
    folder = path if is_folder(path) else path.absolute().parent
    revisions, model = (*folder.absolute().parents, Path(), Path())[:2]
    if revisions.name == HUB_REVISIONS and model.name.startswith(HUB_MODEL):
        return model.name.removeprefix(HUB_MODEL).rpartition("--")[2]
    return folder.absolute().name or path.name


class Folder:
    """A folder and the regular files in it and below it. `path`: as the person gave it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pool = FilePool()
        self._root = path.resolve()

    def names(self, deepest: int = DEEPEST) -> list[str]:
        """The names of the files, sorted; at most 200,000, and none more than `deepest` folders below.

        Raises SourceError when the folder itself cannot be listed.
        """
        found: list[str] = []
        waiting = [("", 0)]
        while waiting and len(found) < MOST_NAMES:
            below, depth = waiting.pop()
            try:
                entries = list(os.scandir(self._root / below))
            except OSError as failure:
                if not below:
                    reason = failure.strerror or str(failure)
                    raise SourceError("file-unreadable", path=printable(str(self.path)), reason=reason) from failure
                continue
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if depth < deepest:
                        waiting.append((f"{below}{entry.name}/", depth + 1))
                elif is_file(entry):
                    found.append(below + entry.name)
        return sorted(found[:MOST_NAMES])

    def names_seen(self, deepest: int = DEEPEST) -> list[str]:
        """As `names`; none where the folder cannot be listed: files in it may be read all the same."""
        try:
            return self.names(deepest)
        except SourceError:
            return []

    def locate(self, name: str) -> Path | None:
        """Where a file stands; None where there is none, or where its name or a link leads out of the folder."""
        if not is_inside(name):
            return None
        try:
            if "/" not in name and "\\" not in name and stat.S_ISREG(os.lstat(f"{self._root}{os.sep}{name}").st_mode):
                # No link on the way: there is nothing to resolve.
                return self._root / name
            path = (self._root / name).resolve()
            is_file = path.is_file() and (path.is_relative_to(self._root) or self._is_hub_file(path))
        except (OSError, RuntimeError):
            # A name that is too long, links that lead to one another.
            return None
        return path if is_file else None

    def open(self, name: str) -> FileSource | None:
        """A file with a descriptor of its own; None where there is none."""
        path = self.locate(name)
        try:
            return FileSource(path) if path is not None else None
        except SourceError:
            return None

    def member(self, name: str) -> MemberSource | None:
        """A file that is opened when it is read; None where there is none. Raises SourceError for what is no file."""
        path = self.locate(name)
        if path is None:
            self.refuse(name)
            return None
        return MemberSource(self._pool, str(path))

    def refuse(self, name: str) -> None:
        """Raise SourceError where what stands under a name is not read: a folder, a pipe, a link that leads out."""
        reason = self._refusal(name) if self.locate(name) is None else ""
        if reason:
            raise SourceError("file-unreadable", path=printable(str(self.path / name)), reason=reason)

    def _refusal(self, name: str) -> str:
        """Why what stands under a name is not read; "" where nothing stands there."""
        from viewer.wording.phrases import phrase

        if not is_inside(name):
            return ""
        try:
            mode = (self._root / name).stat().st_mode
        except OSError as failure:
            return "" if failure.errno in (errno.ENOENT, errno.ENOTDIR) else failure.strerror or str(failure)
        if stat.S_ISDIR(mode):
            return phrase("file-is-folder")
        return phrase("file-link") if stat.S_ISREG(mode) else phrase("file-is-device")

    def member_begun(self, name: str, length: int) -> tuple[MemberSource, bytes] | None:
        """As `member`, and its first bytes, none where it cannot be read: of very many files quicker than both."""
        found = self._plain_file(name, length)
        if found is not None:
            return found
        member = self.member(name)
        try:
            return (member, member.peek(0, length)) if member is not None else None
        except SourceError:
            return (member, b"") if member is not None else None

    def _plain_file(self, name: str, length: int) -> tuple[MemberSource, bytes] | None:
        """A file that stands in the folder itself, by one opening; None for all that needs a closer look."""
        if NO_LINK is None or not is_inside(name) or "/" in name or "\\" in name:
            return None
        path = f"{self._root}{os.sep}{name}"
        try:
            file = os.open(path, FLAGS | NO_LINK)
        except (OSError, ValueError):
            return None
        try:
            facts = os.fstat(file)
            head = os.pread(file, length, 0) if stat.S_ISREG(facts.st_mode) else b""
        except OSError:
            return None
        finally:
            os.close(file)
        is_whole = head and len(head) == min(length, facts.st_size)
        return (MemberSource(self._pool, path, identity_of(facts)), head) if is_whole else None

    def close(self) -> None:
        """Give all files back that are not being read."""
        self._pool.close()

    def _is_hub_file(self, path: Path) -> bool:
        return path.parent == self._root.parent.parent / HUB_FILES


@dataclass(slots=True)
class _Held:
    source: FileSource
    readers: int = 0


class FilePool:
    """Files opened when they are read; the one that was not read for longest is closed when there are too many."""

    def __init__(self, limit: int = MOST_OPEN) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        # In the order in which they were last read.
        self._held: dict[str, _Held] = {}

    @contextmanager
    def borrowed(self, path: str, identity: Identity) -> Iterator[FileSource]:
        """The file of a path, not closed while it is used. Raises SourceError where it cannot be opened.

        `identity`: what it was when the set was opened; another file that stands there now is not read, nor a link.
        """
        with self._lock:
            held = self._held.pop(path, None) or _Held(FileSource(path, NO_LINK or 0))
            if is_other(held.source.identity, identity):
                held.source.close()
                raise SourceError("file-replaced", path=printable(path))
            self._held[path] = held
            held.readers += 1
            self._drop(self._limit)
        try:
            yield held.source
        finally:
            with self._lock:
                held.readers -= 1

    def close(self) -> None:
        """Close all files that nobody reads now."""
        with self._lock:
            self._drop(0)

    def _drop(self, limit: int) -> None:
        over = len(self._held) - limit
        idle = (path for path, held in self._held.items() if not held.readers) if over > 0 else iter(())
        for path in list(islice(idle, max(over, 0))):
            self._held.pop(path).source.close()


class MemberSource(ByteSource):
    """The bytes of one file of a set. Its size is that of the moment when the set was opened.

    `place`: where the file stands.
    """

    def __init__(self, pool: FilePool, path: str, identity: Identity | None = None) -> None:
        # The text, as ten thousand paths take a tenth of a second to make.
        self.place = path
        self._pool = pool
        self.identity = identity or self.current_identity()
        self.size = self.identity.size

    @property
    def path(self) -> Path:
        """Where the file stands."""
        return Path(self.place)

    def current_identity(self) -> Identity:
        """What stands under the path now; differs from `identity` when it was written to or replaced since."""
        try:
            return identity_of(self.path.stat())
        except OSError as failure:
            reason = failure.strerror or str(failure)
            raise SourceError("file-unreadable", path=printable(self.place), reason=reason) from failure

    @override
    def read(self, offset: int, length: int) -> bytes:
        with self._pool.borrowed(self.place, self.identity) as source:
            return source.read(offset, min(length, self.size - offset))

    @override
    def peek(self, offset: int, length: int) -> bytes:
        with self._pool.borrowed(self.place, self.identity) as source:
            return source.peek(offset, min(length, self.size - offset))

    @override
    def read_into(self, offset: int, buffer: memoryview) -> int:
        with self._pool.borrowed(self.place, self.identity) as source:
            return source.read_into(offset, buffer[: max(self.size - offset, 0)])

    @override
    def to_outer(self, offset: int) -> int | None:
        return offset

    @override
    def close(self) -> None:
        self._pool.close()
