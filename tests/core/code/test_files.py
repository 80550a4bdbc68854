"""Texts of classes as files: where they stand, what they import, what they say, and that they can be imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, module
from tests.core.code.class_zoo import code_of, imported, planned, run, stored, text_of, written
from tests.opened import opened
from viewer.core.code.files import DERIVED, STORED, SUPPLIED, ClassText, class_texts, kept_texts
from viewer.core.span import Span


def test_one_file_a_module_and_packages_above() -> None:
    plan = planned(
        stored("Stem", "class Stem: pass\n", "zoo.blocks"),
        stored("Net", "class Net: pass", "__main__"),
        stored("Head", "class Head: pass", "zoo.blocks"),
    )
    assert {"/".join(file.path): file.classes for file in plan.files} == {
        "zoo/__init__.py": (),
        "zoo/blocks.py": ("zoo.blocks.Stem", "zoo.blocks.Head"),
        "main_script.py": ("__main__.Net",),
    }
    placed = plan.placed["__main__.Net"]
    assert (placed.module, placed.qualname) == ("main_script", "Net")
    assert (plan.unusable, plan.missing) == ((), {})


def test_a_module_that_is_a_package_too(tmp_path: Path) -> None:
    plan = planned(
        stored("Net", "class Net(Base):\n    def f(self): return Stem"),
        stored("Stem", "class Stem: pass", "zoo.blocks"),
        stored("Base", "class Base: pass", "zoo.base"),
    )
    assert [("/".join(file.path), file.classes) for file in plan.files] == [
        ("zoo/__init__.py", ("zoo.Net",)),
        ("zoo/blocks.py", ("zoo.blocks.Stem",)),
        ("zoo/base.py", ("zoo.base.Base",)),
    ]
    assert imported(plan, tmp_path) == ""


def test_classes_stand_in_the_order_of_their_need(tmp_path: Path) -> None:
    plan = planned(
        stored("Top", "@marked.by\nclass Top(Middle):\n    kind = Kind.SMALL\n"),
        stored("Middle", "class Middle(Base): pass"),
        stored("First", "class First:\n    def f(self): return Top\n"),
        stored("Base", "class Base: pass"),
        stored("Kind", "class Kind:\n    SMALL = 1\n"),
        stored("marked", "class marked:\n    by = staticmethod(lambda cls: cls)\n"),
    )
    lines = [line for line in code_of(plan, "zoo.py") if line.startswith("class ")]
    assert [line.split()[1].split("(")[0].rstrip(":") for line in lines] == [
        "First", "Base", "Middle", "Kind", "marked", "Top",
    ]  # fmt: skip
    assert imported(plan, tmp_path) == ""


def test_imports_are_worked_out(tmp_path: Path) -> None:
    text = (
        "class Net(Stem):\n    shape = np.zeros(2)\n    def f(self, x: Optional[int] = None):\n"
        "        return math.pi, OrderedDict(), time.time(), Head, os.path, partial\n"
    )
    plan = planned(
        stored("Net", text),
        stored("Stem", "class Stem: pass", "zoo_blocks"),
        stored("Head", "class Head: pass", "zoo_blocks"),
    )
    assert code_of(plan, "zoo.py")[:9] == [
        "import math",
        "import os",
        "import time",
        "from collections import OrderedDict",
        "from functools import partial",
        "from typing import Optional",
        "import numpy as np",
        "from zoo_blocks import Head, Stem",
        "class Net(Stem):",
    ]
    assert plan.missing == {}
    assert imported(plan, tmp_path) == ""


def test_names_that_nothing_gives_are_listed(tmp_path: Path) -> None:
    plan = planned(
        stored("Net", "class Net(Base):\n    def f(self): return cfg, torchvision.ops, xrange(2)\n"),
        stored("Head", "class Head:\n    def f(self, x: Shape): return init(x)\n"),
    )
    assert plan.missing == {"zoo.Net": ("Base", "cfg", "torchvision", "xrange"), "zoo.Head": ("Shape", "init")}
    assert plan.at_import == {"zoo.Net": ("Base",)}
    assert plan.files[0].missing == ("Base", "Shape", "cfg", "init", "torchvision", "xrange")
    comments = [line for line in text_of(plan, "zoo.py").split("\n") if line.startswith("#")]
    assert comments[5:10] == [
        "# Not found, and needed to import this file: Base",
        "# Not found, and needed when the code runs: Shape, cfg, init, torchvision, xrange",
        "# Import or define them here, perhaps by:",
        "# import torchvision",
        "# xrange = range",
    ]
    assert imported(plan, tmp_path).startswith("NameError: name 'Base' is not defined")


def test_what_only_annotations_name_does_not_stop_an_import(tmp_path: Path) -> None:
    plan = planned(stored("Net", "class Net:\n    def f(self, x: Shape) -> Net: pass\n    size: Size = 3\n"))
    assert code_of(plan, "zoo.py")[0] == "from __future__ import annotations"
    assert plan.missing == {"zoo.Net": ("Shape", "Size")}
    assert plan.at_import == {}
    assert imported(plan, tmp_path) == ""


def test_annotations_that_are_found_are_left_as_they_are() -> None:
    plan = planned(stored("Stem", "class Stem: pass"), stored("Net", "class Net:\n    def f(self, x: Stem): pass\n"))
    assert code_of(plan, "zoo.py")[0] == "class Stem: pass"


def test_modules_that_need_each_other(tmp_path: Path) -> None:
    one = planned(
        stored("A", "class A(Base):\n    def f(self): return B\n", "zoo.a"),
        stored("B", "class B(A):\n    def f(self): return C, A\n", "zoo.b"),
        stored("C", "class C:\n    def f(self) -> A: return A\n", "zoo.c"),
        stored("Base", "class Base: pass", "zoo.base"),
    )
    assert code_of(one, "zoo/a.py")[-8:] == [
        "import sys",
        "try:",
        "    from zoo.b import B",
        "except ImportError:",
        '    if "zoo.b" not in sys.modules:',
        "        raise",
        'if "zoo.c" in sys.modules:',
        '    sys.modules["zoo.c"].A = A',
    ]
    assert "# These modules need each other" in text_of(one, "zoo/a.py")
    assert "# These modules need each other" not in text_of(one, "zoo/base.py")
    for first in ("a", "b", "c", "base"):
        code = f"import zoo.{first}; from zoo import a, b, c; print(a.A().f().__name__, c.C().f().__name__, b.B().f())"
        assert run(written(one, tmp_path), code) == "B A (<class 'zoo.c.C'>, <class 'zoo.a.A'>)\n", first


def test_bases_in_a_circle_of_modules(tmp_path: Path) -> None:
    """A file needs the other in the middle: its second class stands on the other's first."""
    plan = planned(
        stored("Low", "class Low: pass", "zoo.a"),
        stored("High", "class High(Middle): pass", "zoo.a"),
        stored("Middle", "class Middle(Low): pass", "zoo.b"),
    )
    assert code_of(plan, "zoo/a.py") == ["class Low: pass", "from zoo.b import Middle", "class High(Middle): pass"]
    assert run(written(plan, tmp_path), "import zoo.a; print(zoo.a.High.__mro__[2].__name__)") == "Low\n"


