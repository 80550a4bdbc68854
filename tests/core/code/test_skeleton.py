"""Texts of classes made from the state of their objects."""

from __future__ import annotations

import ast
from collections import OrderedDict
from collections.abc import Iterable
from textwrap import dedent
from typing import Final

import pytest

from tests.builders.pickles import Stream
from tests.builders.torch_values import full, module, parameter, storage, tensor
from tests.builders.values import Call, Global, Instance
from tests.core.objects.streams import values_of, written
from viewer.core.code.needed import needed_names
from viewer.core.code.skeleton import Skeleton, skeletons
from viewer.core.errors import CancelledError
from viewer.core.objects.instances import find_instances
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress

LINEAR: Final = Global("torch.nn.modules.linear", "Linear")
CONVOLUTION: Final = Global("torch.nn.modules.conv", "Conv2d")
DROPOUT: Final = Global("torch.nn.modules.dropout", "Dropout")
SEQUENTIAL: Final = Global("torch.nn.modules.container", "Sequential")
NET: Final = Global("nets", "Net")
BLOCK: Final = Global("nets", "Block")
ALIASES: Final = {"torch", "nn", "F", "np", "OrderedDict", "types", "argparse", "collections"}


def zeros(*shape: int, dtype: str = "float32") -> Call:
    """A tensor that is read by its shape alone."""
    return tensor(storage(dtype, [0]), shape)


def linear(inner: int, outer: int, bias: bool = True) -> Instance:
    """As torch pickles it."""
    parameters = {
        "weight": parameter(zeros(outer, inner)),
        "bias": parameter(zeros(outer)) if bias else None,
    }
    return module(LINEAR, {"in_features": inner, "out_features": outer}, parameters)


def convolution(inner: int, outer: int, cls: Global = CONVOLUTION, **more: object) -> Instance:
    """A 3 x 3 one."""
    attributes = {
        "in_channels": inner,
        "out_channels": outer,
        "kernel_size": (3, 3),
        "stride": (1, 1),
        "padding": (0, 0),
        "dilation": (1, 1),
        "transposed": False,
        "output_padding": (0, 0),
        "groups": 1,
        "padding_mode": "zeros",
        "_reversed_padding_repeated_twice": [0, 0, 0, 0],
        **more,
    }
    return module(cls, attributes, {"weight": parameter(zeros(outer, inner, 3, 3)), "bias": None})


def made_of(values: Values, stored: Iterable[str] = ()) -> list[Skeleton]:
    """The skeletons of a stream; each is Python, and needs only what is imported for it and other own classes."""
    found = skeletons(values, find_instances(values), frozenset(stored))
    own = {one.qualname.partition(".")[0] for one in found}
    for one in found:
        ast.parse(one.text)
        assert one.text.replace("\n", "").isprintable()
        assert needed_names(one.text).names <= ALIASES | own
    return found


def made(value: object, stored: Iterable[str] = ()) -> list[Skeleton]:
    """The skeletons of a value of tests.builders."""
    return made_of(written(value), stored)


def body(skeleton: Skeleton) -> list[str]:
    """The statements of `__init__`, without `super().__init__()`."""
    lines = skeleton.text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("    def __init__"))
    found: list[str] = []
    for line in lines[start + 1 :]:
        if not line.startswith("        "):
            break
        found.append(line[8:])
    assert found[0] == "super().__init__()"
    return found[1:]


def net(**attributes: object) -> Instance:
    """A module with attributes."""
    return module(NET, attributes)


def test_the_whole_text_of_a_small_module() -> None:
    value = module(
        NET,
        {"width": 120, "name": 'a "b"'},
        {"scale": parameter(zeros(3, 4)), "none": None},
        {"running": zeros(3)},
        {"fc": linear(400, 120), "out": linear(120, 10, bias=False)},
    )
    (found,) = made(value)
    assert (found.name, found.module, found.qualname) == ("nets.Net", "nets", "Net")
    assert (found.instances, found.computes, found.missing, found.call) == (1, False, (), "Net()")
    expected = """\
        class Net(nn.Module):
            # Derived from the state of one object in the file, which holds no source of this class.
            # Seen at: the root of the file.

            def __init__(self):
                super().__init__()
                self.width = 120
                self.name = 'a "b"'
                self.scale = nn.Parameter(torch.zeros(3, 4))
                self.register_parameter("none", None)
                self.register_buffer("running", torch.zeros(3))
                self.fc = nn.Linear(in_features=400, out_features=120)
                self.out = nn.Linear(in_features=120, out_features=10, bias=False)

            def forward(self, *inputs, **options):
                raise NotImplementedError(
                    "The file does not hold the source of Net: its forward has to be written first."
                )
        """
    assert found.text == dedent(expected)


