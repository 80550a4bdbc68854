"""Work and memory are bounded by what a file holds: counted in calls and bytes, never in seconds."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import subprocess
import sys
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from typing_extensions import override

from tests.builders.hostile import BOMBS, NESTS, ROWS
from tests.builders.large import checkpoint, mixed_lists, sparse_legacy
from viewer.cli import main
from viewer.core.document import Document
from viewer.core.errors import CancelledError
from viewer.core.opening import open_document
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.opcode_tree import OpcodeTree
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, FileSource, MemorySource
from viewer.core.summary.facts import facts
from viewer.core.tree import ROOT

FEW = 300
MILLION = 1_000_000
HOSTILE = [*(("nest", name) for name in NESTS), *(("row", name) for name in ROWS)]
ROOT_FOLDER = Path(__file__).resolve().parents[2]


def made(kind: str, name: str, count: int) -> bytes:
    return (NESTS if kind == "nest" else ROWS)[name](count)


class Counted(ByteSource):
    """A file that counts the bytes that are read from it."""

    def __init__(self, path: Path) -> None:
        self.file = FileSource(path)
        self.size = self.file.size
        self.count = 0

    @override
    def read(self, offset: int, length: int) -> bytes:
        data = self.file.read(offset, length)
        self.count += len(data)
        return data

    @override
    def to_outer(self, offset: int) -> int:
        return offset

    @override
    def close(self) -> None:
        self.file.close()


def calls_of(work: Callable[[], object]) -> int:
    """Functions called, Python's and C's."""
    count = 0

    def see(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def inspected(path: Path, *options: str) -> dict[str, Any]:
    """What `inspect --json` writes."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out):
        main(["inspect", str(path), "--json", *options])
    out.seek(0)
    found: dict[str, Any] = json.load(out)
    return found