def test_a_module_by_its_own_name(tmp_path: Path) -> None:
    text = "class Net(blocks.Stem):\n    def f(self): return zoo.heads.Head, blocks.Stem\n"
    plan = planned(
        stored("Net", text, "__main__"),
        stored("Stem", "class Stem: pass", "zoo.blocks"),
        stored("Head", "class Head: pass", "zoo.heads"),
    )
    assert code_of(plan, "main_script.py")[:3] == ["import zoo", "import zoo.heads", "from zoo import blocks"]
    assert run(written(plan, tmp_path), "import main_script; print(main_script.Net().f()[0].__name__)") == "Head\n"


def test_a_module_under_another_name(tmp_path: Path) -> None:
    plan = planned(
        stored("Net", "class Net(types.Stem):\n    def f(self): return other.types.Stem\n", "__main__"),
        stored("Stem", "class Stem: pass", "types"),
    )
    assert code_of(plan, "main_script.py")[0] == "import types_ as types"
    assert plan.missing == {"__main__.Net": ("other",)}
    assert imported(plan, tmp_path) == ""


def test_one_name_in_several_modules_is_the_nearest_one() -> None:
    plan = planned(
        stored("Net", "class Net(Stem): pass", "zoo.small.net"),
        stored("Stem", "class Stem: pass", "zoo.large.blocks"),
        stored("Stem", "class Stem: pass", "zoo.small.blocks"),
        stored("Other", "class Other(Stem): pass", "lab"),
    )
    assert code_of(plan, "zoo/small/net.py")[0] == "from zoo.small.blocks import Stem"
    assert plan.missing == {"lab.Other": ("Stem",)}
    assert "# from zoo.large.blocks import Stem\n# from zoo.small.blocks import Stem\n" in text_of(plan, "lab.py")


