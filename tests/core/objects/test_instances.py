"""Objects that classes make: which they are, their first places, and the bounds of the walk."""

from __future__ import annotations

import pytest

from tests.builders.pickles import Stream
from tests.builders.torch_values import ModuleClass, full, module, parameter
from tests.builders.values import Call, Global, builtin
from tests.builders.values import Instance as Made
from tests.core.objects.streams import values_of, written
from viewer.core.errors import CancelledError
from viewer.core.objects.instances import Instance, class_of, find_instances
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress
from viewer.core.tensors.path import to_json

Row = tuple[str, list[object], str | None]


def one() -> Call:
    return full("float32", (1,), [1])


def rows(found: list[Instance]) -> list[Row]:
    return [(instance.name, [*to_json(instance.path)], instance.module) for instance in found]


def of(value: object, protocol: int = 2) -> list[Row]:
    return rows(find_instances(written(value, protocol)))


def thing(name: str, state: object = None) -> Made:
    return Made(Global("app", name), (), state)


def net(children: dict[str, object] | None = None, attributes: dict[str, object] | None = None) -> Made:
    return module(ModuleClass("nets", "Net"), attributes or {}, {"w": parameter(one())}, {}, children or {})


def test_objects_in_the_order_of_their_containers() -> None:
    value = {"first": thing("A", {"inner": thing("B")}), "list": [1, thing("C"), (thing("D"),)], 7: thing("E")}
    assert of(value) == [
        ("app.A", ["first"], None),
        ("app.B", ["first", "@inner"], None),
        ("app.C", ["list", 1], None),
        ("app.D", ["list", 2, 0], None),
        ("app.E", [7], None),
    ]


def test_an_object_alone_is_the_root() -> None:
    assert of(thing("A")) == [("app.A", [], None)]


def test_what_is_plain_is_no_object() -> None:
    value = {
        "weights": one(),
        "parameter": parameter(one()),
        "size": Call(Global("torch", "Size"), ((2, 3),)),
        "device": Call(Global("torch", "device"), ("cpu",)),
        "default": Call(Global("collections", "defaultdict"), (builtin("list"),)),
        "set": {1, 2},
        "complex": 2 + 1j,
        "type": Call(Global("numpy", "dtype"), ("f4", False, True)),
        "function": Call(Global("app", "make"), (1,)),
        "class": Global("app", "A"),
        "bytes": b"raw",
    }
    assert of(value) == []


def test_objects_in_the_arguments_of_functions_and_in_plain_containers() -> None:
    value = {
        "function": Call(Global("app", "make"), (thing("A"),)),
        "default": Call(Global("collections", "defaultdict"), (builtin("list"),), None, [("k", thing("B"))]),
    }
    assert of(value) == [
        ("app.A", ["function", {"py": "arguments[0]"}], None),
        ("app.B", ["default", "k"], None),
    ]


def test_namespaces_dataclasses_enums_and_named_tuples() -> None:
    value = {
        "args": Made(Global("argparse", "Namespace"), (), {"lr": 0.1}),
        "label": thing("Label", {"names": ["cat"]}),
        "task": Call(Global("app", "Task"), ("DETECTION",)),
        "size": Made(Global("app", "Size"), (640, 480)),
    }
    assert [name for name, _, _ in of(value)] == ["argparse.Namespace", "app.Label", "app.Task", "app.Size"]


@pytest.mark.parametrize("protocol", [0, 1, 2, 4])
def test_objects_of_all_protocols(protocol: int) -> None:
    if protocol >= 2:
        assert of([thing("A", {"x": 1})], protocol) == [("app.A", [0], None)]
        return
    data = {
        0: b"(lp0\nccopy_reg\n_reconstructor\n(capp\nA\nc__builtin__\nobject\nNtRp1\na.",
        1: b"]q\x00(iapp\nA\nq\x01a.",
    }[protocol]
    assert rows(find_instances(values_of(data))) == [("app.A", [0], None)]


def test_objects_of_the_makers_of_copyreg() -> None:
    app = Global("app", "A")
    value = [
        Call(Global("copyreg", "_reconstructor"), (app, Global("builtins", "object"), None)),
        Call(Global("copyreg", "__newobj__"), (app, 1)),
        Call(Global("copyreg", "__newobj_ex__"), (app, (1,), {})),
    ]
    values = written(value)
    found = find_instances(values)
    assert rows(found) == [("app.A", [0], None), ("app.A", [1], None), ("app.A", [2], None)]
    assert [values.global_name(class_of(values, one.value)) for one in found] == [("app", "A")] * 3


def test_a_shared_object_stands_at_its_first_place() -> None:
    shared = thing("A")
    assert of({"b": [shared], "a": shared, "c": thing("B", {"x": shared})}) == [
        ("app.A", ["b", 0], None),
        ("app.B", ["c"], None),
    ]


def test_the_first_place_is_that_of_the_walk_not_of_the_nearest() -> None:
    shared = thing("A")
    assert of([[[shared]], shared]) == [("app.A", [0, 0, 0], None)]


def test_cycles_end() -> None:
    outer = thing("A", {})
    inner = thing("B", {"outer": outer})
    assert isinstance(outer.state, dict)
    outer.state["inner"] = inner
    outer.state["self"] = outer
    assert of({"a": outer}) == [("app.A", ["a"], None), ("app.B", ["a", "@inner"], None)]


