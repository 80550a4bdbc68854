"""Files of all kinds cut anywhere, or with a byte flipped: what is said of a tensor is held against the whole file."""

from __future__ import annotations

import random
from collections import OrderedDict
from io import BytesIO
from typing import Final

import numpy as np
import pytest

from tests.builders.joblib_stream import joblib_dict
from tests.builders.legacy import legacy
from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_tar import TarStorage, TarTensor, TorchTar, named
from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import ZipWriter, torch_zip
from tests.opened import codes, opened, regions_tile
from tests.sweep.truth import Truth
from viewer.core.document import Document
from viewer.core.problem import Severity

CUTS: Final = 100
FLIPS: Final = 150
PICKLES: Final = frozenset({"pickle", "record"})


def value() -> OrderedDict[str, object]:
    """Tensors of several types, two in one storage, one not contiguous, one empty."""
    shared = storage("float32", range(12))
    return OrderedDict(
        a=full("float32", (2, 3), range(6)),
        row=tensor(shared, (4,), (1,), 4),
        column=tensor(shared, (3,), (4,), 1),
        b=full("int64", (3,), [7, 8, 9]),
        none=full("float32", (0,), []),
        h=full("float16", (5,), range(5)),
    )


def npz(compressed: bool) -> bytes:
    file = BytesIO()
    arrays = {"x": np.arange(40, dtype="<f4").reshape(5, 8), "y": np.arange(9, dtype="<i8")}
    (np.savez_compressed if compressed else np.savez)(file, **arrays)
    return file.getvalue()


def npy() -> bytes:
    file = BytesIO()
    np.save(file, np.arange(40, dtype="<f4").reshape(5, 8).T)
    return file.getvalue()


def archive_in_archive() -> bytes:
    writer = ZipWriter("outer")
    writer.add("first.pt", torch_zip(value()))
    writer.add("second.pt", legacy(value()))
    return writer.finish()


FILES: Final = {
    "zip": torch_zip(value(), "net"),
    "zip-1.6": torch_zip(value(), version="1.6"),
    "zip-deflated": torch_zip(value(), deflated=True),
    "zip-protocol-4": torch_zip(value(), protocol=4),
    "zips-in-a-zip": archive_in_archive(),
    "legacy": legacy(value()),
    "legacy-protocol-4": legacy(value(), 4),
    "tar": TorchTar(
        OrderedDict(w=named(21), v=named(22), s=named(11)),
        [TarStorage(11, "Float", range(6)), TarStorage(12, "Long", [1, 2])],
        [TarTensor(21, 11, "Float", (2, 3), (3, 1)), TarTensor(22, 12, "Long", (2,), (1,))],
        [],
    ).data,
    "safetensors": safetensors({"a": entry("F32", [2], 0, 8), "b": entry("I64", [2], 8, 24)}, bytes(range(24))),
    "npy": npy(),
    "npz": npz(False),
    "npz-compressed": npz(True),
    "joblib": joblib_dict({"x": ((2, 3), bytes(range(24))), "y": ((4,), bytes(16))}),
}


def places(data: bytes, document: Document, count: int) -> list[int]:
    """The bounds of all parts with a byte on each side, and others by chance."""
    bounds = {bound for part in document.walk() if part.offset == 0 for r in part.regions for bound in (r.span.start,)}
    near = {at + step for at in bounds for step in (-1, 0, 1)}
    chance = random.Random(len(data))
    return sorted(at for at in {*near, *(chance.randrange(len(data)) for _ in range(count))} if 0 <= at < len(data))


@pytest.mark.parametrize("kind", FILES)
def test_a_file_cut_anywhere(kind: str) -> None:
    data = FILES[kind]
    whole = opened(data)
    truth = Truth(whole)
    assert truth.known
    for at in places(data, whole, CUTS):
        document = opened(data[:at])
        for part in document.walk():
            regions_tile(part)
        assert truth.faults(document, at) == [], at


@pytest.mark.parametrize(
    "kind", [kind for kind in FILES if kind.startswith(("zip", "legacy", "safe")) and kind != "zips-in-a-zip"]
)
def test_a_byte_flipped_anywhere(kind: str) -> None:
    data = FILES[kind]
    whole = opened(data)
    truth = Truth(whole)
    chance = random.Random(kind)
    for at in places(data, whole, FLIPS):
        mask = chance.randrange(1, 256)
        document = opened(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])
        wrong = truth.changed(document) - truth.over(at)
        if not wrong:
            continue
        region = next(region for region in whole.regions if region.span.start <= at < region.span.stop)
        assert is_account(region.kind, region.label), (at, mask, region, wrong)
        if kind in ("zip", "zip-1.6", "zip-protocol-4"):
            told = {problem.code for problem in document.problems if problem.severity is not Severity.NOTE}
            assert told - set(codes(whole)), (at, mask, wrong)


def is_account(kind: str, label: str) -> bool:
    """True for a part that says what the tensors are."""
    return kind.startswith("safetensors-") or kind in PICKLES or label.endswith("byteorder")
