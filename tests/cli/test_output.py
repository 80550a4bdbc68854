"""JSON is written in pieces, and is the same as in one."""

from __future__ import annotations

import json

import pytest

from viewer.cli.output import write_json
from viewer.core.summary.rows.json_texts import BATCH, Stream


@pytest.mark.parametrize("count", [0, 1, BATCH, BATCH + 1, 3 * BATCH + 7])
def test_a_stream_is_a_list(count: int, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_json({"rows": Stream(lambda: ({"at": at} for at in range(count))), "last": None})
    assert json.loads(capfdbinary.readouterr().out) == {"rows": [{"at": at} for at in range(count)], "last": None}


def test_a_list_of_streams(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_json({"lists": [Stream(lambda: [1, 2]), Stream(lambda: ()), Stream(lambda: ["x"])], "none": []})
    assert capfdbinary.readouterr().out == b'{"lists":[[1,2],[],["x"]],"none":[]}\n'


def test_an_object_without_members(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_json({})
    assert capfdbinary.readouterr().out == b"{}\n"


def test_names_are_utf_8_and_lone_surrogates_are_escapes(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_json({"name": "gew\xf6hnlich \udc80"})
    out = capfdbinary.readouterr().out
    assert out == b'{"name":"gew\xc3\xb6hnlich \\udc80"}\n'
    assert json.loads(out) == {"name": "gew\xf6hnlich \udc80"}


def test_rows_are_made_as_they_are_written(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    alive: list[int] = []
    most = 0

    class Row(dict[str, int]):
        def __init__(self, at: int) -> None:
            super().__init__(at=at)
            alive.append(at)

        def __del__(self) -> None:
            alive.pop()

    def rows() -> object:
        nonlocal most
        for at in range(4 * BATCH):
            yield Row(at)
            most = max(most, len(alive))

    write_json({"rows": Stream(rows)})
    assert len(json.loads(capfdbinary.readouterr().out)["rows"]) == 4 * BATCH
    assert most <= 2 * BATCH


def test_a_stream_can_be_read_again() -> None:
    stream = Stream(lambda: [1, 2])
    assert list(stream) == [1, 2]
    assert list(stream) == [1, 2]
