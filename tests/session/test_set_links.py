"""A set of files: its tensors lead to the bytes of the files that they stand in, and those bytes back to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.safetensors import entry, safetensors
from viewer.core.document import MEMBER, Document, SetFile
from viewer.core.errors import CancelledError
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.core.tensors import window
from viewer.core.tensors.assembled import AssembledSource
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor
from viewer.session.linking import Links
from viewer.session.set_links import place_of_tensor
from viewer.ui.models.byte_regions import ByteRegions, owner_text

FILES = ("one.safetensors", "two.safetensors")


@pytest.fixture
def model(tmp_path: Path) -> Document:
    """`a` stands whole in the first file; the first rows of `b` (3 x 2, int16) in the first, the last in the second."""
    first = {"a": entry("U8", [4], 0, 4), "b": entry("I16", [2, 2], 4, 12)}
    (tmp_path / FILES[0]).write_bytes(safetensors(first, bytes(range(12))))
    (tmp_path / FILES[1]).write_bytes(safetensors({"b": entry("I16", [1, 2], 0, 4)}, bytes(range(4))))
    root = Document(MemorySource(b"{}"), "distributed")
    sizes = [(tmp_path / name).stat().st_size for name in FILES]
    root.files = [SetFile("index", 2), *(SetFile(name, size) for name, size in zip(FILES, sizes, strict=True))]
    for name in FILES:
        child = open_document(tmp_path / name)
        child.how = MEMBER + name
        root.children.append(child)
        for tensor in child.tensors:
            tensor.member = name
    whole, above = root.children[0].tensors
    (below,) = root.children[1].tensors
    above.offsets, below.offsets = (0, 0), (2, 0)
    source = AssembledSource((3, 2), 2, (above, below))
    storage = Storage("b", "cpu", "int16", False, 6, 12, None, source)
    pieces = (("piece", above), ("piece", below))
    split = Tensor(1, ("b",), "b", "tensor", "int16", (3, 2), (2, 1), 0, storage, parts=pieces)
    root.add_tensors((whole, split))
    root.number()
    return root


def base_of(model: Document, number: int) -> int:
    """Where the elements of a file begin."""
    return model.children[number].source.size - (12, 4)[number]


def test_tensors_lead_to_their_files(model: Document) -> None:
    links = Links(model, Contents(model))
    whole, split = model.tensors
    first, second = base_of(model, 0), base_of(model, 1)
    found = links.from_tensor(whole)
    assert (found.document, found.source, found.spans, found.tensor) == (0, FILES[0], (Span(first, first + 4),), 0)
    assert links.from_tensor(split).spans == (Span(first + 4, first + 12),)
    element = links.from_tensor(split, (2, 1))
    assert (element.source, element.spans, element.element) == (FILES[1], (Span(second + 2, second + 4),), (2, 1))
    assert links.from_tensor(split, (1, 0)).spans == (Span(first + 8, first + 10),)
    assert place_of_tensor(split, (3, 0)).spans == ()


def test_bytes_of_files_lead_to_the_tensors(model: Document) -> None:
    links = Links(model, Contents(model))
    first, second = base_of(model, 0), base_of(model, 1)
    found = links.from_bytes((Span(first + 2, first + 3),), FILES[0])
    assert (found.document, found.source, found.tensor, found.element) == (0, FILES[0], 0, (2,))
    found = links.from_bytes((Span(first + 10, first + 11),), FILES[0])
    assert (found.tensor, found.element) == (1, (1, 1))
    found = links.from_bytes((Span(second + 2, second + 4),), FILES[1])
    assert (found.tensor, found.element, found.source) == (1, (2, 1), FILES[1])
    assert links.from_bytes((Span(0, 1),), FILES[1]).tensor is None
    assert links.from_bytes((Span(0, 1),)).source == ""


def test_the_tensors_of_a_file_may_be_told(model: Document) -> None:
    asked: list[str] = []

    def tensors_in(member: str) -> list[int]:
        asked.append(member)
        return [1]

    model.tensors_in = tensors_in
    links = Links(model, Contents(model))
    first = base_of(model, 0)
    assert links.from_bytes((Span(first, first + 1),), FILES[0]).tensor is None
    assert links.from_bytes((Span(first + 4, first + 5),), FILES[0]).tensor == 1
    assert asked == [FILES[0]]


def test_values_across_files(model: Document) -> None:
    assert window.read(model.tensors[1]).tolist() == [[0x504, 0x706], [0x908, 0xB0A], [0x100, 0x302]]


def test_the_bytes_of_a_file_have_its_colours(model: Document) -> None:
    first = base_of(model, 0)
    runs = ByteRegions(model, FILES[0]).whole()
    assert (int(runs.starts[0]), int(runs.stops[-1])) == (0, first + 12)
    assert owner_text(model, first, FILES[0]) == "uint8 a"
    assert owner_text(model, 0, "") == ""
    with_own = ByteRegions(model).whole()
    assert len(with_own.starts) == 0


def test_the_tensors_of_a_file_are_looked_up_in_a_thread_where_they_are_many(
    model: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = Links(model, Contents(model))
    assert links.is_ready(FILES[0])
    monkeypatch.setattr("viewer.session.set_links.AT_ONCE", 1)
    assert not links.is_ready(FILES[0])
    # Bytes of the file that stands for the set need no such thing.
    assert links.is_ready("")
    assert links.prepared(FILES[0], Progress()) is links
    assert links.is_ready(FILES[0])
    assert not links.is_ready(FILES[1])
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(CancelledError):
        links.prepared(FILES[1], stopped)
