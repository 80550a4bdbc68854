"""The storages of a lone `data.pkl`: records of an archive that somebody unpacked, in the folder `data` beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from typing_extensions import override

from viewer.core.formats.base import Context
from viewer.core.source import ByteSource
from viewer.core.tensors.table import Key, Located

# torch 1.4 kept storages in the second folder.
FOLDERS: Final = ("data/", "tensors/")
MARK: Final = "byteorder"
LITTLE: Final = "little"


class FileBeside(ByteSource):
    """A file beside the one that was opened. It is opened for each read: a model may have thousands of them."""

    def __init__(self, open_file: Callable[[], ByteSource | None], size: int) -> None:
        self._open = open_file
        self.size = size

    @classmethod
    def of(cls, sibling: Callable[[str], ByteSource | None], name: str) -> FileBeside | None:
        """The file of a name; None where there is none."""
        source = sibling(name)
        if source is None:
            return None
        size = source.size
        source.close()
        return cls(lambda: sibling(name), size)

    @override
    def read(self, offset: int, length: int) -> bytes:
        source = self._open()
        if source is None:
            return b""
        try:
            return source.read(offset, min(length, self.size - offset))
        finally:
            source.close()

    @override
    def read_into(self, offset: int, buffer: memoryview) -> int:
        source = self._open()
        if source is None:
            return 0
        try:
            return source.read_into(offset, buffer[: max(self.size - offset, 0)])
        finally:
            source.close()


class UnpackedFolder:
    """Finds storages by their keys. `byteorder`: as the file beside says, little where there is none."""

    def __init__(self, context: Context) -> None:
        self._sibling = context.sibling
        mark = FileBeside.of(self._sibling, MARK)
        stated = mark.read(0, len(LITTLE)).strip() if mark is not None else b""
        self.byteorder = context.options.byteorder or ("big" if stated == b"big" else LITTLE)

    def locate(self, key: Key, nbytes: int) -> Located | None:
        """The file of a storage; it has no place in the pickle's own file."""
        del nbytes
        for folder in FOLDERS:
            name = f"{folder}{key}"
            found = FileBeside.of(self._sibling, name)
            if found is not None:
                return Located(None, found, name, self.byteorder, found.size)
        return None