def test_what_differs_between_objects_are_keyword_arguments() -> None:
    blocks = {
        str(at): module(BLOCK, {"kind": "same", "dim": dim}, {}, {}, {"conv": convolution(dim, 2 * dim)})
        for at, dim in enumerate((64, 128, 256))
    }
    root, block = made(module(NET, {}, children={"body": module(SEQUENTIAL, children=blocks)}))
    assert body(root) == [
        "self.body = nn.Sequential(",
        "    Block(dim=64, conv_out_channels=128),",
        "    Block(dim=128, conv_out_channels=256),",
        "    Block(dim=256, conv_out_channels=512),",
        ")",
    ]
    assert block.text.splitlines()[1:8] == [
        "    # Derived from the state of 3 objects in the file, which holds no source of this class.",
        "    # Seen at: body.0, body.1, body.2.",
        "    # dim differs: 64, 128, 256.",
        "    # conv_out_channels differs: 128, 256, 512.",
        "    # The first one is made by: Block(dim=64, conv_out_channels=128)",
        "",
        "    def __init__(self, *, dim, conv_out_channels):",
    ]
    assert body(block) == [
        'self.kind = "same"',
        "self.dim = dim",
        "self.conv = nn.Conv2d(in_channels=dim, out_channels=conv_out_channels, kernel_size=3, bias=False)",
    ]


def test_an_argument_at_its_default_in_some_objects() -> None:
    blocks = [module(BLOCK, children={"conv": convolution(4, 4, stride=stride)}) for stride in ((1, 1), (2, 2), (2, 1))]
    (block,) = made(blocks)
    assert body(block) == [
        "self.conv = nn.Conv2d(",
        "    in_channels=4,",
        "    out_channels=4,",
        "    kernel_size=3,",
        "    stride=conv_stride,",
        "    bias=False,",
        ")",
    ]
    assert "    # conv_stride differs: 1, 2, (2, 1)." in block.text.splitlines()


def test_what_only_some_objects_have() -> None:
    blocks = [
        module(BLOCK, {"shortcut": None}, buffers={"odd": zeros(2)}),
        module(BLOCK, children={"shortcut": linear(2, 3)}),
    ]
    (block,) = made(blocks)
    assert "    def __init__(self, *, shortcut, odd=None):" in block.text.splitlines()
    assert body(block) == [
        "if odd is not None:",
        '    self.register_buffer("odd", odd)',
        "self.shortcut = shortcut",
    ]
    assert "    # Not every object has odd." in block.text.splitlines()
    assert block.call == "Block(odd=torch.zeros(2), shortcut=None)"


def test_many_names_that_differ_become_one_mapping() -> None:
    blocks = [module(BLOCK, children={f"layer{at}_{count}": linear(1, 1) for at in range(count)}) for count in (9, 10)]
    (block,) = made(blocks)
    assert body(block) == ["for _name, _value in modules.items():", "    self.add_module(_name, _value)"]


def test_numbered_submodules_of_different_count() -> None:
    lists = [module(BLOCK, children={str(at): linear(1, 1) for at in range(count)}) for count in (1, 2)]
    (block,) = made(lists)
    assert body(block) == ["for _name, _value in modules.items():", "    self.add_module(_name, _value)"]
    assert "It could be an nn.Sequential or an nn.ModuleList" in block.text
    assert "class Block(nn.Module):" in block.text


