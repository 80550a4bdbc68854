"""Objects of whole files held against the texts of their classes: literal classes and the findings on them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, full, module, parameter
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance
from tests.opened import opened
from tests.shared import SHARED
from viewer.core.code import lineage
from viewer.core.code.findings import Finding
from viewer.core.code.python_text import Fault, Tree, parse
from viewer.core.code.supplied import SuppliedFile, supplied_file
from viewer.core.code.torch_text import TorchText
from viewer.core.errors import CancelledError
from viewer.core.opening import open_document
from viewer.core.problem import Severity
from viewer.core.progress import Progress
from viewer.core.summary.checks import check_document, torch_names
from viewer.core.tensors.path import Attribute
from viewer.wording import Words
from viewer.wording.checks import CHECKS, DIFFERENCES, ORIGINS, TORCH_TEXTS

LINEAR = Global("torch.nn.modules.linear", "Linear")
CONV = Global("torch.nn.modules.conv", "Conv1d")
OLD_CONV = {
    "in_channels": 2, "out_channels": 4, "kernel_size": (3,), "stride": (1,), "padding": (0,), "dilation": (1,),
    "transposed": False, "output_padding": (0,), "groups": 1,
}  # fmt: skip


def weight() -> Call:
    return parameter(full("float32", (1,), [1]))


def linear() -> Instance:
    return module(LINEAR, {"in_features": 1, "out_features": 1}, {"weight": weight(), "bias": None})


def stored(source: str, name: str = "Net") -> ModuleClass:
    return ModuleClass("nets", name, "/home/user/nets.py", source)


def checked(value: object, supplied: Sequence[SuppliedFile] = ()) -> list[Finding]:
    """The findings on a value of a legacy file."""
    return check_document(opened(legacy(value)), supplied)


def codes(value: object, supplied: Sequence[SuppliedFile] = ()) -> list[tuple[str, object]]:
    """The findings as (code, name or names)."""
    return [(one.code, one.params.get("name", one.params.get("names"))) for one in checked(value, supplied)]


def net(body: str, attributes: Mapping[str, object] | None = None, base: str = "nn.Module") -> Instance:
    """A module `nets.Net` with a child `fc` and this text."""
    text = f"class Net({base}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return module(stored(text), attributes, children={"fc": linear()})


INIT = "def __init__(self):\n    super().__init__()\n    self.fc = nn.Linear(1, 1)\n"
FORWARD = "def forward(self, x):\n    return self.fc(x)\n"


def test_an_object_that_fits() -> None:
    assert checked(net(INIT + FORWARD)) == []


def test_a_nested_class_whose_object_a_function_of_copyreg_makes() -> None:
    file = supplied_file(
        Path("nets.py"),
        b"class Outer:\n    class Inner:\n        def __init__(self):\n            self.add = 1\n\n"
        b"        def get(self):\n            return self.add\n",
    )
    made = Call(
        Global("copyreg", "_reconstructor"),
        (Global("nets", "Outer.Inner"), Global("builtins", "object"), None),
        {"x": 1},
    )
    assert codes(made, [file]) == [("attributes-unknown", "x"), ("attribute-missing", "add")]


def test_of_several_files_the_one_that_fits_the_module_is_taken() -> None:
    text = b"class Net:\n    def __init__(self):\n        self.%s = 1\n\n    def get(self):\n        return self.%s\n"
    made = Instance(Global("zoo.nets", "Net"), (), {})
    files = [supplied_file(Path(path), text.replace(b"%s", name)) for path, name in (("a.py", b"a"), ("b.py", b"b"))]
    fits = supplied_file(Path("zoo", "nets.py"), text.replace(b"%s", b"fits"))
    assert codes(made, files) == [("attribute-missing", "a")]
    assert codes(made, [*files, fits]) == [("attribute-missing", "fits")]


def test_an_attribute_that_a_method_reads() -> None:
    (found,) = checked(net(INIT + "    self.add = nn.Dropout(0.5)\n" + FORWARD + "    x = self.add(x)\n"))
    assert (found.code, found.severity, found.class_name) == ("attribute-missing", Severity.WARNING, "nets.Net")
    assert (found.origin, found.line, found.text_of) == ("stored", 5, "nets.Net")
    assert (found.count, found.places) == (1, ((),))
    assert found.text == (
        "Net lacks add, which __init__ sets in line 5. forward reads it in line 8 and will fail with an "
        "AttributeError: loading does not run __init__. The stored text is what was on disk when the model was "
        "saved, which may be newer than the code that made the object."
    )
    assert found.fix == (
        "for module in model.modules():\n"
        '    if type(module).__name__ == "Net" and not hasattr(module, "add"):\n'
        "        module.add = nn.Dropout(0.5)"
    )


def test_a_file_that_the_person_picked() -> None:
    file = supplied_file(
        Path("blocks.py"),
        b"from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        b"        self.fc = nn.Linear(1, 1)\n        self.add = Add()\n\n    def forward(self, x):\n"
        b"        return self.add(self.fc(x), x)\n",
    )
    found = checked(net(INIT + FORWARD), [file])
    assert [(one.code, one.origin, one.line) for one in found] == [
        ("classes-missing", "supplied", 8),
        ("attribute-missing", "supplied", 8),
    ]
    assert found[1].params["read_line"] == 11
    assert found[1].text.endswith(
        "The object was made by other code than this file. Set add after loading, or use the older text."
    )
    assert found[1].fix == ""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # nothing reads it
        (INIT + "    self.x = 1\n" + FORWARD, [("attribute-missing-unread", "x")]),
        # through methods that __init__ calls, and their properties
        (
            INIT + "    self.build()\n" + FORWARD + "def build(self):\n    self.x = 1\n",
            [("attribute-missing-unread", "x")],
        ),
        (
            INIT + "    self.p = 1\n" + FORWARD + "@property\ndef p(self): return self.x\n"
            "@p.setter\ndef p(self, v): self.x = v\n",
            [("attribute-missing", "x")],
        ),
        # a method that runs in circles
        (INIT + "    self.a()\n" + FORWARD + "def a(self):\n    self.b()\ndef b(self):\n    self.a()\n", []),
        # under a condition: said only where it is read without asking
        (INIT + "    if a:\n        self.x = 1\n" + FORWARD, []),
        (INIT + "    if a:\n        self.x = 1\n" + FORWARD + "    self.x\n", [("attribute-conditional", "x")]),
        (INIT + "    if a:\n        self.x = 1\n" + FORWARD + "    if hasattr(self, 'x'):\n        self.x\n", []),
        (INIT + "    if a:\n        self.x = 1\n" + FORWARD + "    getattr(self, 'x', None)\n", []),
        # a reader that sets it first
        (
            INIT + "    self.x = None\ndef forward(self):\n    self.x = 1\n    self.x\n",
            [("attribute-missing-unread", "x")],
        ),
        # registered by name
        (INIT + "    self.register_buffer('x', None)\n" + FORWARD, [("attribute-missing-unread", "x")]),
        # a class attribute stands in, a deleted one is not expected
        ("x = 0\n" + INIT + "    self.x = 1\n" + FORWARD, []),
        (INIT + "    self.x = 1\n    del self.x\n" + FORWARD, []),
        # filled while loading
        (
            INIT + "    self.x = 1\n" + FORWARD + "def __setstate__(self, state):\n"
            "    self.__dict__.update(state)\n    self.x = 1\n",
            [],
        ),
        # nothing can be said
        (
            INIT + "    self.x = 1\n" + FORWARD + "def __getattr__(self, n): return 1\n",
            [("attributes-computed", "__getattr__")],
        ),
        (INIT + "    self.x = 1\n" + FORWARD + "def __reduce__(self): return 1\n", []),
        # names that nothing sets
        (INIT + FORWARD + "    self.run(self.y)\n", [("method-missing", "run"), ("name-missing", "y")]),
        (INIT + FORWARD + "    self.train(); self.parameters(); self.training; self._modules\n", []),
        (INIT + "    setattr(self, name, 1)\n" + FORWARD + "    self.y\n", []),
        (INIT + FORWARD + "    self.y = 1\ndef f(self): self.y\n", []),
        # no forward
        (INIT, [("forward-missing", None)]),
        (INIT + "    self.forward = self.fc\n", [("attribute-missing-unread", "forward")]),
        # classes that are needed
        (INIT + "    Block(Head(1), nn.ReLU(), OrderedDict())\n" + FORWARD, [("classes-missing", "Block, Head")]),
        (INIT + "    raise ValueError(1)\n" + FORWARD, []),
    ],
)  # fmt: skip
def test_findings(body: str, expected: list[tuple[str, object]]) -> None:
    assert codes(net(body)) == expected


def test_what_the_text_does_not_set() -> None:
    (found,) = checked(net(INIT + FORWARD, {"extra": 1, "late": 2}))
    assert (found.code, found.severity) == ("attributes-unknown", Severity.NOTE)
    assert found.text == (
        "Net holds what its text does not set: extra, late. It was set from outside, or by another version of the "
        "class."
    )
    assert found.params["all"] == ("extra", "late")
    assert (
        codes(net("late: int\n" + INIT + FORWARD + "def f(self):\n    self.extra = 1\n", {"extra": 1, "late": 2})) == []
    )
    assert codes(net(INIT + "    self.__dict__.update(a)\n" + FORWARD, {"extra": 1})) == []


def test_bases_that_are_held() -> None:
    base = stored(
        "class Base(Module):\n    def __init__(self):\n        super().__init__()\n        self.scale = 2\n"
        "        self.build()\n    def forward(self, x):\n        return self.run(x)\n",
        "Base",
    )
    text = (
        "class Net(Base):\n    def __init__(self):\n        super().__init__()\n        self.x = 1\n"
        "    def build(self):\n        self.fc = 1\n    def run(self, x):\n        return x * self.scale\n"
    )
    value = [module(base, {"scale": 2}), module(stored(text), {"x": 1}, children={"fc": linear()})]
    assert [(one.code, one.params.get("name"), one.class_name, one.text_of, one.line) for one in checked(value)] == [
        ("method-missing", "build", "nets.Base", "nets.Base", 5),
        ("method-missing", "run", "nets.Base", "nets.Base", 7),
        ("attribute-missing", "scale", "nets.Net", "nets.Base", 4),
    ]


def test_a_base_that_is_not_held() -> None:
    (found,) = checked(net(FORWARD + "    self.x\n", {"y": 1}, base="layers.Base"))
    assert (found.code, found.params["base"], found.line) == ("base-missing", "layers.Base", 1)


@pytest.mark.parametrize("base", ["", "(object)", "(dict)"])
def test_no_module_among_the_bases(base: str) -> None:
    text = f"class Net{base}:\n    def forward(self, x): return self.fc\n"
    assert codes(module(stored(text), children={"fc": linear()})) == [
        ("attributes-unknown", "fc"), ("module-base-missing", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "base",
    ["Module", "torch.nn.Module", "nn.modules.Module", "nn.Module, Generic[T]", "ABC, nn.Module", "Enum, nn.Module"],
)
def test_names_of_module(base: str) -> None:
    assert codes(net(INIT + FORWARD, base=base)) == []


def test_a_base_of_torch() -> None:
    text = "class Net(nn.Conv1d):\n    mine = 0\n"
    text += "    def forward(self, x): return self._conv_forward(x, self.weight, self.mine)\n"
    (found,) = checked(module(stored(text), {**OLD_CONV, "mine": 1}, {"weight": weight(), "bias": None}))
    assert (found.code, found.params["name"], found.class_name) == (
        "torch-attribute-filled",
        "padding_mode",
        "nets.Net",
    )
    assert found.text_of == "torch.nn.modules.conv.Conv1d"


def test_an_old_convolution() -> None:
    value = {name: module(CONV, OLD_CONV, {"weight": weight(), "bias": None}) for name in ("a", "b", "c", "d")}
    (found,) = checked(value)
    assert (found.code, found.severity, found.count) == ("torch-attribute-filled", Severity.WARNING, 4)
    assert found.places == (("a",), ("b",), ("c",))
    assert found.title == "Conv1d lacks padding_mode, which torch has set since 1.1"
    assert found.fix == (
        "for module in model.modules():\n"
        '    if isinstance(module, nn.Conv1d) and not hasattr(module, "padding_mode"):\n'
        '        module.padding_mode = "zeros"'
    )
    assert checked(module(CONV, {**OLD_CONV, "padding_mode": "zeros"}, {"weight": weight(), "bias": None})) == []


BAG = "torch.nn.modules.sparse.EmbeddingBag"
BAG_TEXT = """class EmbeddingBag(Module):
    def __init__(self, sparse, include_last_offset=False):
        self.sparse = sparse
        self.include_last_offset = include_last_offset
    def extra_repr(self):
        return self.sparse
    def forward(self, x):
        return bag(x, self.weight, self.include_last_offset)
