"""Whatever modules, classes and texts a file states, the made files are safe, apart from one another, and Python."""

from __future__ import annotations

import warnings

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.core.code.class_zoo import planned
from viewer.core.code.files import DERIVED, STORED, ClassText

PART = st.one_of(
    st.sampled_from(["zoo", "Zoo", "net", "a", "os", "torch", "CON", "__main__", "__init__", "class", "ﬁ", "fi", ""]),
    st.text(st.characters(codec=None), max_size=6),
)
MODULE = st.lists(PART, max_size=4).map(".".join)
NAMES = ("Net", "Head", "Stem", "Outer", "nn", "zoo", "a", "B")
STATEMENTS = (
    "x = {a}\n", "x = {a}.{b}\n", "def f(self, p: {a} = {b}) -> {c}: return {c}.{a}\n", "class {b}({c}): pass\n",
    "'''\n  {a}\n'''\n", "{a} = {b}\n", "y = [{a} for {b} in {c}]\n", "print {a}\n", "import {a}\n",
    "return {a}\n", "\t{a}\n",
)  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    """The name of a class and a text that may define it."""
    depth = draw(st.integers(0, 2))
    qualname = ".".join(draw(st.sampled_from((*NAMES, "<locals>", "a b"))) for _ in range(depth + 1))
    if draw(st.booleans()):
        qualname = ".".join(draw(st.sampled_from(NAMES)) for _ in range(depth + 1))
    margin = "    " * draw(st.integers(0, 2))
    names = [dict(zip("abc", draw(st.permutations(NAMES)), strict=False)) for _ in range(3)]
    body = [draw(st.sampled_from(STATEMENTS)).format(**each) for each in names]
    bases = draw(st.sampled_from(["", "(nn.Module)", "(Head)", "(Outer.Stem)", "(zoo.Net)"]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    lines = [f"class {qualname.rpartition('.')[2]}{bases}:", *(f"    {line.rstrip()}" for line in body)]
    return qualname, "".join(margin + line + "\n" for line in lines).replace("\n", end)


@st.composite
def classes(draw: st.DrawFn) -> list[ClassText]:
    """Some classes, several of a module."""
    modules = draw(st.lists(MODULE, min_size=1, max_size=4))
    found = []
    for _ in range(draw(st.integers(1, 8))):
        module = draw(st.sampled_from(modules))
        qualname, text = draw(texts())
        if draw(st.integers(0, 9)) == 0:
            text = draw(st.text(max_size=30))
        origin = draw(st.sampled_from([STORED, DERIVED]))
        found.append(ClassText(f"{module}.{qualname}", module, qualname, text, origin, draw(st.text(max_size=8))))
    return found


@given(classes())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_all_is_placed_or_kept(found: list[ClassText]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plan = planned(*found)
    kept = {each.name for each in plan.unusable}
    assert {each.name for each in found} == set(plan.placed) | kept
    for each in plan.unusable:
        assert each.path in {file.path for file in plan.files}
    for name, placed in plan.placed.items():
        parts = tuple(placed.module.split("."))
        (file,) = (
            file for file in plan.files if file.path in ((*parts[:-1], f"{parts[-1]}.py"), (*parts, "__init__.py"))
        )
        assert name in file.classes
        assert all(part.isidentifier() for part in parts)
    assert set(plan.missing) <= set(plan.placed)
    assert set(plan.at_import) <= set(plan.missing)
