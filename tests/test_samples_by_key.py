"""The facts of the tensors of all samples of ../shared that the digests leave open, and of the files themselves.

`head`: the first numbers; `first_bytes`: of the logical elements as they are stored, without the conj and neg bits;
`storage_group`: tensors with one number share one storage.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from tests.expected import Facts, by_name, expected
from tests.test_shared_files import is_read, present, sample_facts
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.summary.file_hash import file_sha256
from viewer.core.tensors import window
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.tensor import Tensor

# Torch makes these bytes true or false when it shows them, the digests are those of the stored ones.
STORED_BOOLS: Final = frozenset({"M_bad_bool_bytes.pt"})


@pytest.mark.parametrize("name", present("samples"))
def test_the_file_is_the_one_that_the_facts_are_of(name: str, shared: Path) -> None:
    facts = expected("samples")[name]
    document = open_document(shared / "samples" / name)
    try:
        assert document.source.size == facts.get("size", document.source.size)
        if "file_sha256" in facts and not document.files:
            assert file_sha256(document, Progress()) == facts["file_sha256"]
    finally:
        document.close()


@pytest.mark.parametrize("name", present("samples"))
def test_numbers_bytes_and_storages_of_every_tensor(name: str, shared: Path) -> None:
    facts = expected("samples")[name]
    document = open_document(shared / "samples" / name)
    try:
        if is_read(document) and not facts.get("torch_is_wrong"):
            assert list(wrong(document, name, facts)) == []
    finally:
        document.close()


def wrong(document: Document, name: str, facts: Facts) -> Iterator[tuple[str, str, object, object]]:
    """What is not as it is stated: the tensor, the fact, ours, theirs."""
    tensors = by_name(document)
    groups: dict[int, set[int]] = {}
    for key, stated in sample_facts(facts).items():
        tensor = tensors[key]
        if key in facts.get("nondeterministic", ()):
            continue
        for fact, ours in mine(tensor, stated, is_bool_stored=name in STORED_BOOLS).items():
            if ours != stated[fact]:
                yield key, fact, ours, stated[fact]
        # Storages without a byte are one or many: nothing tells them apart.
        if "storage_group" in stated and tensor.storage is not None and tensor.storage.nbytes:
            groups.setdefault(stated["storage_group"], set()).add(id(tensor.storage))
    alike = [group for group in groups.values() if len(group) > 1]
    if alike or len(set().union(*groups.values())) < len(groups):
        yield "", "storage_group", groups, ""


def mine(tensor: Tensor, stated: Facts, *, is_bool_stored: bool) -> dict[str, object]:
    """Those of the facts that are stated, as we have them."""
    found: dict[str, object] = {}
    if "nbytes" in stated:
        found["nbytes"] = window.nbytes(tensor)
    if "storage_nbytes" in stated and tensor.storage is not None:
        found["storage_nbytes"] = tensor.storage.nbytes
    if "head" in stated:
        # Text is how JSON holds what is no number for it.
        numbers = window.read(tensor).ravel()[: len(stated["head"])].tolist()
        pairs = zip(numbers, stated["head"], strict=True)
        found["head"] = [as_written(number) if isinstance(text, str) else number for number, text in pairs]
    if stated.get("first_bytes") is not None:
        found["first_bytes"] = first_bytes(tensor, len(stated["first_bytes"]) // 2, is_bool_stored)
    return found


def as_written(number: Any) -> str:
    """A number as Python writes it; halves of complex numbers are pairs here."""
    return str(complex(*number)) if isinstance(number, tuple) else str(number)


def first_bytes(tensor: Tensor, count: int, is_bool_stored: bool) -> str:
    if per_byte(tensor) > 1:
        raw = b"".join(block.tobytes() for block in window.packed_bytes(tensor))
    elif is_bool_stored:
        raw = b"".join(block.tobytes() for block in window.blocks(tensor))
    else:
        numbers = window.read(replace(tensor, conj=False, neg=False)).ravel()
        raw = np.ascontiguousarray(numbers).tobytes()
    return raw[:count].hex()