def test_modules_have_dotted_names() -> None:
    model = net({"body": net({"0": net()}), "nothing": None})
    assert of(model) == [
        ("nets.Net", [], ""),
        ("nets.Net", ["@_modules", "body"], "body"),
        ("nets.Net", ["@_modules", "body", "@_modules", "0"], "body.0"),
    ]


def test_modules_below_a_dict_root_count_from_the_outermost_module() -> None:
    assert of({"epoch": 1, "model": net({"body": net()}), "ema": [net()]}) == [
        ("nets.Net", ["model"], ""),
        ("nets.Net", ["model", "@_modules", "body"], "body"),
        ("nets.Net", ["ema", 0], ""),
    ]


def test_a_wrapped_model_has_its_prefix() -> None:
    parallel = ModuleClass("torch.nn.parallel.data_parallel", "DataParallel")
    wrapped = module(parallel, {}, {}, {}, {"module": net({"fc": net()})})
    assert [(name, dotted) for name, _, dotted in of(wrapped)] == [
        ("torch.nn.parallel.data_parallel.DataParallel", ""),
        ("nets.Net", "module"),
        ("nets.Net", "module.fc"),
    ]


def test_a_module_that_only_an_attribute_keeps_has_no_name() -> None:
    model = net({"body": net()}, {"hidden": [net({"deep": net()})], "helper": thing("A")})
    assert {str(path): dotted for _, path, dotted in of(model)} == {
        "[]": "",
        "['@_modules', 'body']": "body",
        "['@hidden', 0]": None,
        "['@hidden', 0, '@_modules', 'deep']": None,
        "['@helper']": None,
    }


def test_of_an_entry_that_is_set_twice_the_later_one_stands() -> None:
    stream = Stream(2).start().ops("EMPTY_DICT").op("BINUNICODE", "a").op("GLOBAL", "app A").ops("EMPTY_TUPLE NEWOBJ")
    stream.ops("SETITEM").op("BINUNICODE", "a").op("GLOBAL", "app B").ops("EMPTY_TUPLE NEWOBJ SETITEM STOP")
    assert rows(find_instances(values_of(stream.data))) == [("app.B", ["a"], None)]


def test_an_object_that_is_dropped_is_not_there() -> None:
    stream = Stream(2).start().op("GLOBAL", "app A").ops("EMPTY_TUPLE NEWOBJ POP NONE STOP")
    assert find_instances(values_of(stream.data)) == []


def test_objects_in_keys() -> None:
    assert of({thing("A"): thing("B")}) == [
        ("app.B", [{"py": "<key 0>"}], None),
        ("app.A", [{"py": "<key 0>"}, {"py": "key"}], None),
    ]


def test_a_nested_class_and_one_with_its_source() -> None:
    nested = Call(Global("builtins", "getattr"), (Global("app", "Outer"), "Inner"))
    stored = ModuleClass("nets", "Net", "nets.py", "class Net: pass\n")
    found = of([Made(nested, (), {"x": 1}), module(stored)])
    assert found == [("app.Outer.Inner", [0], None), ("nets.Net", [1], "")]


def test_a_bomb_of_shared_lists_is_walked_once() -> None:
    bomb: list[object] = [thing("A") for _ in range(10)]
    for _ in range(12):
        bomb = [bomb] * 10
    values = written(bomb)
    steps: list[str] = []
    progress = Counting(steps)
    found = find_instances(values, progress=progress)
    assert len(found) == 10
    assert found[0].path == (0,) * 13
    # One visit for each reference in the stream, not for each of the 10^13 places.
    assert len(steps) == 0


class Counting(Progress):
    """Keeps what is reported: once in 256 visits."""

    def __init__(self, steps: list[str]) -> None:
        super().__init__()
        self.steps = steps

    def step(self, what: str, done: int, total: int = 0) -> None:
        self.steps.append(what)
        super().step(what, done, total)


def test_as_many_visits_as_references() -> None:
    shared = thing("A")
    steps: list[str] = []
    find_instances(written([[shared] * 100] * 100), progress=Counting(steps))
    assert len(steps) == 0
    find_instances(written([[shared] * 1000 for _ in range(10)]), progress=Counting(steps))
    assert len(steps) == 10_012 // 256


def test_a_chain_of_objects_deeper_than_any_stack() -> None:
    stream = Stream(2).start()
    for _ in range(3000):
        stream.op("GLOBAL", "app A").ops("EMPTY_TUPLE NEWOBJ EMPTY_DICT").op("BINUNICODE", "next")
    stream.op("NONE").ops("SETITEM BUILD " * 3000).op("STOP")
    found = find_instances(values_of(stream.data))
    assert len(found) == 3000
    assert to_json(found[2].path) == ["@next", "@next"]
    assert to_json(found[2999].path) == [{"py": f"value {found[2999].value}"}]


def test_a_broken_stream_keeps_what_was_made() -> None:
    whole = written({"a": thing("A", {"x": 1}), "b": thing("B", {"text": "x" * 40})})
    broken = values_of(whole.code.source.read(0, whole.code.stop - 20))
    assert not broken.code.complete
    assert rows(find_instances(broken)) == [("app.A", ["a"], None), ("app.B", ["b"], None)]


def test_tensors_are_passed_over() -> None:
    values: Values = written({**{f"w{row}": parameter(one()) for row in range(2000)}, "log": thing("A")})
    steps: list[str] = []
    assert rows(find_instances(values, progress=Counting(steps))) == [("app.A", ["log"], None)]
    assert len(steps) == 0


def test_the_walk_can_be_cancelled() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        find_instances(written([thing("A") for _ in range(300)]), progress=progress)
