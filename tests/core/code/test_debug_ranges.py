"""From stored code back to lines of Python: both forms, and what hostile pickles put there."""

from __future__ import annotations

import pytest

from tests.builders.programs import int_list
from tests.core.objects.streams import pickled, written
from tests.shared import SHARED, shared_files
from viewer.core.code.debug_ranges import DebugRange, DebugReader, PythonText, range_at
from viewer.core.opening import open_document

SOURCE = ("def f(x):\n  y = x\n  return y\n", "/x/net.py", 40)


def test_the_form_before_torch_1_12() -> None:
    rows = ((30, (SOURCE, 12, 17)), (0, (SOURCE, 0, 9)), (70, (SOURCE, 20, 28)), (90, ("", 0)))
    ranges = DebugReader(pickled(rows)).ranges
    assert ranges == [DebugRange(0, "/x/net.py", 40), DebugRange(30, "/x/net.py", 41), DebugRange(70, "/x/net.py", 42)]
    assert [range_at(ranges, offset) for offset in (29, 30, 5000)] == ranges
    assert range_at(ranges[1:], 29) is None


def test_the_form_with_a_table_of_texts() -> None:
    texts = ("", "a\n", "é\n", "/x/net.py")
    source = (int_list(1, 2, 1), 3, 7)
    nowhere = (int_list(), 0, 0)
    value = (
        "FORMAT_WITH_STRING_TABLE",
        texts,
        ((0, (nowhere, 0, 0), 0), (5, (source, 2, 4), 1), (9, (source, 5, 6), 2)),
    )
    ranges = DebugReader(written(value)).ranges
    assert ranges == [DebugRange(0, None, 0), DebugRange(5, "/x/net.py", 8), DebugRange(9, "/x/net.py", 9)]
    assert [range_at(ranges, offset) for offset in (4, 6)] == ranges[:2]


@pytest.mark.parametrize(
    "value",
    [
        (),
        1,
        ("FORMAT_WITH_STRING_TABLE", (), ((0, ((), 0, 0)),)),
        ("FORMAT_WITH_STRING_TABLE", 1, 2),
        ((-1, (SOURCE, 0, 0)), (2, (SOURCE, -5, 0)), (3, (("a", "b", "c"), 0, 0)), 7, ("x", (SOURCE, 0, 0))),
    ],
)
def test_other_forms_are_left_out(value: object) -> None:
    assert DebugReader(pickled(value)).ranges == []


def test_numbers_beyond_the_table_name_nothing() -> None:
    value = ("FORMAT_WITH_STRING_TABLE", ("a\n",), ((0, ((int_list(5, -1), 9, 3), 0, 0), 0),))
    assert DebugReader(written(value)).ranges == [DebugRange(0, None, 3)]


def test_the_texts_that_ranges_point_into() -> None:
    source = (int_list(0, 1), 2, 7)
    nowhere = (int_list(), 9, 0)
    table = ("FORMAT_WITH_STRING_TABLE", ("a\n", "é\n", "/x/net.py"), ((0, (source, 0, 1), 0), (5, (nowhere, 0, 0), 1)))
    reader = DebugReader(written(table))
    assert [reader.text_of(found) for found in reader.ranges] == [PythonText("/x/net.py", 7, "a\né\n"), None]
    reader = DebugReader(pickled(((0, (SOURCE, 12, 17)),)))
    assert reader.text_of(reader.ranges[0]) == PythonText("/x/net.py", 40, SOURCE[0])


def test_a_trace_is_told_from_a_function() -> None:
    assert PythonText("/x/net.py", 12, "/x/net.py(12): forward\n/y.py(3): <module>\n").is_trace
    assert not PythonText("/x/net.py", 12, "def forward(self):\n").is_trace


@pytest.mark.parametrize("path", shared_files("samples", "D_t131_script.pt"))
def test_a_file_of_torch_1_3(path: object) -> None:
    del path
    document = open_document(SHARED / "samples" / "D_t131_script.pt")
    pickle = next(found for found in document.pickles if found.record.endswith("linear.py.debug_pkl"))
    # The text there begins at line 1355 of its file; its byte 464 stands 13 lines further down.
    found = range_at(DebugReader(pickle.values).ranges, 293)
    assert found is not None
    assert (found.file, found.line) == ("/tmp/lab/old/t131/torch/nn/functional.py", 1368)
    document.source.close()