def test_attributes_of_all_kinds() -> None:
    (found,) = made(
        net(
            nothing=None,
            numbers=[1, -2.5, True, float("nan"), float("inf"), float("-inf")],
            pair=(1,),
            texts={"a": "b", 3: (), (1, "x"): []},
            raw=b"\x00'",
            size=Call(Global("torch", "Size"), ((2, 3),)),
            kind=Global("torch", "bfloat16"),
            device=Call(Global("torch", "device"), ("cuda", 3)),
            act=Global("torch.nn.functional", "relu"),
            layer=Global("torch.nn.modules.activation", "ReLU"),
            ordered=OrderedDict(a=1),
            held=zeros(2, 0, dtype="int64"),
            options=Instance(Global("argparse", "Namespace"), (), {"lr": 0.1}),
            huge=-(1 << 2000),
        )
    )
    assert body(found)[:-1] == [
        "self.nothing = None",
        'self.numbers = [1, -2.5, True, float("nan"), float("inf"), float("-inf")]',
        "self.pair = (1,)",
        'self.texts = {"a": "b", 3: (), (1, "x"): []}',
        'self.raw = b"\\x00\'"',
        "self.size = torch.Size([2, 3])",
        "self.kind = torch.bfloat16",
        'self.device = torch.device("cuda", 3)',
        "self.act = F.relu",
        "self.layer = nn.ReLU",
        'self.ordered = OrderedDict({"a": 1})',
        "self.held = torch.zeros(2, 0, dtype=torch.int64)",
        "self.options = argparse.Namespace(lr=0.1)",
    ]
    assert body(found)[-1] == f"self.huge = -0x1{'0' * 500}"


def test_what_cannot_be_written_is_said() -> None:
    (found,) = made(net(act=Global("helpers", "act"), path=Call(Global("pathlib", "PosixPath"), ("a",))))
    assert body(found) == [
        "# act: the file holds here: helpers.act",
        "self.act = None",
        "# path: the file holds here: pathlib.PosixPath",
        "self.path = None",
    ]
    assert found.missing == ("helpers.act",)


def test_long_values_are_cut() -> None:
    (found,) = made(net(numbers=list(range(1000)), text="x" * 5000, huge=1 << 100_000))
    lines = body(found)
    assert lines[0] == "# numbers: only the first 100 of 1,000 are written here"
    assert lines[1:4] == ["self.numbers = [", "    0,", "    1,"]
    assert lines[102:104] == ["]", "# text: only the first 2,000 of 5,000 are written here"]
    assert lines[104] == f'self.text = "{"x" * 2000}"'
    assert lines[-1] == "self.huge = None"


def test_names_that_are_no_names() -> None:
    names = ["class", "a b", "__x", "\ufb01", "\u202e\n'\"", "0", "self", "żółw"]
    (found,) = made(module(NET, {"__y": 1, "lambda": 2}, {"a.b": parameter(zeros(1))}, {}, dict.fromkeys(names)))
    assert body(found) == [
        'self._parameters["a.b"] = nn.Parameter(torch.zeros(1))',
        'self.add_module("class", None)',
        'self.add_module("a b", None)',
        'self.add_module("__x", None)',
        'self.add_module("\ufb01", None)',
        "self.add_module('\\u202e\\n\\'\"', None)",
        'self.add_module("0", None)',
        'self.add_module("self", None)',
        'self.add_module("żółw", None)',
        'self.__dict__["__y"] = 1',
        'self.__dict__["lambda"] = 2',
    ]


def test_names_of_methods_come_last_and_hide_nothing_before() -> None:
    (found,) = made(
        module(NET, {"register_buffer": 1, "forward": None}, {}, {"half": zeros(1)}, {"train": linear(1, 1)})
    )
    assert body(found) == [
        'self._buffers["half"] = torch.zeros(1)',
        'self._modules["train"] = nn.Linear(in_features=1, out_features=1)',
        'self.__dict__["register_buffer"] = 1',
        'self.__dict__["forward"] = None',
    ]


def test_buffers_that_are_not_saved() -> None:
    value = module(NET, {}, {}, {"mask": zeros(2, dtype="bool")})
    value.state["_non_persistent_buffers_set"] = {"mask"}
    (found,) = made(value)
    assert body(found) == ['self.register_buffer("mask", torch.zeros(2, dtype=torch.bool), persistent=False)']


