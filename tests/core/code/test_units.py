"""Classes within classes and functions: where their texts stand in the file of their module."""

from __future__ import annotations

from pathlib import Path

from tests.core.code.class_zoo import imported, planned, run, stored, text_of


def test_a_nested_class_stands_within_its_outer_one(tmp_path: Path) -> None:
    plan = planned(
        stored("Outer.Inner", "    class Inner:\n        x = 1\n"),
        stored("Outer", "class Outer:\n    class Inner:\n        x = 1\n"),
    )
    assert text_of(plan, "zoo.py").count("class Inner") == 1
    assert plan.placed["zoo.Outer.Inner"].qualname == "Outer.Inner"
    assert plan.unusable == ()
    assert imported(plan, tmp_path) == ""


def test_a_nested_class_without_its_outer_one_gets_a_holder(tmp_path: Path) -> None:
    plan = planned(
        stored("Outer.Deep.Inner", "        class Inner(Base):\n            text = '''\n        kept\n'''\n"),
        stored("Outer.Base", "    class Base:\n        pass\n"),
        stored("Inner", "class Inner: own = True"),
    )
    assert imported(plan, tmp_path) == ""
    code = "import zoo; C = zoo.Outer.Deep.Inner; print(C.text, C.__mro__[1], zoo.Inner.own, hasattr(zoo, 'Base'))"
    assert run(tmp_path, code) == "\n        kept\n <class 'zoo.Outer.Base'> True False\n"


def test_a_nested_class_that_the_outer_text_lacks(tmp_path: Path) -> None:
    plan = planned(stored("Outer", "class Outer: pass\n"), stored("Outer.Inner", "    class Inner: x = 1"))
    assert imported(plan, tmp_path) == ""
    assert run(tmp_path, "import zoo; print(zoo.Outer.Inner.x)") == "1\n"


def test_a_local_class_stands_in_its_module(tmp_path: Path) -> None:
    plan = planned(stored("make.<locals>.Net", "    class Net(Base):\n        def f(self): return width\n"))
    assert plan.placed["zoo.make.<locals>.Net"].qualname == "Net"
    assert plan.missing == {"zoo.make.<locals>.Net": ("Base", "width")}