@pytest.fixture
def sparse(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Checkpoints of 50 tensors, of any number of elements each."""
    path = tmp_path / "sparse.pth"

    def write(elements: int) -> Path:
        sparse_legacy(path, 50, elements)
        return path

    yield write
    path.unlink(missing_ok=True)


# -- work grows with the opcodes and no faster --------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), HOSTILE)
def test_opening_takes_calls_in_proportion(kind: str, name: str) -> None:
    few, many = (made(kind, name, count) for count in (FEW, 4 * FEW))
    open_document(MemorySource(few))
    before = calls_of(lambda: open_document(MemorySource(few)))
    after = calls_of(lambda: open_document(MemorySource(many)))
    assert after < 5 * before + 2000


@pytest.mark.parametrize(("kind", "name"), HOSTILE)
def test_inspecting_everything_takes_calls_in_proportion(kind: str, name: str, tmp_path: Path) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    # Paths grow up to a depth of 500, so both are deeper than that.
    few.write_bytes(made(kind, name, 2 * FEW))
    many.write_bytes(made(kind, name, 6 * FEW))
    before = calls_of(lambda: inspected(few, "--opcodes", "--values", "--regions"))
    after = calls_of(lambda: inspected(many, "--opcodes", "--values", "--regions"))
    assert after < 4 * before + 5000


@pytest.mark.parametrize(("kind", "name"), HOSTILE)
def test_the_summary_takes_calls_in_proportion(kind: str, name: str) -> None:
    few, many = (open_document(MemorySource(made(kind, name, count))) for count in (2 * FEW, 6 * FEW))
    before = calls_of(lambda: facts(few))
    assert calls_of(lambda: facts(many)) < 4 * before + 5000


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_read_by_their_opcodes(name: str) -> None:
    data = BOMBS[name]
    opened: list[Document] = []
    assert calls_of(lambda: opened.append(open_document(MemorySource(data)))) < 200_000
    (document,) = opened
    pickle = document.main_pickle
    assert pickle is not None
    assert pickle.code.complete
    assert document.format == "pickle"
    assert len(document.tensors) <= 2 * len(pickle.code) + 1000


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_inspected_by_their_opcodes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.pkl"
    path.write_bytes(BOMBS[name])
    found = inspected(path, "--opcodes", "--values", "--regions")
    assert found["pickles"][0]["complete"]
    assert len(found["opcodes"][0]) == found["pickles"][0]["opcodes"]
    assert len(found["values"]) < 1000


# -- a million of anything ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "opcodes", "kind"),
    [
        ("tuples by marks", 2 * MILLION + 3, Kind.TUPLE),
        ("tuples of one", MILLION + 3, Kind.TUPLE),
        ("lists", 2 * MILLION + 1, Kind.LIST),
        ("persistent ids", MILLION // 10 + 3, Kind.PERSISTENT),
        ("callables", MILLION // 5 + 3, Kind.CALL),
        ("keys", MILLION + 7, Kind.DICT),
    ],
)
def test_nests_of_a_million(name: str, opcodes: int, kind: Kind) -> None:
    # Those that may hold tensors are walked value by value, so they are smaller.
    count = MILLION if name not in ("persistent ids", "callables") else MILLION // 10
    document = open_document(MemorySource(NESTS[name](count)))
    pickle = document.main_pickle
    assert pickle is not None
    assert len(pickle.code) == opcodes
    assert pickle.code.complete
    assert pickle.values.kind(pickle.values.root) is kind
    assert document.problems == []


@pytest.mark.parametrize("name", ["open marks", "entries", "single appends", "a chain of copies", "a list in itself"])
def test_rows_of_many(name: str) -> None:
    count = MILLION // 4
    document = open_document(MemorySource(ROWS[name](count)))
    pickle = document.main_pickle
    assert pickle is not None
    assert len(pickle.code) > count
    if name == "open marks":
        # STOP finds a mark where its value should be.
        assert [problem.code for problem in document.problems] == ["pickle-underflow"]
        return
    assert document.problems == []
    held = pickle.values.items(pickle.values.root) or pickle.values.pairs(pickle.values.root)
    assert len(held) == {"a chain of copies": count + 1, "a list in itself": 3 * count}.get(name, count)


def test_a_chain_of_a_million_copies_ends_at_its_beginning() -> None:
    values = Values(disassemble(MemorySource(ROWS["a chain of copies"](MILLION))))
    assert set(values.items(values.root)) == {2}


def test_the_tree_of_a_deep_nest_opens_level_by_level() -> None:
    tree = OpcodeTree([Values(disassemble(MemorySource(NESTS["tuples by marks"](100_000))))]).tree
    node = ROOT
    for _ in range(200):
        node = tree.children(node)[-1 if node else -2]
    assert len(tree) < 1000


@pytest.mark.parametrize("name", ["tuples by marks", "lists", "dicts by marks"])
def test_the_row_of_a_deep_opcode_is_looked_for_to_a_depth(name: str) -> None:
    tree = OpcodeTree([Values(disassemble(MemorySource(NESTS[name](20_000))))])
    node = tree.node_of(0, 15_000)
    assert len(tree.tree.path_to(node)) == 200
    assert len(tree.tree) < 1000


class Stopped(Progress):
    """Cancels itself at the first step of the walk over objects."""

    @override
    def step(self, what: str, done: int, total: int = 0) -> None:
        if what == "objects":
            self.cancel()
        super().step(what, done, total)


def test_the_walk_over_objects_can_be_stopped() -> None:
    with pytest.raises(CancelledError):
        open_document(MemorySource(NESTS["dicts above a tensor"](3000)), Stopped())


# -- memory follows what is read ----------------------------------------------------------------------


def test_columns_take_forty_bytes_an_opcode() -> None:
    data = mixed_lists(400)
    tracemalloc.start()
    try:
        values = Values(disassemble(MemorySource(data)))
        values.changes(values.root)
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    count = len(values.code)
    assert count == 178_442
    assert held < 40 * count
    assert most < 80 * count + 8 * 1024 * 1024


GROWTH = """
import sys
from tests.bench.decode import inspect_file
from tests.bench.measure import peak
inspect_file({small!r})
before = peak()
inspect_file({large!r})
print(peak() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak of a process is read from /proc")
@pytest.mark.parametrize("name", ["lists", "tensors"])
def test_inspecting_a_million_opcodes_takes_little_memory(name: str, tmp_path: Path) -> None:
    data = mixed_lists(2243) if name == "lists" else checkpoint(MILLION // 30)[1]
    small, large = tmp_path / "small.pkl", tmp_path / "large.pkl"
    small.write_bytes(mixed_lists(2))
    large.write_bytes(data)
    program = GROWTH.format(small=str(small), large=str(large))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=ROOT_FOLDER, text=True)
    assert float(done.stdout) < 150 + 60


def test_a_huge_file_is_read_no_more_than_a_small_one(sparse: Callable[[int], Path]) -> None:
    counts = []
    for elements in (1024, 524_288_000):
        source = Counted(sparse(elements))
        document = open_document(source)
        assert len(document.tensors) == 50
        assert document.regions[-1].span.stop == source.size
        assert document.problems == []
        counts.append(source.count)
        source.close()
    assert source.size > 100e9
    assert counts[1] < counts[0] + 64 * 1024


def test_a_closed_document_gives_its_memory_back_at_once(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(checkpoint(20)[1])
    gc.disable()
    try:
        document = open_document(path)
        assert document.main_pickle is not None
        assert list(document.regions)
        values = weakref.ref(document.main_pickle.values)
        document.source.close()
        del document
        assert values() is None
    finally:
        gc.enable()