def test_nothing_is_imported_from_the_main_script() -> None:
    plan = planned(stored("Net", "class Net(Stem): pass"), stored("Stem", "class Stem: pass", "__main__"))
    assert plan.missing == {"zoo.Net": ("Stem",)}


def test_of_several_texts_the_last_is_used() -> None:
    plan = planned(
        stored("Net", "class Net: version = 1\r\n"),
        stored("Net", "class Net: version = 2"),
        stored("Net", "class Net: version = 2"),
        stored("Net", "class Net: print 'broken'"),
    )
    assert code_of(plan, "zoo.py") == ["class Net: version = 2"]
    assert text_of(plan, "zoo.Net.txt") == "class Net: version = 1\r\n"
    assert text_of(plan, "zoo.Net_2.txt") == "class Net: print 'broken'"
    assert [(each.name, each.reason, each.path) for each in plan.unusable] == [
        ("zoo.Net", "source-other-text", ("zoo.Net.txt",)),
        ("zoo.Net", "source-python-2", ("zoo.Net_2.txt",)),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("class Net:\n    def f(self):\n        print 'x'\n", "source-python-2"),
        ("class Net:\n    def f(self):\n        raise E, 'x'\n", "source-python-2"),
        ("class Net:\n    def f(self):\n\tpass\n        x\n", "source-python-2"),
        ("class Net:\n    '''never closed\n", "source-part"),
        ("class Net:\n    def f(self):\n", "source-part"),
        ("class Net:\n    x = (1,\n", "source-part"),
        ("        return x\n\nclass Net: pass\n", "source-syntax"),
        ("class Net:\n    return 1\n", "source-syntax"),
        ("class Net:\n    x = 1 +* 2\n", "source-syntax"),
        ("class Net:\n    x = '\0'\n", "source-not-text"),
        ("class Net:\n    x = '\ud800'\n", "source-not-text"),
        ("class Other: pass", "source-no-class"),
        ("", "source-no-class"),
        ("x = 1", "source-no-class"),
        ("class Net: x = " + "(" * 1000, "source-nested"),
        ("class Net: x = a" + ".b" * 2000, "source-nested"),
        ("class Net:\n    x = '" + "y" * 10_000_000 + "'", "source-long"),
    ],
)
def test_a_text_that_cannot_be_used_is_kept_byte_for_byte(text: str, reason: str, tmp_path: Path) -> None:
    plan = planned(stored("Net", text), stored("Good", "class Good: pass"))
    (unusable,) = plan.unusable
    assert (unusable.name, unusable.reason, unusable.path) == ("zoo.Net", reason, ("zoo.Net.txt",))
    written(plan, tmp_path)
    assert (tmp_path / "zoo.Net.txt").read_bytes() == text.encode("utf-8", "surrogatepass")
    assert "zoo.Net" not in plan.placed
    assert "# Not here: zoo.Net. Its text is kept in zoo.Net.txt: " in text_of(plan, "zoo.py")
    assert imported(plan, tmp_path) == ""