def test_what_a_constructor_does_not_make_is_put_in() -> None:
    value = linear(3, 4)
    value.state["_parameters"] = {"bias": parameter(zeros(4)), "weight_g": parameter(zeros(4, 1))}
    value.state["i"] = 7
    (found,) = made(module(NET, {}, children={"fc": value}))
    assert body(found) == [
        "self.fc = self._as_pickled(",
        "    nn.Linear(in_features=3, out_features=4),",
        '    attributes={"i": 7},',
        "    _parameters={",
        '        "bias": nn.Parameter(torch.zeros(4)),',
        '        "weight_g": nn.Parameter(torch.zeros(4, 1)),',
        "    },",
        ")",
    ]
    assert "    def _as_pickled(module, attributes=None, **held):" in found.text.splitlines()


def test_a_norm_from_before_the_counter_is_made_as_today() -> None:
    attributes = {"num_features": 3, "eps": 1e-5, "momentum": 0.01, "affine": True, "track_running_stats": True}
    registered = {"weight": parameter(zeros(3)), "bias": parameter(zeros(3))}
    statistics = {"running_mean": zeros(3), "running_var": zeros(3)}
    norm = module(Global("torch.nn.modules.batchnorm", "BatchNorm2d"), attributes, registered, statistics)
    (found,) = made(module(NET, {}, children={"bn": norm}))
    assert body(found) == ["self.bn = nn.BatchNorm2d(num_features=3, momentum=0.01)"]


def test_norms_of_weights_by_their_functions() -> None:
    first, second = linear(3, 4), linear(3, 4, bias=False)
    first.state["_parameters"] = {
        "bias": parameter(zeros(4)),
        "weight_g": parameter(zeros(1, 3)),
        "weight_v": parameter(zeros(4, 3)),
    }
    second.state["_parameters"] = {"bias": None, "weight_orig": parameter(zeros(4, 3))}
    second.state["_buffers"] = {"weight_u": zeros(4), "weight_v": zeros(3)}
    (found,) = made(module(NET, {}, children={"a": first, "b": second}))
    assert body(found) == [
        "self.a = nn.utils.weight_norm(nn.Linear(in_features=3, out_features=4), dim=1)",
        "self.b = nn.utils.spectral_norm(nn.Linear(in_features=3, out_features=4, bias=False))",
    ]


def test_a_class_of_torch_that_cannot_be_made() -> None:
    inner = module(Global("torch.fx.graph_module", "GraphModule"), {}, {"w": parameter(zeros(2), False)})
    (found,) = made(module(NET, {}, children={"g": inner}))
    assert body(found) == [
        "# g: stands for torch.fx.graph_module.GraphModule, which cannot be made from its state",
        "self.g = self._as_pickled(",
        "    nn.Module(),",
        '    _parameters={"w": nn.Parameter(torch.zeros(2), requires_grad=False)},',
        ")",
    ]


def test_one_weight_and_one_module_under_two_names() -> None:
    first, second = linear(3, 3), linear(3, 3)
    second.state["_parameters"]["weight"] = first.state["_parameters"]["weight"]
    (found,) = made(module(NET, {}, children={"embed": first, "head": second, "again": first}))
    assert body(found) == [
        "self.embed = nn.Linear(in_features=3, out_features=3)",
        "self.head = nn.Linear(in_features=3, out_features=3)",
        "self.again = self.embed",
        "# One object under two names.",
        "self.head.weight = self.embed.weight",
    ]


def test_what_has_exactly_the_attributes_of_one_class_of_torch() -> None:
    root, own = made(module(NET, {}, children={"one": convolution(3, 8, BLOCK), "two": convolution(8, 8, BLOCK)}))
    assert own.computes
    assert not root.computes
    assert own.text.startswith("class Block(nn.Conv2d):\n")
    assert "It looks like nn.Conv2d: it has exactly its attributes. That its forward is the same is not" in own.text
    assert own.text.endswith(
        "    def __init__(self, *, in_channels):\n"
        "        super().__init__(in_channels=in_channels, out_channels=8, kernel_size=3, bias=False)\n"
    )


def test_a_file_of_an_old_torch_lacks_padding_mode() -> None:
    value = convolution(3, 8, BLOCK)
    del value.state["padding_mode"], value.state["_reversed_padding_repeated_twice"]
    (own,) = made(value)
    assert own.text.startswith("class Block(nn.Conv2d):\n")


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ({"p": 0.5, "inplace": False}, "could be a subclass of nn.AlphaDropout, nn.Dropout, nn.Dropout1d,"),
        ({"groups": 2}, "could be a subclass of nn.ChannelShuffle."),
        ({"dim": 5, "heads": 2}, ""),
    ],
)
def test_what_is_not_certain_stays_a_module(attributes: dict[str, object], sentence: str) -> None:
    (own,) = made(module(BLOCK, attributes))
    assert own.text.startswith("class Block(nn.Module):\n")
    assert not own.computes
    assert sentence in own.text
    assert ("could be" in own.text) is bool(sentence)


