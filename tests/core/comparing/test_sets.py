"""Sets of files against each other, against single files, and against themselves with a file lost."""

from __future__ import annotations

from pathlib import Path

from tests.builders.distributed import FILE, Chunk, Saved, Value, save, tensor_item, whole
from tests.builders.sets import numbered, shard, write_set
from tests.builders.torch_zip import torch_zip
from tests.core.comparing.test_comparison import PLAIN, statuses, weights
from viewer.core.comparing.comparison import Comparison, Status, compare
from viewer.core.comparing.names import Rules
from viewer.core.comparing.report import details, report_json, report_text
from viewer.core.comparing.sides import ALL, Part, sides_of
from viewer.core.opening import open_document
from viewer.core.source import MemorySource


def two_shards(folder: Path) -> Path:
    """A set of fc.w and fc.b, each in a file of its own."""
    first, second = numbered(1, 2), numbered(2, 2)
    files = {first: shard({"fc.w": ([2], [1, 2])}), second: shard({"fc.b": ([1], [3])})}
    return write_set(folder, files, {"fc.w": first, "fc.b": second})


def lose(folder: Path, number: int) -> None:
    (folder / numbered(number, 2)).unlink()


def test_a_set_that_lost_a_shard_is_not_equal_to_itself(tmp_path: Path) -> None:
    paths = []
    for name in ("whole", "lost"):
        (tmp_path / name).mkdir()
        paths.append(two_shards(tmp_path / name))
    lose(tmp_path / "lost", 2)

    def compared(first: int, second: int, *parts: Part) -> Comparison:
        documents = [open_document(paths[at]) for at in (first, second)]
        try:
            return compare(*sides_of(documents[0], documents[1], parts or (ALL, ALL)))
        finally:
            for document in documents:
                document.close()

    for first, second, side in ((1, 1, "A"), (1, 0, "A"), (0, 1, "B")):
        found = compared(first, second)
        assert statuses(found) == {"fc.w": "equal", "fc.b": "unknown"}
        assert (found.verdict, found.equal, found.load_words()) == ("unknown", False, "")
        row = next(row for row in found.rows if row.status is Status.UNKNOWN)
        file = numbered(2, 2)
        assert details(row) == f"{file}, which holds it in {side}, is missing or does not hold it."
    told = next(row for row in report_json(found)["tensors"] if row["name"] == "fc.b")
    assert (told["a"]["shape"], told["b"]["shape"], told["b"]["dtype"]) == ([1], None, None)
    assert statuses(compared(1, 0, Part(only=("*.w",)), Part(only=("*.w",)))) == {"fc.w": "equal"}
    assert "".join(report_text(found)).count("not compared") == 2


def test_a_name_that_only_a_set_with_a_lost_shard_has(tmp_path: Path) -> None:
    path = two_shards(tmp_path)
    lose(tmp_path, 2)
    document = open_document(path)
    other = open_document(MemorySource(torch_zip(weights(1, 2))))
    found = compare(*sides_of(document, other))
    document.close()
    assert statuses(found) == {"fc.w": "equal", "fc.b": "unexpected"}
    assert details(found.rows[1]) == f"in {numbered(2, 2)}, which is missing or damaged"
    assert 'Unexpected key(s) in state_dict: "fc.b"' in found.load_words()


def test_values_in_a_lost_file_of_a_distributed_checkpoint_are_not_called_equal(tmp_path: Path) -> None:
    folder = tmp_path
    save(folder, [whole("w", "float32", (2,), [1, 2], "__1_0.distcp")], [Value("step", torch_zip(7))])
    both = [open_document(folder) for _ in range(2)]
    assert compare(*sides_of(both[0], both[1])).verdict == "equal"
    (folder / FILE).unlink()
    lost = [open_document(folder) for _ in range(2)]
    found = compare(*sides_of(lost[0], lost[1]))
    assert (found.verdict, found.values_unknown) == ("unknown", 1)
    for document in (*both, *lost):
        document.close()


def compared_paths(first: Path, second: Path, rules: Rules = PLAIN) -> Comparison:
    documents = [open_document(path) for path in (first, second)]
    try:
        return compare(*sides_of(documents[0], documents[1]), rules)
    finally:
        for document in documents:
            document.close()


def test_two_sets_that_are_split_otherwise(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    first, second = numbered(1, 2), numbered(2, 2)
    one = write_set(
        folders[0],
        {first: shard({"a": ([2], [1, 2])}), second: shard({"b": ([1], [3]), "c": ([1], [4])})},
        {"a": first, "b": second, "c": second},
    )
    two = write_set(
        folders[1],
        {first: shard({"a": ([2], [1, 2]), "b": ([1], [5])}), second: shard({"c": ([1], [4])})},
        {"a": first, "b": first, "c": second},
    )
    found = compared_paths(one, two)
    assert statuses(found) == {"a": "equal", "b": "changed", "c": "equal"}
    # A file of the set alone has what it has.
    assert statuses(compared_paths(folders[0] / second, two)) == {"a": "missing", "b": "changed", "c": "equal"}
    assert compared_paths(one, folders[0]).verdict == "equal"


def test_a_distributed_checkpoint_against_a_state_dict(tmp_path: Path) -> None:
    folder = tmp_path / "dcp"
    folder.mkdir()
    pieces = [
        Chunk((0,), (2,), "__0_0.distcp", tensor_item("float32", (2,), [1, 2])),
        Chunk((2,), (1,), "__1_0.distcp", tensor_item("float32", (1,), [3])),
    ]
    state = [Saved("model.fc.w", "float32", (3,), pieces, ("model", "fc.w"))]
    save(folder, state, [Value("step", torch_zip(7))])
    flat, whole_file = tmp_path / "flat.pt", tmp_path / "whole.pt"
    flat.write_bytes(torch_zip(weights(1, 2, 3)))
    whole_file.write_bytes(torch_zip({"model": weights(1, 2, 4), "step": 8}))
    assert (compared_paths(folder, flat).verdict, statuses(compared_paths(flat, folder))) == (
        "equal",
        {"fc.w": "equal"},
    )
    found = compared_paths(folder, whole_file)
    assert (statuses(found), found.values_differ) == ({"fc.w": "changed"}, 1)
    assert found.rows[0].differences is not None
    assert (found.rows[0].differences.place, found.rows[0].differences.largest) == ((2,), 1)
    (folder / "__1_0.distcp").unlink()
    lost = compared_paths(folder, folder)
    assert (statuses(lost), lost.verdict) == ({"fc.w": "unknown"}, "unknown")
    assert details(lost.rows[0]) == "4 of 12 bytes are missing in A."