def test_a_module_of_which_nothing_can_be_used_is_there(tmp_path: Path) -> None:
    plan = planned(stored("Net", "class Net: print 1", "zoo.old"), stored("Head", "class Head(Net): pass"))
    assert plan.missing == {"zoo.Head": ("Net",)}
    assert run(written(plan, tmp_path), "import zoo").startswith("NameError: name 'Net' is not defined")
    assert code_of(plan, "zoo/old.py") == []


def test_what_the_file_states_stays_in_its_comment(tmp_path: Path) -> None:
    path = "x\nraise SystemExit(1)\r\n# coding: utf-7\u2028\u202e\0\x0c" + "y" * 1000
    text = "# coding: utf-16\nclass Net:\n    pass\n"
    name = "a\nraise SystemExit(2)\n"
    plan = planned(ClassText(name + ".Net", name, "Net", text, "stored", path, Span(0x10, 0x20)))
    (file,) = plan.files
    assert file.path == ("a_raise_SystemExit_2__.py",)
    lines = file.text.split("\n")
    assert lines[0] == "# Written by Picklescope from the texts of classes in a model file."
    assert lines[4] == "# Module as stored: a\\nraise SystemExit(2)\\n"
    assert "x\\nraise SystemExit(1)\\r\\n# coding: utf-7\\u2028\\u202e\\x00\\x0cyyy" in lines[7]
    assert lines[7].endswith("… (bytes 0x10 to 0x20)")
    assert code_of(plan, file.path[0]) == ["class Net:", "    pass"]
    assert imported(plan, tmp_path) == ""


def test_hidden_characters_are_named_above_their_class() -> None:
    plan = planned(stored("Net", "class Net:\r\n    x = '\u202e\u2066'\n"))
    lines = text_of(plan, "zoo.py").split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("# Hidden"))
    assert lines[at] == "# Hidden characters stand in this text: 2. The first is U+202E, 2 lines below."
    assert "\u202e" in lines[at + 2]


def test_where_each_text_came_from() -> None:
    derived = ClassText("zoo.A", "zoo", "A", "class A: pass", DERIVED, None)
    supplied = ClassText("zoo.B", "zoo", "B", "class B: pass", SUPPLIED, "C:\\zoo.py")
    plan = planned(derived, supplied, stored("C", "class C: pass", file=None))
    comments = [line for line in text_of(plan, "zoo.py").split("\n") if line.startswith("# zoo.")]
    assert comments == [
        "# zoo.A: derived from its pickled objects. Its own text is not in the model file.",
        "# zoo.B: text from C:\\zoo.py, which was given for it.",
        "# zoo.C: stored text, from a file that is not named (in compressed bytes)",
    ]


def test_line_ends_tabs_and_form_feeds(tmp_path: Path) -> None:
    text = "\ufeffclass Net:\r\n\t'''a\r\n\tb'''\r\n\x0c\r\n\tdef f(self):\r\n\t\treturn 'ż'\r\n\t\t\r"
    plan = planned(stored("Net", text))
    assert "\tdef f(self):\n\t\treturn 'ż'\n" in text_of(plan, "zoo.py")
    assert imported(plan, tmp_path) == ""
    assert run(tmp_path, "import zoo; print(ascii(zoo.Net().f()), repr(zoo.Net.__doc__))") == "'\\u017c' 'a\\n\\tb'\n"


def test_what_a_text_asks_of_the_future_goes_to_the_head(tmp_path: Path) -> None:
    plan = planned(
        stored("First", "class First: pass"),
        stored("Net", "from __future__ import division, print_function\nclass Net:\n    x = 1\n"),
    )
    assert code_of(plan, "zoo.py")[0] == "from __future__ import division, print_function"
    assert imported(plan, tmp_path) == ""


def test_odd_names_of_classes(tmp_path: Path) -> None:
    plan = planned(
        stored("a b.Inner", "class Inner: pass"),
        stored("..", "class Net: pass"),
        stored("class", "class Net: pass"),
        stored("Ünit.ﬁx", "class fix: pass"),
        stored("x." * 500 + "Net", "class Net: pass"),
        stored("Größe", "class Größe: pass"),
    )
    assert {name: placed.qualname for name, placed in plan.placed.items()} == {
        "zoo.a b.Inner": "Inner",
        "zoo." + "x." * 500 + "Net": "Net",
        "zoo.Größe": "Größe",
    }
    assert [each.reason for each in plan.unusable] == ["source-no-class"] * 3
    assert imported(plan, tmp_path) == ""


