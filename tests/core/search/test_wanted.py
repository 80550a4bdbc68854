"""What is looked for: case, expressions, and the bound of their work."""

from __future__ import annotations

from math import comb

import pytest

from viewer.core.search.wanted import STEPS, Match, WantedError, wanted


def test_small_letters_find_both_cases_and_a_capital_only_itself():
    names = ["Conv.weight", "conv.bias", "fc"]
    assert wanted("conv").find(names) == [Match(0, 0, 4), Match(1, 0, 4)]
    assert wanted("Conv").find(names) == [Match(0, 0, 4)]
    assert wanted("conv", match_case=True).find(names) == [Match(1, 0, 4)]


def test_each_text_is_found_once_and_none_across_two():
    assert wanted("a").find(["aaa", "b", "ba"]) == [Match(0, 0, 1), Match(2, 1, 2)]
    assert wanted("a\nb").find(["a", "b"]) == []
    assert wanted("x").find([]) == []


def test_counting_is_finding():
    for text in ("a", "A", "ä", "x.y"):
        for texts in (["aA", "b", "äÄ", "x.y"], ["a\nb", "a"], [], [""], ["X.Y", "xay"]):
            assert wanted(text).count(texts) == len(wanted(text).find(texts))


def test_letters_of_other_scripts():
    assert wanted("größe").find(["GRÖSSE", "Größe", "größe"]) == [Match(1, 0, 5), Match(2, 0, 5)]
    # Letters whose small form is longer do not move what comes behind them.
    assert wanted("weight").find(["İİİ.weight"]) == [Match(0, 4, 10)]
    assert wanted("\udc80").find(["a\udc80"]) == [Match(0, 1, 2)]
    assert wanted("שלום").find(["x.שלום.y"]) == [Match(0, 2, 6)]


def test_an_expression_finds_and_ignores_case_as_letters_do():
    names = ["layers.10.Weight", "layers.x.weight"]
    assert wanted(r"layers\.\d+\.weight", expression=True).find(names) == [Match(0, 0, 16)]
    assert wanted(r"\d+\.Weight", expression=True).find(names) == [Match(0, 7, 16)]
    # A capital behind a backslash is no letter.
    assert wanted(r"\D\.weight", expression=True).find(names) == [Match(1, 7, 15)]
    # What is empty is no hit.
    assert wanted("q*", expression=True).find(names) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(a+)+b", "nested"),
        ("(a|aa)*b", "nested"),
        ("((ab)?c){2,}", "nested"),
        ("(a{,}){,}b", "nested"),
        ("(a{,})+b", "nested"),
        ("a{,}" * 6 + "b", "heavy"),
        ("a*a*a*a*a*a*b", "heavy"),
        ("a*" * 100 + "b", "heavy"),
        ("a*" * 400 + "b", "heavy"),
        ("a?" * 20 + "a" * 20, "heavy"),
        ("(a|a)" * 30 + "b", "heavy"),
        (r"(a)\1", "groups"),
        ("(?=a)b", "groups"),
        ("(?i)a", "groups"),
        ("[", "expression"),
        ("a{2,1}", "expression"),
        ("   ", "empty"),
        ("a" * 1001, "long"),
    ],
)
def test_what_is_not_looked_for(text, code):
    with pytest.raises(WantedError) as refused:
        wanted(text, expression=True)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "text",
    [
        r"layers\.\d+\.(attn|mlp)\.\w+\.weight",
        r"^(conv|fc)\d?\.(weight|bias)$",
        r"[^]a(+*]+x",
        r"\(a\)+",
        r"x{3}y{2,4}?",
        r"(?:ab)+(?P<rest>.*)",
        "a{x}",
        "(a{}){5}",
        "[a|b]*",
    ],
)
def test_what_is_looked_for(text):
    assert 40 <= wanted(text, expression=True).longest <= 4000


def test_the_more_repeats_the_fewer_letters():
    longest = [wanted(text, expression=True).longest for text in ("abc", "a*b", "a*b*c", "a*b*c*d")]
    assert longest == [4000, 2000, 228, 83]


def test_the_worst_that_is_let_through_ends_soon():
    meant = wanted("a*a*a*a*b", expression=True)
    # from each letter that it may begin at, four stars share what follows in as many ways as this
    assert sum(comb(left + 4, 4) for left in range(meant.longest)) < 2 * STEPS
    assert meant.find(["a" * (meant.longest - 1) + "b", "a" * meant.longest + "b", "a" * 100_000]) == [
        Match(0, 0, meant.longest)
    ]
