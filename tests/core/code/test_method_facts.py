"""What methods do with their object, and which of it is sure."""

from __future__ import annotations

import pytest

from viewer.core.code.class_facts import ClassFacts, class_facts
from viewer.core.code.method_facts import MethodFacts
from viewer.core.code.python_text import Fault, Tree, class_node, parse


def facts(text: str) -> ClassFacts:
    """The facts of the first class."""
    tree = parse(text)
    assert isinstance(tree, Tree)
    node = class_node(tree)
    assert node is not None
    found = class_facts(tree, node)
    assert isinstance(found, ClassFacts)
    return found


def method(body: str) -> MethodFacts:
    """The facts of `def m(self, a, b)` with this body."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return facts(f"class A:\n    def m(self, a, b):\n{lines}").methods["m"]


def sure(body: str) -> dict[str, bool]:
    return {name: setting.sure for name, setting in method(body).settings.items()}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("self.x = 1", {"x": True}),
        ("self.x = self.y = 1", {"x": True, "y": True}),
        ("self.x, (self.y, *self.z) = a", {"x": True, "y": True, "z": True}),
        ("self.x: int = 1", {"x": True}),
        ("self.x: int", {}),
        ("self.x += 1", {"x": True}),
        ("with a as self.x:\n    self.y = 1", {"x": True, "y": True}),
        ("for self.x in a:\n    self.y = 1", {"x": False, "y": False}),
        ("while a:\n    self.x = 1", {"x": False}),
        ("if a:\n    self.x = 1", {"x": False}),
        ("if a:\n    self.x = 1\nelse:\n    self.x = 2", {"x": True}),
        ("if a:\n    self.x = 1\nelif b:\n    self.x = 2\nelse:\n    raise ValueError", {"x": True}),
        ("if a:\n    self.x = 1\nelif b:\n    self.x = 2", {"x": False}),
        ("if a:\n    return\nself.x = 1", {"x": False}),
        ("self.x = 1\nif a:\n    return\nself.y = 1", {"x": True, "y": False}),
        ("if a:\n    raise ValueError\nself.x = 1", {"x": True}),
        ("for c in a:\n    break\nself.x = 1", {"x": True}),
        ("for c in a:\n    return\nself.x = 1", {"x": False}),
        ("try:\n    self.x = 1\nexcept E:\n    self.x = None", {"x": True}),
        ("try:\n    self.x = 1\nexcept E:\n    pass", {"x": False}),
        ("try:\n    self.x = 1\nexcept E:\n    raise", {"x": True}),
        ("try:\n    a()\nfinally:\n    self.x = 1", {"x": True}),
        ("match a:\n    case 1:\n        self.x = 1\n    case _:\n        self.x = 2", {"x": True}),
        ("match a:\n    case 1:\n        self.x = 1", {"x": False}),
        ("if (n := a):\n    self.x = n", {"x": False}),
        ("setattr(self, 'x', 1)", {"x": True}),
        ("object.__setattr__(self, 'x', 1)", {"x": True}),
        ("self.register_buffer('x', None)", {"x": True}),
        ("self.register_parameter(name='x', param=None)", {"x": False}),
        ("nn.Module.add_module(self, 'x', a)", {"x": True}),
        ("a and setattr(self, 'x', 1)", {"x": False}),
        ("def inner():\n    self.x = 1", {"x": False}),
        ("self.__dict__['x'] = 1", {"x": False}),
        ("class B:\n    def f(self):\n        self.x = 1", {}),
        ("f = lambda self: self.x", {}),
    ],
)
def test_settings(body: str, expected: dict[str, bool]) -> None:
    assert sure(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "setattr(self, a, 1)",
        "self.add_module('x%d' % a, b)",
        "self.add_module(f'x{a}', b)",
        "self.__dict__.update(a)",
        "vars(self).update(a)",
        "self.__dict__[a] = 1",
        "self.__dict__ = a",
        "self = a",
    ],
)
def test_computed_names_open_the_object(body: str) -> None:
    assert method(body).opens


def test_roles_and_lines() -> None:
    found = method("self.register_buffer('b', a)\nself.register_parameter('p', None)\nself.add_module('m', a)").settings
    assert {name: (setting.role, setting.line) for name, setting in found.items()} == {
        "b": ("buffer", 3),
        "p": ("parameter", 4),
        "m": ("module", 5),
    }


def test_uses_calls_and_guards() -> None:
    found = method(
        "self.run(self.x)\n"
        "getattr(self, 'y')\n"
        "getattr(self, 'z', None)\n"
        "if hasattr(self, 'w'):\n"
        "    self.w\n"
        "try:\n"
        "    self.v\n"
        "except (KeyError, AttributeError):\n"
        "    pass\n"
        "super().run()\n"
        "Base.stop(self)\n"
        "del self.u"
    )
    assert {(use.name, use.line, use.called) for use in found.uses.values()} == {
        ("run", 3, True), ("x", 3, False), ("y", 4, False), ("w", 7, False), ("v", 9, False),
    }  # fmt: skip
    assert found.guarded == {"z", "w", "v"}
    assert (found.calls, found.super_calls) == ({"run": True}, {"run": True, "stop": True})
    assert found.deleted == {"u"}


def test_what_is_made() -> None:
    found = method("self.x = Block(nn.Linear(1, 2))\nself.y = layers.Head(a)\nself.Z()\nb(Last())\nCls = a\nCls()\nf()")
    assert found.makes == {"Block": 3, "nn.Linear": 3, "layers.Head": 4, "Last": 6}


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("nn.Dropout(0.5)", "nn.Dropout(0.5)"),
        ("torch.nn.quantized.FloatFunctional()", "torch.nn.quantized.FloatFunctional()"),
        ("-1", "-1"),
        ("[1, 'x', None]", "[1, 'x', None]"),
        ("nn.Linear(a, 3)", ""),
        ("torch.hub.load('a/b', 'c')", ""),
        ("torch.load('x')", ""),
        ("nn.init.xavier_(1)", ""),
        ("Block()", ""),
        ("__import__('os').system('x')", ""),
        ("nn.Linear(*a)", ""),
        ("f'{a}'", ""),
    ],
)
def test_only_torch_and_literals_are_offered_as_values(value: str, kept: str) -> None:
    assert method(f"self.x = {value}").settings["x"].value == kept


def test_the_class_body() -> None:
    found = facts(
        "@dataclass\n"
        "class A(nn.Module, Generic[T], f(x)):\n"
        "    __slots__ = ('s', 't')\n"
        "    a: int\n"
        "    b: int = 3\n"
        "    c: ClassVar[int]\n"
        "    d = e = 1\n"
        "    class In:\n"
        "        g = 1\n"
        "    if True:\n"
        "        def h(self): self.i\n"
        "    @property\n"
        "    def p(self): return 1\n"
        "    @p.setter\n"
        "    def p(self, v): self._p = v\n"
        "    @staticmethod\n"
        "    def q(x): x.y\n"
    )
    assert found.line == 2
    assert found.bases == ("nn.Module", "Generic", "")
    assert found.names == {"__slots__", "b", "d", "e", "In", "h", "p", "q"}
    assert (found.slots, found.annotated, found.properties) == ({"s", "t"}, {"a"}, {"p"})
    assert list(found.fields) == ["a"]
    assert list(found.methods) == ["h", "p", "p.setter"]


def test_another_name_for_the_object() -> None:
    found = facts("class A:\n    def __init__(this, x):\n        this.x = x\n        self.y = 1\n")
    assert list(found.methods["__init__"].settings) == ["x"]


def test_branches_that_are_nested_too_deep() -> None:
    text = "class A:\n    def f(self):\n        if 1: pass\n" + "        elif 1: pass\n" * 900
    tree = parse(text)
    assert isinstance(tree, Tree)
    node = class_node(tree)
    assert node is not None
    assert class_facts(tree, node) == Fault("too-deep", 1)
