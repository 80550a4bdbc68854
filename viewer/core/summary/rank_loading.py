"""What loads a ShardedTensor: torch makes one only in a process group of the size, and of the rank, that saved it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from viewer.core.document import Document
from viewer.core.tensors.sharded import CLASS, stated_ranks

IMPORTS: Final = (
    "import torch",
    "import torch.distributed as dist",
    "from torch.testing._internal.distributed.fake_pg import FakeStore",
)


class Saver(NamedTuple):
    """The rank that saved a file, and the number of all ranks."""

    rank: int
    world: int


def saver_of(document: Document) -> Saver | None:
    """Who saved the first ShardedTensor of a document; None where there is none, or where it does not tell."""
    for tensor in document.content.tensors if isinstance(document.content.tensors, list) else ():
        if tensor.note == CLASS and tensor.value is not None:
            pickle = document.content.pickles[tensor.value.pickle]
            found = stated_ranks(pickle.values, tensor.value.value)
            return None if found is None else Saver(*found)
    return None


def has_shards(document: Document) -> bool:
    """True where a file of one rank holds a ShardedTensor."""
    tensors = document.content.tensors
    return isinstance(tensors, list) and any(tensor.note == CLASS for tensor in tensors)


def group_line(rank: int | str, world: int) -> str:
    """Makes a group in which no other process is asked for anything."""
    return f'dist.init_process_group("fake", store=FakeStore(), rank={rank}, world_size={world})'


def in_group(code: str, saver: Saver) -> str:
    """The code that loads one file, in a group."""
    head, rest = IMPORTS[0], code.removeprefix(IMPORTS[0])
    assert rest != code, head
    imports, _, load = rest.partition("\n\n")
    comment = "# A ShardedTensor is made only on the rank that saved it. This group asks no other process."
    lines = [*IMPORTS, *imports.split("\n")[1:], "", comment, group_line(saver.rank, saver.world), load]
    return "\n".join(lines)


def one_by_one(names: Iterable[str], savers: Iterable[Saver], load: str, trusted: Iterable[str]) -> str:
    """The code that loads the files of all ranks, each in a group of its own. `load`: of the file `name`."""
    held = list(savers)
    rows = [f"    ({saver.rank}, {name!r})," for name, saver in zip(names, held, strict=True)]
    body = [group_line("rank", held[0].world), f"ranks.append({load})", "dist.destroy_process_group()"]
    loop = ["ranks = []", "for rank, name in files:", *(f"    {line}" for line in body)]
    return "\n".join([*IMPORTS, "", "files = [", *rows, "]", *trusted, *loop])
