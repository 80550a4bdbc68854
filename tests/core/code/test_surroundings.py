"""What the classes of a person's files bring with them: helpers, imports and bases, from the right file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from viewer.core.code.supplied import SuppliedFile, supplied_file
from viewer.core.code.surroundings import Surroundings, fitting

BLOCKS = '''\
"""Blocks."""
import torch.nn as nn, os
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from .base import Base
from timm import create
import timm

SIZE = 3
unused = print("x")


def conv(size=SIZE):
    return nn.Conv2d(size, size, 1)


@timm.register
def helper(x):
    return conv()


class Mixin:
    pass


class Block(Mixin, Base):
    def forward(self, x):
        return helper(pack_padded_sequence(x))


class Other(Block):
    size = SIZE

    def forward(self, x):
        return conv(x)


if __name__ == "__main__":
    conv = None
'''
BASE = "import math\n\nclass Base:\n    x = math.pi\n\nclass Block:\n    pass\n"


def files(texts: Mapping[str, str]) -> list[SuppliedFile]:
    return [supplied_file(Path(path), text.encode()) for path, text in texts.items()]


def test_a_class_brings_what_it_needs_and_no_more() -> None:
    given = files({"zoo/blocks.py": BLOCKS, "zoo/base.py": BASE})
    around = Surroundings(given, {"Block", "Other"}, {"Block", "Other"}, {})
    assert around.before(given[0], "Block") == (
        "import math\n\n\nclass Base:\n    x = math.pi\n"
        "import torch.nn as nn\n"
        "from torch.nn.utils.rnn import pack_padded_sequence\n"
        "SIZE = 3\n\n\n"
        "def conv(size=SIZE):\n    return nn.Conv2d(size, size, 1)\n\n\n"
        "@timm.register\ndef helper(x):\n    return conv()\n\n\n"
        "class Mixin:\n    pass\n\n\n"
    )
    assert around.before(given[0], "Other") == ""


def test_the_file_of_the_module_is_taken() -> None:
    given = files({"a/zoo/blocks.py": BLOCKS, "a/zoo/base.py": BASE, "a/zoo/blocks/__init__.py": BASE})
    assert fitting(given, "zoo.base", "Block") == [given[1]]
    assert fitting(given, "zoo.blocks", "Block") == [given[0], given[2]]
    assert fitting(given, "zoo.else", "Block") == given
    assert fitting(given, "zoo.blocks", "Nothing") == []


def test_files_that_need_each_other_end() -> None:
    given = files(
        {
            "one.py": "from two import b\n\ndef a():\n    return b()\n\nclass A:\n    x = a\n",
            "two.py": "from one import a\n\ndef b():\n    return a()\n",
        }
    )
    before = Surroundings(given, {"A"}, {"A"}, {}).before(given[0], "A")
    assert before == "def b():\n    return a()\n\n\ndef a():\n    return b()\n\n\n"
