"""Objects of well-known classes in one line."""

from __future__ import annotations

import argparse
import datetime as dt
import types

import pytest

from tests.builders.values import Global, Instance
from tests.core.objects.streams import pickled, written
from viewer.core.objects.describe import describe


@pytest.mark.parametrize("protocol", [0, 2, 4])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (dt.datetime(2021, 3, 4, 5, 6, 7), "2021-03-04 05:06:07"),
        (dt.datetime(1999, 12, 31, 23, 59, 59, 250), "1999-12-31 23:59:59.000250"),
        (dt.date(2020, 2, 29), "2020-02-29"),
        (dt.time(5, 6), "05:06:00"),
        (argparse.Namespace(lr=0.5, names=["a"]), "Namespace(lr=0.5, names=['a'])"),
        (argparse.Namespace(), "Namespace()"),
        (types.SimpleNamespace(a=argparse.Namespace(b=1)), "SimpleNamespace(a=Namespace(b=1))"),
    ],
)
def test_values_of_python(value: object, expected: str, protocol: int) -> None:
    values = pickled(value, protocol)
    assert describe(values, values.root) == expected


def test_a_namespace_of_many() -> None:
    values = pickled(argparse.Namespace(**{f"a{number}": number for number in range(1000)}))
    assert describe(values, values.root, 1000) == f"Namespace({', '.join(f'a{n}={n}' for n in range(8))}, …)"


def test_settings_of_omegaconf() -> None:
    def node(value: object) -> Instance:
        return Instance(Global("omegaconf.nodes", "AnyNode"), (), {"_metadata": {}, "_val": value})

    values = written(node("x"))
    assert describe(values, values.root) == "'x'"
    both = Instance(Global("omegaconf.listconfig", "ListConfig"), (), {"_content": [node(2), node(18)]})
    values = written(both)
    assert describe(values, values.root) == "ListConfig([2, 18])"


def test_dates_that_are_none() -> None:
    values = written(Instance(Global("datetime", "datetime"), (b"short",), {}))
    assert describe(values, values.root).startswith("datetime.datetime")
