"""New names under rules: what each kind of rule does, what it leaves alone, and where modules go."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.objects.renaming import Clash, NameRules, RuleError, clashes, expression, renamed_modules


@pytest.mark.parametrize(
    ("rules", "name", "result"),
    [
        (NameRules(strip=("module",)), "module.conv.weight", "conv.weight"),
        (NameRules(strip=("module.",)), "module.module.w", "module.w"),
        (NameRules(strip=("module",)), "module_list.w", "module_list.w"),
        (NameRules(strip=("a", "b")), "a.b.c", "c"),
        (NameRules(strip=("w.",)), "w.", "w."),
        (NameRules(rename=(("encoder", "enc"),)), "encoder.w", "enc.w"),
        (NameRules(rename=(("encoder", "enc"),)), "encoder", "enc"),
        (NameRules(rename=(("encoder", "enc"),)), "encoder2.w", "encoder2.w"),
        (NameRules(rename=(("a.b", "c"),)), "x.a.b", "x.a.b"),
        (NameRules(rename=(("*.gamma", "*.weight"),)), "ln.1.gamma", "ln.1.weight"),
        (NameRules(rename=(("*.gamma", "*.weight"),)), "ln.gamma.x", "ln.gamma.x"),
        (NameRules(rename=(("h.*.attn.*", "blocks.*.*"),)), "h.0.attn.q.w", "blocks.0.q.w"),
        (NameRules(rename=(("*.[w]", "*.x"),)), "a.[w]", "a.x"),
        (NameRules(rename=((r"re:^layers\.(\d+)", r"blocks.\1"),)), "layers.12.w", "blocks.12.w"),
        (NameRules(rename=(("re:o", "0"),)), "foo.bo", "f00.b0"),
        (NameRules(rename=(("a", "b"), ("b", "c"))), "a.w", "c.w"),
        (NameRules(add="model"), "w", "model.w"),
        (NameRules(("module",), (("fc", "head"),), "net."), "module.fc.bias", "net.head.bias"),
    ],
)
def test_what_rules_do(rules: NameRules, name: str, result: str) -> None:
    assert rules.compiled()(name) == result


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("re:(", "x", "missing ), unterminated subpattern at position 0"),
        ("re:a", r"\2", "invalid group reference 2 at position 1"),
        ("a.*", "*.*", "the new name has more * than the old one"),
        ("", "x", "the old name is empty"),
    ],
)
def test_rules_that_cannot_be_used(old: str, new: str, reason: str) -> None:
    with pytest.raises(RuleError) as caught:
        NameRules(rename=((old, new),)).compiled()
    assert caught.value.code == "export-rule"
    assert caught.value.params == {"rule": f"{old}={new}", "reason": reason}


@pytest.mark.parametrize(
    ("old", "code"),
    [
        ("re:(a+)+b", "export-rule-nested"),
        (r"re:(?=(a|aa)*b)", "export-rule-nested"),
        (r"re:(a)\1*", "export-rule-nested"),
        ("re:" + "a*" * 9 + "b", "export-rule-heavy"),
        ("re:(a)?(?(1)b|c)", "export-rule-groups"),
        ("re:(?x)a +", "export-rule-groups"),
    ],
)
def test_expressions_whose_work_has_no_bound_touch_no_name(old: str, code: str) -> None:
    with pytest.raises(RuleError) as caught:
        NameRules(rename=((old, "x"),)).compiled()
    assert (caught.value.code, caught.value.params) == (code, {"rule": f"{old}=x"})


@pytest.mark.parametrize(
    ("old", "new", "name", "result"),
    [
        (r"re:(?<=\.)gamma$", "weight", "ln.gamma", "ln.weight"),
        (r"re:^(?!ema\.)(?:model\.)?", "net.", "model.fc.w", "net.fc.w"),
        (r"re:(?i)FC", "head", "fc.w", "head.w"),
        (r"re:(?P<part>\w+)\.(?P=part)\b(?#once)", r"\g<part>", "a.a.w", "a.w"),
    ],
)
def test_expressions_that_look_around_refer_or_set_flags(old: str, new: str, name: str, result: str) -> None:
    assert NameRules(rename=((old, new),)).compiled()(name) == result


def test_a_name_may_be_too_long_for_what_an_expression_repeats() -> None:
    rule = NameRules(rename=(("re:a*a*a*b", "x"),)).compiled()
    assert rule("a" * 300) == "a" * 300
    with pytest.raises(RuleError) as caught:
        rule("a" * 1_000_000)
    assert caught.value.code == "export-rule-long"
    assert caught.value.params == {"rule": "re:a*a*a*b=x", "limit": 330, "length": 1_000_000, "name": "a" * 80}
    assert NameRules(rename=(("re:ab", "x"),)).compiled()("a" * 1_000_000 + "b") == "a" * 999_999 + "x"


def test_all_names_together_have_a_time() -> None:
    with pytest.raises(RuleError) as caught:
        expression("re:a", "b", seconds=0)("a")
    assert (caught.value.code, caught.value.params) == ("export-rule-slow", {"rule": "re:a=b", "seconds": 0})


def test_a_pattern_of_many_parts_goes_over_a_name_once() -> None:
    name = "a" * 20_000
    assert NameRules(rename=(("*a" * 500 + "*b", "*"),)).compiled()(name) == name
    assert NameRules(rename=(("*a" * 500 + "*", "*"),)).compiled()(name) == ""


@given(st.text("a*.", max_size=7).filter(lambda old: "*" in old), st.text("a.", max_size=12))
def test_a_star_stands_for_as_little_as_it_can(old: str, name: str) -> None:
    match = re.fullmatch("(.*?)".join(map(re.escape, old.split("*"))), name)
    expected = name if match is None else "|" + "|".join(match.groups()) + "|"
    assert NameRules(rename=((old, "|" + "*|" * old.count("*")),)).compiled()(name) == expected


def test_only_rules_count_as_rules() -> None:
    assert [bool(rules) for rules in (NameRules(), NameRules(add="x"), NameRules(strip=("x",)))] == [False, True, True]


def test_names_that_clash() -> None:
    pairs = [("a.w", "w"), ("b.w", "w"), ("c", "c"), ("d", "c")]
    assert clashes(pairs) == [Clash("w", ("a.w", "b.w")), Clash("c", ("c", "d"))]


def moved(rules: NameRules, paths: list[str], names: list[str]) -> dict[str, str]:
    rule = rules.compiled()
    return renamed_modules(paths, {name: rule(name) for name in names}, rule)


def test_the_wrapper_of_a_model_gives_its_place_up() -> None:
    found = moved(NameRules(strip=("module",)), ["", "module", "module.conv"], ["module.conv.weight"])
    assert found == {"module": "", "module.conv": "conv"}


def test_modules_go_where_their_entries_go() -> None:
    rules = NameRules(rename=((r"re:^h\.(\d+)\.w$", r"blocks.\1.w"),))
    assert moved(rules, ["", "h", "h.0", "act"], ["h.0.w"]) == {"": "", "h": "h", "h.0": "blocks.0", "act": "act"}
    assert moved(NameRules(rename=(("fc.*", "*"),)), ["", "fc"], ["fc.w"]) == {"fc": ""}


def test_modules_without_entries_follow_beginnings() -> None:
    rules = NameRules(("net",), (("relu", "act"),), "top")
    assert moved(rules, ["", "net.relu", "relu"], []) == {"": "top", "net.relu": "top.act"}


def test_a_module_that_comes_takes_the_place_of_one_that_stays() -> None:
    assert moved(NameRules(rename=(("a", "b"),)), ["a", "b"], []) == {"a": "b"}