def test_two_classes_that_would_stand_under_one_name() -> None:
    plan = planned(stored("f.<locals>.Net", "class Net: x = 1"), stored("Net", "class Net: x = 2"))
    assert [(each.name, each.reason) for each in plan.unusable] == [("zoo.Net", "source-name-taken")]


def test_texts_for_reading_only() -> None:
    files = kept_texts([stored("Linear", "a\r\n", "torch.nn"), stored("LINEAR", "b", "torch.nn")], "as_stored")
    assert [(file.path, file.data) for file in files] == [
        (("as_stored", "torch.nn.Linear.txt"), b"a\r\n"),
        (("as_stored", "torch.nn.LINEAR_2.txt"), b"b"),
    ]


def test_torch_stays_out_unless_it_is_asked_for() -> None:
    modules = ("zoo", "torch", "torch.nn.modules.linear", "torchvision.models", "torchy")
    classes = [ModuleClass(name, "Net", f"/{name}.py", "class Net: pass") for name in modules]
    document = opened(legacy([module(each) for each in classes]))
    assert [each.module for each in class_texts(document.sources)] == ["zoo", "torchvision.models", "torchy"]
    assert [each.module for each in class_texts(document.sources, own_only=False)] == list(modules)


def test_the_text_of_a_whole_module(tmp_path: Path) -> None:
    """As torch.package keeps it: with its own imports."""
    text = (
        "from __future__ import annotations\nimport math as m\nSIZE = m.pi\nclass Net(Stem):\n    class In: x = SIZE\n"
    )
    plan = planned(
        ClassText("zoo.net", "zoo.net", "", text, STORED, "zoo/net.py"),
        stored("Net", "class Net(Stem): pass", "zoo.net"),
        stored("Head", "class Head(Net): pass", "zoo.net"),
        stored("Stem", "class Stem: pass", "zoo.stem"),
    )
    assert {name: placed.qualname for name, placed in plan.placed.items()} == {
        "zoo.net.Net": "Net",
        "zoo.net.Net.In": "Net.In",
        "zoo.net.Head": "Head",
        "zoo.stem.Stem": "Stem",
    }
    assert code_of(plan, "zoo/net.py")[:4] == [
        "from __future__ import annotations", "from zoo.stem import Stem", "import math as m", "SIZE = m.pi",
    ]  # fmt: skip
    assert imported(plan, tmp_path) == ""


def test_a_module_that_cannot_be_read_is_kept() -> None:
    plan = planned(ClassText("zoo", "zoo", "", "print 1", STORED, None), ClassText("", "", "", "x = 1", STORED, None))
    assert [(each.name, each.reason, each.path) for each in plan.unusable] == [
        ("zoo", "source-python-2", ("zoo.txt",)),
        ("", "source-no-class", ("unnamed.txt",)),
    ]


def test_many_modules_and_classes_are_laid_out_in_linear_time() -> None:
    classes = [
        stored(
            f"C{at}",
            f"class C{at}(C{at - 1}):\n    def f(self): return C{(at * 7) % 3000}\n",
            f"m{at % 300}.sub{at % 7}",
        )
        for at in range(1, 3000)
    ]
    plan = planned(*classes)
    assert len(plan.placed) == 2999
    assert plan.missing["m1.sub1.C1"] == ("C0",)


def test_a_whole_module_has_its_own_imports() -> None:
    text = "from torch.nn.functional import *\n\n\nclass Net:\n    def forward(self, x):\n        return gelu(x)\n"
    plan = planned(ClassText("zoo", "zoo", "", text, STORED, "zoo.py"))
    assert (plan.missing, plan.files[0].missing) == ({}, ())
    assert "Not found" not in text_of(plan, "zoo.py")
    assert "imports are worked out" not in text_of(plan, "zoo.py")
    assert "imports are worked out" in text_of(planned(stored("Net", "class Net: pass\n")), "zoo.py")