def test_a_square_weight_is_no_proof() -> None:
    attributes = {"in_features": 4, "out_features": 4}
    registered = {"weight": parameter(zeros(4, 4)), "bias": parameter(zeros(4))}
    (own,) = made(module(BLOCK, attributes, registered))
    assert own.text.startswith("class Block(nn.Module):\n")
    assert "could be a subclass of nn.Linear" in own.text


def test_a_transposed_weight_is_no_linear() -> None:
    attributes = {"in_features": 4, "out_features": 6}
    registered = {"weight": parameter(zeros(4, 6)), "bias": parameter(zeros(6))}
    (own,) = made(module(BLOCK, attributes, registered))
    assert own.text.startswith("class Block(nn.Module):\n")
    assert "nn.Linear" not in own.text


def test_more_than_the_attributes_of_a_class() -> None:
    (own,) = made(convolution(2, 4, BLOCK, mark=1))
    assert own.text.startswith("class Block(nn.Module):\n")
    assert "could be a subclass of nn.Conv2d." in own.text


def test_classes_with_stored_source_are_taken_as_they_are() -> None:
    value = module(NET, {}, children={"stem": module(BLOCK), "fc": linear(1, 2)})
    (found,) = made(value, {"nets.Block"})
    assert (found.name, found.call) == ("nets.Net", "")
    assert body(found)[0] == "self.stem = stem"
    assert "    # stem is taken as it is: an object of nets.Block." in found.text.splitlines()


def test_no_skeletons_of_other_packages_and_of_stored_outer_classes() -> None:
    inner = Call(Global("builtins", "getattr"), (NET, "Inner"))
    assert made([linear(1, 1), Instance(Global("argparse", "Namespace"), (), {"a": 1})]) == []
    assert made(Instance(inner, (), {"a": 1}), {"nets.Net"}) == []


def test_a_nested_class_stands_in_the_outer_one_too() -> None:
    inner = Call(Global("builtins", "getattr"), (NET, "Inner"))
    outer, nested = made(module(NET, {}, children={"a": module(inner)}))
    assert (nested.module, nested.qualname) == ("nets", "Net.Inner")
    assert body(outer) == ["self.a = Net.Inner()"]
    assert "    class Inner(nn.Module):\n" in outer.text
    assert nested.text.startswith("class Inner(nn.Module):\n")


def test_classes_that_hold_each_other() -> None:
    inner = module(NET, {}, children={"last": linear(1, 1)})
    (found,) = made(module(NET, {}, children={"last": inner}))
    assert body(found) == ["self.last = last"]
    assert found.call == "Net(last=Net(last=nn.Linear(in_features=1, out_features=1)))"


def test_an_object_that_holds_itself() -> None:
    value = net()
    value.state["itself"] = value
    value.state["around"] = [value]
    (found,) = made(value)
    assert body(found) == ["self.around = around", 'self.__dict__["itself"] = self']
    assert found.call == ""


def test_two_modules_with_a_class_of_the_same_name() -> None:
    other = Global("others", "Block")
    (root, first, second) = made(module(NET, {}, children={"a": module(BLOCK), "b": module(other)}))
    assert body(root) == ["self.a = Block()", "self.b = b"]
    assert (first.module, second.module) == ("nets", "others")


@pytest.mark.parametrize(
    ("module_name", "name", "qualname"),
    [
        ("nets", "class", "class_"),
        ("nets\n", "a\nb)", "a_b_"),
        ("nets", "nn", "nn_"),
        ("nets", "super", "super_"),
        ("nets", "\u202e", "Class"),
        ("nets", "_Private", "_Private"),
        ("nets", "\ufb01", "fi"),
        ("nets", "make.<locals>.Net", "Net"),
    ],
)
def test_names_of_classes_are_made_safe(module_name: str, name: str, qualname: str) -> None:
    (found,) = made_of(values_of(Stream(4).start().data + global_instance(module_name, name)))
    assert (found.module, found.qualname, found.instances) == (module_name, qualname, 1)
    assert found.text.startswith(f"class {qualname}:\n")


