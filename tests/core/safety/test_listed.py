"""The adapter to picklescan's lists: these tests fail when the package keeps them in another shape."""

from __future__ import annotations

import importlib
import sys

import pytest

from viewer.core.safety.listed import MODULE, SAFE, UNSAFE, Lists, lists, readable


def test_the_package_still_has_its_lists_in_this_shape() -> None:
    scanner = importlib.import_module(MODULE)
    unsafe, safe = getattr(scanner, UNSAFE), getattr(scanner, SAFE)
    assert {type(names) for names in unsafe.values()} <= {str, set}
    assert {type(names) for names in safe.values()} <= {str, set}
    # A text that is no star stands for one name.
    assert {names for names in unsafe.values() if isinstance(names, str)} == {"*", "partial", "compile_file", "load"}
    assert (len(unsafe), len(safe)) == (67, 6)
    assert len(readable(unsafe)) == 67
    assert len(readable(safe)) == 6


@pytest.mark.parametrize(
    ("module", "name"),
    [("os", "system"), ("posix", "system"), ("builtins", "eval"), ("__builtin__", "eval"), ("functools", "partial")],
)
def test_what_is_listed(module: str, name: str) -> None:
    assert lists().is_unsafe(module, name)
    assert not lists().is_safe(module, name)


def test_modules_below_one_that_is_listed_whole() -> None:
    assert lists().listed_module("asyncio.unix_events") == "asyncio"
    assert lists().is_unsafe("asyncio.unix_events", "_UnixSubprocessTransport._start")
    assert lists().listed_module("osmodels") == ""
    assert not lists().is_unsafe("osmodels", "Net")


def test_a_part_of_a_name_is_not_the_name() -> None:
    assert lists().is_unsafe("torch.serialization", "load")
    assert not lists().is_unsafe("torch.serialization", "lo")
    assert not lists().is_unsafe("torch.serialization", "_get_layout")


def test_harmless_names() -> None:
    assert lists().is_safe("collections", "OrderedDict")
    assert not lists().is_safe("collections", "Counter")


@pytest.mark.parametrize("table", [None, [], {1: "*"}, {"os": 1}, {"os": {1}}, {"os": ["a", None]}])
def test_a_table_of_another_shape_lists_nothing(table: object) -> None:
    assert readable(table) == {}


def test_without_the_package_nothing_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, MODULE, None)
    assert lists.__wrapped__() == Lists()