"""


def bag(**attributes: object) -> Instance:
    held = {"num_embeddings": 2, "embedding_dim": 1, "max_norm": None, "norm_type": 2.0, "padding_idx": None}
    held.update(scale_grad_by_freq=False, mode="mean", **attributes)
    return module(Global("torch.nn.modules.sparse", "EmbeddingBag"), held, {"weight": weight()})


def test_attributes_of_torch_without_a_history() -> None:
    (found,) = checked(bag())
    assert (found.code, found.severity) == ("torch-attributes-missing", Severity.NOTE)
    assert sorted(str(found.params["names"]).split(", ")) == ["include_last_offset", "sparse"]
    assert "        module.include_last_offset = False\n" in found.fix + "\n"
    assert found.fix.count("isinstance(module, nn.EmbeddingBag)") == 2


def test_the_installed_text_of_torch() -> None:
    document = opened(legacy(bag()))
    assert torch_names(document) == [BAG]
    text = TorchText(BAG, BAG_TEXT, "sparse.py", 1, "", ("torch.nn.modules.module.Module",), "9.1")
    (found,) = check_document(document, torch_texts={BAG: text})
    assert (found.code, found.severity, found.line) == ("torch-attribute-read", Severity.WARNING, 8)
    assert (found.params["name"], found.params["method"]) == ("include_last_offset", "forward")
    filling = text.text + "    def __setstate__(self, state):\n        self.include_last_offset = False\n"
    text = TorchText(BAG, filling, "sparse.py", 1, "", (), "9.1")
    assert check_document(document, torch_texts={BAG: text}) == []


def test_hooks() -> None:
    hook = Instance(Global("torch.nn.utils.weight_norm", "WeightNorm"), (), {"name": "weight", "dim": 0})
    state = {"_forward_pre_hooks": OrderedDict({1: hook}), "_backward_hooks": OrderedDict({2: Global("nets", "log")})}
    (found,) = checked(net(INIT + FORWARD, state))
    assert (found.code, found.severity) == ("hooks-held", Severity.NOTE)
    assert found.params["names"] == "nets.log, torch.nn.utils.weight_norm.WeightNorm"


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("class Net(nn.Module):\n    def f(self):\n        print 'x'\n", "text-python-2", 3),
        ("class Net(nn.Module):\n    def f(self)\n", "text-syntax", 2),
        ("# only a comment\n", "text-no-class", 0),
        ("class Net(nn.Module):\n    '\0'\n", "text-not-text", 2),
        ("-" * 100_000 + "1", "text-too-deep", 0),
        ("x = 1\n" * 200_000, "text-too-large", 0),
    ],
)
def test_texts_that_cannot_be_read(text: str, code: str, line: int) -> None:
    (found,) = checked(module(stored(text)))
    assert (found.code, found.line, found.severity) == (code, line, Severity.WARNING)
    assert "{" not in found.text


def test_objects_that_are_no_modules() -> None:
    text = "class Log:\n    def __init__(self, n):\n        self.n = n\n        self.rows = []\n"
    text += "    def add(self):\n        self.rows.append(self.gone)\n"
    file = supplied_file(Path("log.py"), text.encode())
    value = Instance(Global("__main__", "Log"), (), {"n": 3, "old": 1})
    assert codes(value, [file]) == [
        ("attributes-unknown", "old"), ("attribute-missing", "rows"), ("name-missing", "gone"),
    ]  # fmt: skip
    # a call of the class runs __init__
    assert codes(Call(Global("__main__", "Log"), (3,)), [file]) == [("name-missing", "gone")]


def test_dataclasses_and_slots() -> None:
    text = "@dataclass\nclass D:\n    a: int\n    b: int = 0\n    c: ClassVar[int]\n    def f(self): return self.a\n"
    file = supplied_file(Path("d.py"), text.encode())
    assert codes(Instance(Global("d", "D"), (), {"b": 1}), [file]) == [("attribute-missing", "a")]
    file = supplied_file(Path("d.py"), b"class D:\n    __slots__ = ('a', 'b')\n    def f(self): return self.b\n")
    assert codes(Instance(Global("d", "D"), (), (None, {"a": 1})), [file]) == []


def test_names_that_come_from_elsewhere() -> None:
    """Given to the class after it is made, by a metaclass, or by a base of another module with the same name."""
    value = Instance(Global("d", "D"), (), {"b": 1})
    body = b"    def f(self): return self.a, self.b\n"
    for text in (
        b"class D:\n    b = 0\n" + body + b"D.a = 3\n",
        b"class D(metaclass=Making):\n    b = 0\n" + body,
        b"import _socket\nclass D(_socket.D):\n    b = 0\n" + body,
        b"class D:\n    b = 0\n    def __init_subclass__(cls):\n        cls.a\n    def g(self): return self.b\n",
        b"class D:\n    b = 0\n    def __new__(cls):\n        self = new(cls)\n        self.a = 1\n" + body,
    ):
        assert codes(value, [supplied_file(Path("d.py"), text)]) == [], text
    text = b"from abc import ABCMeta\nclass D(metaclass=ABCMeta):\n    b = 0\n" + body
    assert codes(value, [supplied_file(Path("d.py"), text)]) == [("name-missing", "a")]


def test_objects_are_counted_where_the_same_is_true() -> None:
    text = "class Net(nn.Module):\n    def __init__(self):\n        self.x = 1\n    def forward(self): self.x\n"
    cls = stored(text)
    found = checked([module(cls), module(cls, {"x": 1}), module(cls), *(module(cls, {"y": n}) for n in range(5))])
    assert [(one.code, one.count, one.places[0]) for one in found] == [
        ("attributes-unknown", 5, (3,)), ("attribute-missing", 7, (0,)),
    ]  # fmt: skip
    assert found[1].places == ((0,), (2,), (3,))


def test_a_zip_without_source_and_a_file_of_the_person() -> None:
    value = {"model": module(Global("zoo.nets", "Net"), {}, children={"fc": linear()})}
    file = supplied_file(Path("x.py"), b"import torch.nn as nn\nclass Net(nn.Module):\n    pass\n")
    (unknown, forward) = check_document(opened(torch_zip(value)), [file])
    assert (unknown.code, unknown.params["names"]) == ("attributes-unknown", "fc")
    assert (forward.code, forward.places) == ("forward-missing", (("model",),))
    assert check_document(opened(torch_zip(value))) == []


def test_a_text_that_is_hardly_that_of_the_object() -> None:
    text = "class Net(nn.Module):\n    def __init__(self):\n" + "".join(f"        self.a{n} = 1\n" for n in range(300))
    found = checked(module(stored(text + "    def forward(self): pass\n")))
    assert [one.code for one in found].count("attribute-missing-unread") == 100
    (more,) = [one for one in found if one.code == "attributes-missing-more"]
    assert more.title == "Net lacks 200 more attributes that its text sets"


def test_objects_of_ever_other_names() -> None:
    cls = stored("class Net(nn.Module):\n    def forward(self): pass\n")
    found = checked([module(cls, {f"v{number}": 1}) for number in range(230)])
    assert [one.code for one in found].count("attributes-unknown") == 200
    assert [one.title for one in found if one.code == "objects-unchecked"] == [
        "30 more objects of Net were not checked"
    ]


def test_texts_that_are_too_long_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage, "MOST_PARSED", 200)
    text = "class Net(nn.Module):\n    def forward(self): pass\n" + "#" * 100
    found = checked([module(stored(text)), module(stored(text, "Other"))])
    assert [(one.code, one.title) for one in found] == [("text-too-many", "The text of Other was not checked")]


def test_files_without_objects() -> None:
    assert check_document(opened(b"text")) == []
    assert check_document(opened(torch_zip({"a": 1}))) == []
    assert torch_names(opened(b"text")) == []


def test_stopping() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        check_document(opened(legacy(net(INIT + FORWARD))), progress=progress)


def test_a_text_is_parsed_once_however_many_objects_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def counting(text: str) -> Tree | Fault:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(lineage, "parse", counting)
    text = "class Net(nn.Module):\n    def __init__(self):\n        self.x = 1\n    def forward(self): self.x\n"
    cls = stored(text)
    found = checked([module(cls, {"n": number, f"m{number % 2}": 1}) for number in range(200)])
    assert [(one.code, one.count) for one in found] == [
        ("attributes-unknown", 100), ("attributes-unknown", 100), ("attribute-missing", 200),
    ]  # fmt: skip
    assert parsed == [text]


# -- files after problem reports -------------------------------------------------------------------


def case(name: str, supplied: Sequence[SuppliedFile] = ()) -> list[Finding]:
    folder = SHARED / "cases" / name
    (path,) = folder.iterdir()
    document = open_document(path)
    try:
        return check_document(document, supplied)
    finally:
        document.source.close()


@pytest.mark.usefixtures("shared")
def test_a_source_that_was_edited_after_training_began() -> None:
    found = [one for one in case("src-edited-after") if one.class_name == "nets.TinyNet"]
    assert {one.params["name"]: (one.code, one.severity, one.line) for one in found} == {
        "drop": ("attribute-missing-unread", Severity.WARNING, 6),
        "head2": ("attribute-missing-unread", Severity.WARNING, 7),
    }
    assert all("The stored text is what was on disk when the model was saved" in one.text for one in found)


@pytest.mark.usefixtures("shared")
def test_a_convolution_of_a_torch_before_1_1() -> None:
    (found,) = case("attr-padding-mode")
    assert (found.params["name"], found.params["since"]) == ("padding_mode", "1.1")
    assert found.places == ((Attribute("_modules"), "conv"),)
    assert "isinstance(module, nn.Conv1d)" in found.fix


@pytest.mark.usefixtures("shared")
def test_a_block_whose_code_was_edited() -> None:
    text = (
        "class ResBlock(nn.Module):\n    def __init__(self, nf):\n        super(ResBlock, self).__init__()\n"
        "        self.conv = nn.Conv1d(2, nf, 3)\n        self.fc = nn.Linear(nf, 2)\n"
        "        self.add = nn.quantized.FloatFunctional()\n\n    def forward(self, x):\n"
        "        return self.add.add(self.fc(self.conv(x).mean(-1)), x)\n"
    )
    assert [one.code for one in case("attr-resblock-add")] == ["torch-attribute-filled"]
    edited = supplied_file(Path("blocks.py"), b"from torch import nn\n" + text.encode())
    found = [one for one in case("attr-resblock-add", [edited]) if one.origin == "supplied"]
    assert [(one.code, one.params["name"], one.line, one.params["read_line"]) for one in found] == [
        ("attribute-missing", "add", 7, 10)
    ]
    assert "loading does not run __init__" in found[0].text
    assert "module.add = nn.quantized.FloatFunctional()" in found[0].fix


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(
    "name", ["con-dataclass", "con-subclass", "obj-easydict-config", "obj-lambda", "obj-namespace", "obj-omegaconf"]
)
def test_objects_without_a_text_are_not_judged(name: str) -> None:
    assert case(name) == []


@pytest.mark.usefixtures("shared")
def test_an_enum_and_a_named_tuple_of_a_picked_file() -> None:
    text = "from enum import Enum\nclass OTXTaskType(Enum):\n    DETECTION = 'DETECTION'\n"
    text += "class LabelInfo:\n    label_names: list\n    label_groups: list\n    def f(self): return self.new\n"
    found = case("con-dataclass", [supplied_file(Path("types.py"), text.encode())])
    assert [(one.code, one.params.get("name")) for one in found] == [("name-missing", "new")]


def test_the_words() -> None:
    for code, words in CHECKS.items():
        assert isinstance(words, Words)
        assert not words.title.endswith("."), code
        assert all(part.endswith(".") for part in (words.detail, words.remedy) if part), code
    assert list(CHECKS) == sorted(CHECKS)
    for text in (*ORIGINS.values(), *TORCH_TEXTS.values(), *DIFFERENCES.values()):
        assert text.endswith(".")