def global_instance(module_name: str, name: str) -> bytes:
    """An object without state, its class named by STACK_GLOBAL."""
    stream = Stream(4)
    stream.text(module_name)
    stream.text(name)
    return stream.ops("STACK_GLOBAL EMPTY_TUPLE NEWOBJ STOP").data


def test_plain_objects() -> None:
    meter = Global("__main__", "Meter")
    first, second = made([Instance(meter, (), {"total": 3, "losses": [0.5]}), Call(Global("app", "Size"), (640, 480))])
    assert first.text == (
        "class Meter:\n"
        "    # Derived from the state of one object in the file, which holds no source of this class.\n"
        "    # Seen at: 0.\n"
        "\n"
        "    def __init__(self):\n"
        "        self.total = 3\n"
        "        self.losses = [0.5]\n"
    )
    assert first.computes
    assert "        self.arguments = (640, 480)\n" in second.text
    assert "    def __new__(cls, *arguments, **others):\n" in second.text


def test_a_mapping_with_a_class_of_its_own() -> None:
    stream = Stream(2).start().op("GLOBAL", "easydict EasyDict").ops("EMPTY_TUPLE NEWOBJ")
    stream.text("lr")
    stream.real(0.5)
    (found,) = made_of(values_of(stream.ops("SETITEM STOP").data))
    assert found.text.startswith("class EasyDict(dict):\n")
    assert found.text.endswith('        self.update({"lr": 0.5})\n')


def test_ten_thousand_objects_give_one_text() -> None:
    meter = Global("nets", "Meter")
    (found,) = made([Instance(meter, (), {"same": 1, "number": number}) for number in range(10_000)])
    assert found.instances == 10_000
    assert "    # number differs: 0, 1, 2, 3, 4, 5, 6, 7 and 9,992 more values." in found.text.splitlines()
    assert len(found.text) < 1000


def test_reading_can_be_stopped() -> None:
    values = written([Instance(Global("nets", "Meter"), (), {"number": number}) for number in range(1000)])
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        skeletons(values, find_instances(values), frozenset(), progress=progress)


def test_lists_that_share_their_lists_are_not_written_out() -> None:
    bomb: list[object] = [1]
    for _ in range(100):
        bomb = [bomb, bomb]
    (found,) = made(net(bomb=bomb))
    assert len(found.text) < 20_000


def test_modules_that_share_their_modules_are_not_written_out() -> None:
    bomb = linear(1, 1)
    for _ in range(40):
        bomb = module(SEQUENTIAL, children={"0": bomb, "1": bomb})
    (found,) = made(module(NET, {}, children={"bomb": bomb}))
    assert "is too large or too deep to be written here" in found.text
    assert len(found.text) < 10_000_000


def test_a_list_in_itself_and_a_stream_that_breaks() -> None:
    around: list[object] = []
    around.append(around)
    values = written(net(around=around))
    (found,) = made_of(values)
    assert body(found) == ["self.around = [None]"]
    whole = values.code.source.read(0, values.code.source.size)
    for stop in range(2, len(whole), 3):
        for one in made_of(values_of(whole[:stop])):
            assert one.name == "nets.Net"


def test_half_precision_and_shapes_that_nobody_can_hold() -> None:
    registered = {"weight": parameter(zeros(2, 3, dtype="float16")), "bias": parameter(zeros(2, dtype="float16"))}
    inner = module(LINEAR, {"in_features": 3, "out_features": 2}, registered)
    (found,) = made(
        module(NET, {}, {"w": parameter(tensor(storage("float32", [0]), (1 << 50,), (0,)))}, {}, {"fc": inner})
    )
    assert body(found) == [
        'self.w = nn.Parameter(torch.zeros(1125899906842624, device="meta"))',
        "self.fc = nn.Linear(in_features=3, out_features=2, dtype=torch.float16)",
    ]


def test_full_values_are_not_needed() -> None:
    assert body(made(module(NET, {}, {}, {"x": full("int8", (2,), [1, 2])}))[0]) == [
        'self.register_buffer("x", torch.zeros(2, dtype=torch.int8))'
    ]
