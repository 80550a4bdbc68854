"""Values and tensors of streams that tests build."""

from __future__ import annotations

import pickle

from tests.builders.torch_zip import ZipPickler
from viewer.core.objects.walk import find_tensors
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.source import MemorySource
from viewer.core.tensors.rebuild import Rebuilder
from viewer.core.tensors.table import StorageTable
from viewer.core.tensors.tensor import Tensor


def values_of(data: bytes) -> Values:
    """The values of a stream."""
    return Values(disassemble(MemorySource(data)))


def pickled(value: object, protocol: int = 2) -> Values:
    """A plain Python value through Python's own pickler."""
    return values_of(pickle.dumps(value, protocol))


def written(value: object, protocol: int = 2) -> Values:
    """A value of tests.builders as torch writes it into a zip."""
    return values_of(ZipPickler(protocol).dumps(value))


def tensors_of(values: Values) -> list[Tensor]:
    """The tensors of a stream without the bytes of their storages."""
    return find_tensors(values, 0, Rebuilder(values, 0, StorageTable(values)).tensor)


def found(value: object, protocol: int = 2) -> list[Tensor]:
    """The tensors of a value of tests.builders."""
    return tensors_of(written(value, protocol))
