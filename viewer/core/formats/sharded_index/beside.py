"""What else stands in the folder of a set: files of its names, other indexes; and which index a file belongs to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from viewer.core.errors import SourceError
from viewer.core.folder import Folder, listed
from viewer.core.formats.recognition import recognise
from viewer.core.formats.sharded_index.shards import MOST_LISTED
from viewer.core.problem import Problem, note, warning

NAME: Final = "sharded-index"
LARGEST: Final = 256 * 1024 * 1024
LEAST: Final = 4 * 1024 * 1024
"""Bytes of an index that are read at most, and under any memory limit."""
BLOCK: Final = 1 << 20
_INDEX: Final = re.compile(r"(?:^|.*/)[^/]*\.index(?:\.[\w-]+)?\.json")
_NUMBERED: Final = re.compile(r"(.*)-(\d{1,9})-of-(\d{1,9})(\.\w+)")
# The files of torch's own writer of such sets begin so; their header says how they fit together.
_OF_RANKS: Final = re.compile(r"shard-\d+-")
_FIRST: Final = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_WEIGHTS: Final = frozenset({"bin", "ckpt", "pt", "pth", "safetensors"})


class Numbered(NamedTuple):
    """The name of a shard: what it begins and ends with, its number from 1, and how many there are."""

    stem: str
    number: int
    of: int
    suffix: str

    def other(self, number: int, like: str) -> str:
        """The name of another shard of the same set. `like`: a name of it, for the number of digits."""
        digits = [len(text) for text in re.findall(r"\d+", like.removeprefix(self.stem))]
        return f"{self.stem}-{number:0{digits[0]}d}-of-{self.of:0{digits[1]}d}{self.suffix}"


def numbered(name: str) -> Numbered | None:
    """What the name of a shard says; None for other names."""
    found = _NUMBERED.fullmatch(name)
    if found is None or _OF_RANKS.match(name):
        return None
    return Numbered(found[1], int(found[2]), int(found[3]), found[4])


def is_weights(name: str) -> bool:
    """Whether a file may hold tensors, by the ending of its name."""
    return name.lower().rpartition(".")[2] in _WEIGHTS


# -- indexes ------------------------------------------------------------------------------------------


def indexes(names: Sequence[str], folder: Folder) -> list[str]:
    """The indexes among files, by content; the one that readers take first stands first."""
    found = [name for name in names if _INDEX.fullmatch(name) and is_index(name, folder)]
    return sorted(found, key=_rank)


def _rank(name: str) -> tuple[int, int, bool, str]:
    base = name.rpartition("/")[2]
    exact = _FIRST.index(base) if base in _FIRST else len(_FIRST)
    return name.count("/"), exact, "safetensors" not in base, name


def is_index(name: str, folder: Folder) -> bool:
    """Whether a file is an index, by its content."""
    source = folder.open(name)
    if source is None:
        return False
    try:
        return recognise(source).format == NAME
    except SourceError:
        return False
    finally:
        source.close()


def index_naming(name: str, folder: Folder) -> tuple[str | None, list[str]]:
    """The index that names a file of the folder, where there is one; and all indexes there."""
    found = indexes(folder.names_seen(0), folder)
    return next((one for one in found if mentions(one, name, folder)), None), found


def mentions(index: str, name: str, folder: Folder) -> bool:
    """Whether a name stands in an index as a text of its own."""
    wanted = {json.dumps(name).encode(), json.dumps(name, ensure_ascii=False).encode("utf-8", "surrogatepass")}
    source = folder.open(index)
    if source is None:
        return False
    longest = max(map(len, wanted))
    try:
        for start in range(0, min(source.size, LARGEST), BLOCK):
            block = source.read(start, BLOCK + longest)
            if any(text in block for text in wanted):
                return True
    except SourceError:
        return False
    finally:
        source.close()
    return False


# -- what else is there -------------------------------------------------------------------------------


def beside(index: str, folder: Folder, named: Sequence[str]) -> Iterator[Problem]:
    """What is to be said of the folder of an index. `named`: the files that it names."""
    names = folder.names_seen(0)
    others = [name for name in indexes(names, folder) if name != index]
    if others:
        yield note("set-index-other", None, name=index, files=listed(others))
    shards = [found for name in named if (found := numbered(name)) is not None]
    if not shards or len({(shard.stem, shard.of, shard.suffix) for shard in shards}) > 1:
        return
    yield from _by_number(names, set(named), shards)


def _by_number(names: Sequence[str], named: set[str], shards: Sequence[Numbered]) -> Iterator[Problem]:
    """Whether the numbers in the names of the files are complete, and files that have other numbers."""
    model = shards[0]
    numbers = {shard.number for shard in shards}
    left = [number for number in range(1, min(model.of, MOST_LISTED * 10) + 1) if number not in numbers]
    if left:
        told = listed([str(number) for number in left], model.of - len(numbers))
        yield warning("set-numbers", None, of=model.of, found=len(numbers), listed=told)
    rest = [(name, found) for name in names if name not in named and (found := numbered(name)) is not None]
    same = [(name, found) for name, found in rest if (found.stem, found.suffix) == (model.stem, model.suffix)]
    extra = [name for name, found in same if found.of == model.of]
    if extra:
        yield warning("set-files-extra", None, count=len(extra), files=listed(extra))
    for of in sorted({found.of for _, found in same} - {model.of}):
        stale = [name for name, found in same if found.of == of]
        files = listed(stale)
        yield warning("set-files-stale", None, count=len(stale), of=of, expected=model.of, files=files)
    single = model.stem + model.suffix
    if single in names:
        yield warning("set-file-single", None, name=single)
