"""Containers with bytes changed and cut off anywhere: they open, every byte keeps one owner, and rows can be made."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from collections import OrderedDict
from typing import Final

import pytest
import zstandard

from tests.builders.safetensors import entry, safetensors
from tests.builders.tars import member, pax, tar
from tests.builders.torch_tar import TarStorage, TarTensor, TorchTar, named
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.opened import opened, regions_tile
from viewer.core.document import Document
from viewer.core.errors import ViewerError
from viewer.core.summary.contents import Contents
from viewer.core.summary.rows.inspection import Wanted, facts
from viewer.core.tensors import window
from viewer.core.tree import ROOT

INNER: Final = torch_zip({"w": full("float32", (2, 3), range(6))})
CHECKPOINT: Final = TorchTar(
    OrderedDict(w=named(21), v=named(22), s=named(11)),
    [TarStorage(11, "Float", range(6)), TarStorage(12, "Long", [1, 2])],
    [TarTensor(21, 11, "Float", (2, 3), (3, 1)), TarTensor(22, 13, "Float", (2,), (1,))],
    [(13, 11, 2, 3)],
).data
FILES: Final[dict[str, bytes]] = {
    "torch-tar": CHECKPOINT,
    "tar": tar(pax(path=b"models/a.pt"), member(b"a.pt", INNER), member(b"b.gz", gzip.compress(INNER))),
    "safetensors": safetensors(
        {"__metadata__": {"format": "pt"}, "a": entry("F32", [2], 0, 8), "b": entry("F4", [4], 8, 10)}, bytes(10)
    ),
    "gzip": gzip.compress(INNER),
    "bz2": bz2.compress(INNER),
    "xz": lzma.compress(INNER),
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress(INNER),
}
ROUNDS: Final = 120


def damaged(data: bytes, dice: random.Random) -> bytes:
    """Often cut, with a few bytes changed, half of them near the front."""
    made = bytearray(data[: dice.randrange(1, len(data))] if dice.random() < 0.4 else data)
    for _ in range(dice.choice((0, 1, 1, 2, 6))):
        made[dice.randrange(len(made) if dice.random() < 0.5 else min(len(made), 600))] = dice.randrange(256)
    return bytes(made)


def looked_at(document: Document) -> None:
    """All that a window asks of a document at first."""
    regions_tile(document)
    assert len({tensor.path for tensor in document.tensors}) == len(document.tensors)
    contents = Contents(document)
    for node in contents.tree.children(contents.tree.child(ROOT, 0)):
        contents.label(node), contents.details(node), contents.size(node), contents.span(node), contents.opens(node)
    for offset in range(0, document.source.size, max(1, document.source.size // 20)):
        contents.node_at_offset(offset)
    for tensor in document.tensors:
        contents.node_of_tensor(tensor)
        missing, size = window.missing_bytes(tensor)
        assert 0 <= missing <= size
        try:
            window.read(tensor) if window.nbytes(tensor) < 1 << 20 else None
        except ViewerError:
            assert missing or tensor.storage is None or size < window.nbytes(tensor) or not tensor.storage.complete
    assert all(problem.text for problem in document.problems)


@pytest.mark.parametrize("kind", FILES)
def test_damage(kind: str) -> None:
    dice = random.Random(kind)
    for _ in range(ROUNDS):
        document = opened(damaged(FILES[kind], dice))
        parts = list(document.walk())
        for part in parts:
            looked_at(part)
        assert len(list(facts(document, Wanted())["tensors"])) == sum(len(part.tensors) for part in parts)
