"""Names that meet, and what would make more of them do so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.core.tensors.streams import over
from viewer.core.comparing.names import By, Rules, Suggestion, matched, suggestion
from viewer.core.errors import ExportError
from viewer.core.tensors.tensor import Tensor

Entries = list[tuple[str, Tensor]]
PLAIN = Rules()


def entries(*names: str, shapes: Sequence[tuple[int, ...]] = ()) -> Entries:
    sizes = shapes or [(1,)] * len(names)
    return [(name, over(b"", "float32", shape)) for name, shape in zip(names, sizes, strict=True)]


def met(first: Entries, second: Entries, rules: Rules = PLAIN) -> list[tuple[str, str, str]]:
    return [(pair.name, pair.name_a, pair.name_b) for pair in matched(first, second, rules)]


def test_names_meet_in_the_order_of_the_second() -> None:
    assert met(entries("c", "a", "x"), entries("a", "b", "c")) == [
        ("a", "a", "a"),
        ("b", "", "b"),
        ("c", "c", "c"),
        ("x", "x", ""),
    ]


def test_rules_change_names_before_they_meet() -> None:
    rules = Rules(("module",), (("enc", "encoder"),))
    assert met(entries("module.enc.w"), entries("encoder.w"), rules) == [("encoder.w", "module.enc.w", "encoder.w")]
    # Those of the second keep theirs but for the beginning.
    assert met(entries("a"), entries("module.enc.w"), rules)[0] == ("enc.w", "", "module.enc.w")


def test_spellings_that_come_twice_meet_nothing() -> None:
    rules = Rules(by=By.SPELLING)
    assert met(entries("ema_a.b"), entries("a.b", "a_b"), rules) == [
        ("a.b", "", "a.b"),
        ("a_b", "", "a_b"),
        ("ema_a.b", "ema_a.b", ""),
    ]


def test_rules_that_make_names_clash_are_refused() -> None:
    with pytest.raises(ExportError, match="w"):
        met(entries("module.w", "w"), entries("w"), Rules(("module",)))


def test_by_spelling_and_by_order() -> None:
    first, second = entries("ema_a_b", "x.y"), entries("a.b", "x.y")
    assert met(first, second, Rules(by=By.SPELLING)) == [("ema_a_b", "ema_a_b", "a.b"), ("x.y", "x.y", "x.y")]
    assert met(entries("a", "b", "c"), entries("d"), Rules(by=By.ORDER)) == [
        ("a", "a", "d"),
        ("b", "b", ""),
        ("c", "c", ""),
    ]


def test_a_suggestion_counts_the_names_that_meet_already() -> None:
    first, second = entries("a", "b", "net.c", "net.d", "net.e"), entries("a", "b", "c", "d", "e")
    advice = suggestion(first, second, PLAIN)
    assert advice == Suggestion(5, 2, "net", "A")
    assert sum(bool(mine and other) for _, mine, other in met(first, second, Rules((advice.strip,)))) == advice.pairs


def test_a_beginning_is_suggested_for_the_side_that_has_it() -> None:
    plain, prefixed = entries("conv.w", "conv.b"), entries("module.conv.w", "module.conv.b")
    assert suggestion(prefixed, plain, Rules()) == Suggestion(2, 0, "module", "A")
    assert suggestion(plain, prefixed, Rules()) == Suggestion(2, 0, "module", "B")
    assert suggestion(plain, plain, Rules()) is None
    assert suggestion(prefixed, plain, Rules(("module",))) is None


def test_the_beginning_with_most_names_wins() -> None:
    first = entries("net.a.w", "net.a.v", "net.b.w", "other.w")
    assert suggestion(first, entries("a.w", "a.v", "b.w"), Rules()) == Suggestion(3, 0, "net", "A")
    deep = entries("net.module.a.w", "net.module.a.v")
    assert suggestion(deep, entries("a.w", "a.v"), Rules()) == Suggestion(2, 0, "net.module", "A")


def test_spelling_and_order_are_suggested_last() -> None:
    assert suggestion(entries("ema_a_b", "ema_c"), entries("a.b", "c"), Rules()) == Suggestion(2, 0, by=By.SPELLING)
    shapes = [(4, 3), (4,)]
    first, second = entries("f.0.w", "f.1.w", shapes=shapes), entries("g.0.0.w", "g.1.1.w", shapes=shapes)
    assert suggestion(first, second, Rules()) == Suggestion(2, 0, by=By.ORDER)
    assert suggestion(first, entries("g.0.0.w", "g.1.1.w"), Rules()) is None


def test_one_name_that_meets_by_chance_suggests_nothing() -> None:
    first = entries("weight", *(f"old.{number}" for number in range(5)), shapes=[(1,)] * 6)
    second = entries("emb.weight", *(f"new.{number}" for number in range(5)), shapes=[(2,)] * 6)
    assert suggestion(first, second, PLAIN) is None
    # Of few names one is much.
    assert suggestion(first[:5], second[:5], PLAIN) == Suggestion(1, 0, "emb", "B")


def test_the_same_shapes_in_the_same_order_say_more_than_one_name() -> None:
    first, second = entries("weight", "a", "b"), entries("emb.weight", "c", "d")
    assert suggestion(first, second, PLAIN) == Suggestion(3, 0, by=By.ORDER)
