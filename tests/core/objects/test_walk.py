"""Tensors with their places: paths, names, who shares with whom, and the bounds of the walk."""

from __future__ import annotations

from collections import OrderedDict

from tests.builders.pickles import Stream
from tests.builders.torch_values import ModuleClass, full, module, parameter, storage, tensor
from tests.builders.values import Call, Global, Instance
from tests.core.objects.streams import found, tensors_of, values_of, written
from viewer.core.objects.walk import MOST_SHARED
from viewer.core.pickles.values import Values
from viewer.core.tensors.path import Attribute, Key, to_json
from viewer.core.tensors.tensor import Tensor


def one() -> Call:
    return full("float32", (1,), [1])


def paths(tensors: list[Tensor]) -> list[object]:
    return [to_json(tensor.path) for tensor in tensors]


def test_containers_in_their_order() -> None:
    value = {"b": one(), "a": [one(), (one(),)], 7: {"x": one()}}
    assert paths(found(value)) == [["b"], ["a", 0], ["a", 1, 0], [7, "x"]]
    assert [tensor.index for tensor in found(value)] == [0, 1, 2, 3]


def test_a_tensor_alone_is_the_root() -> None:
    (tensor,) = found(one())
    assert tensor.path == ()
    assert tensor.name is None


def test_ordered_dicts_and_their_attributes() -> None:
    value = OrderedDict(a=one())
    vars(value)["extra"] = one()
    assert paths(found(value)) == [["a"], ["@extra"]]


def test_objects_arguments_and_states() -> None:
    value = {
        "object": Instance(Global("app", "A"), (), {"x": one()}),
        "call": Call(Global("app", "f"), (1, one())),
        "tuple": Instance(Global("app", "Pair"), (one(), 2)),
        "state": Instance(Global("app", "B"), (), [one()]),
    }
    assert paths(found(value)) == [
        ["object", "@x"],
        ["call", {"py": "arguments[1]"}],
        ["tuple", 0],
        ["state", {"py": "state"}, 0],
    ]


def test_other_keys() -> None:
    value = {True: one(), (2, "x"): one(), None: one(), "@x": one(), b"raw": one(), 1.5: one()}
    assert paths(found(value)) == [
        [{"py": "True"}],
        [{"py": "(2, 'x')"}],
        [{"py": "None"}],
        [{"py": "'@x'"}],
        [{"py": "b'raw'"}],
        [{"py": "1.5"}],
    ]


def test_a_key_that_is_a_tensor() -> None:
    weight, loner = parameter(one()), parameter(one())
    value = {"state": {weight: {"momentum": one()}, loner: 1}, "params": [weight]}
    assert paths(found(value)) == [
        ["state", {"py": "<key 0>"}, "momentum"],
        ["params", 0],
        ["state", {"py": "<key 1>"}, {"py": "key"}],
    ]


def test_a_tensor_in_several_places_is_listed_for_each() -> None:
    shared = one()
    tensors = found({"a": shared, "b": {"c": shared}})
    assert paths(tensors) == [["a"], ["b", "c"]]
    assert tensors[0] is not tensors[1]
    assert tensors[0].value == tensors[1].value
    assert [tensor.shared_with for tensor in tensors] == [[1], [0]]


def test_views_of_one_storage_share_it() -> None:
    stored = storage("float32", range(4))
    tensors = found({"a": tensor(stored, (2,)), "b": one(), "c": tensor(stored, (2,), offset=2)})
    assert [tensor.shared_with for tensor in tensors] == [[2], [], [0]]


def test_a_storage_that_very_many_share() -> None:
    stored = storage("float32", range(4))
    tensors = found([tensor(stored, (1,)) for _ in range(300)])
    assert tensors[0].shared_with == list(range(1, MOST_SHARED + 1))
    assert tensors[200].shared_with == list(range(MOST_SHARED))
    assert tensors[299].shared_with is tensors[200].shared_with


def test_a_shared_container_is_walked_in_each_place() -> None:
    inner = {"w": one()}
    assert paths(found({"a": inner, "b": inner})) == [["a", "w"], ["b", "w"]]


def test_a_container_inside_itself_ends() -> None:
    value: dict[str, object] = {"w": one()}
    value["me"] = value
    assert paths(found(value)) == [["w"]]


def test_a_nest_of_shared_lists_ends() -> None:
    bomb: list[object] = [one()] * 10
    for _ in range(12):
        bomb = [bomb] * 10
    values = written(bomb)
    assert len(values.code) < 250
    tensors = tensors_of(values)
    assert 10 <= len(tensors) < 20_000
    assert len(set(map(str, paths(tensors)))) == len(tensors)


def test_deep_nesting_does_not_recurse_and_keeps_paths_short() -> None:
    stream = Stream(2).start().ops("EMPTY_LIST " * 20_000)
    body = written(one()).code.source.read(2, 1_000)[:-1]
    values = values_of(stream.raw(body).ops("APPEND " * 20_000).op("STOP").data)
    (tensor,) = tensors_of(values)
    assert tensor.value is not None
    assert tensor.path == (Key(f"value {tensor.value.value}"),)


def test_of_a_key_that_is_set_twice_the_later_value_stands() -> None:
    first = written({"w": one()}).code.source.read(0, 1_000)[:-1]
    hidden = values_of(Stream(2).raw(first).op("BINUNICODE", "w").op("BININT1", 5).ops("SETITEM STOP").data)
    assert tensors_of(hidden) == []


def test_content_that_is_added_through_the_memo_later() -> None:
    # [[], tensor], and then the tensor again into the inner list.
    body = written(one()).code.source.read(2, 1_000)[:-1]
    stream = Stream(2).start().ops("EMPTY_LIST EMPTY_LIST").op("BINPUT", 200).op("APPEND").raw(body)
    stream.op("BINPUT", 201).op("APPEND").op("BINGET", 200).op("BINGET", 201).ops("APPEND POP STOP")
    assert paths(tensors_of(values_of(stream.data))) == [[0, 0], [1]]


def test_long_lists_of_plain_values_do_not_hide_a_tensor() -> None:
    value = {f"k{row}": list(range(300)) for row in range(50)}
    value["k20"] = [*range(150), one(), *range(150)]
    assert paths(found(value)) == [["k20", 150]]


def cut(value: object, missing: int) -> Values:
    """A stream without its last bytes."""
    values = written(value)
    return values_of(values.code.source.read(0, values.code.stop - missing))


def test_a_broken_list_holds_what_was_made_for_it() -> None:
    value = [[one()], [one()], 5]
    assert paths(tensors_of(cut(value, 1))) == [[0, 0], [1, 0]]
    assert paths(tensors_of(cut(value, 2))) == [[0, 0], [1, 0]]


def test_a_broken_state_dict_keeps_the_names_of_what_was_made() -> None:
    value = {"epoch": 1, "model": OrderedDict({"a": one(), "b": one(), "c": "x" * 40})}
    broken = cut(value, 30)
    assert not broken.code.complete
    tensors = tensors_of(broken)
    assert paths(tensors) == [["model", "a"], ["model", "b"]]
    assert [tensor.name for tensor in tensors] == ["a", "b"]


def test_a_broken_module_keeps_the_names_of_what_was_made() -> None:
    value = module(ModuleClass("nets", "Net"), {"note": "x" * 40}, {"w": parameter(one())}, {}, {"inner": net()})
    assert [tensor.name for tensor in tensors_of(cut(value, 30))][:3] == ["w", "inner.weight", "inner.mean"]


def net() -> Instance:
    norm = ModuleClass("torch.nn.modules.batchnorm", "BatchNorm1d")
    return module(
        ModuleClass("nets", "Net"),
        {"plain": one(), "cache": {"x": one()}},
        {"weight": parameter(one()), "bias": None},
        {"mean": one()},
        {"norm": module(norm, {}, {"weight": parameter(one())}), "nothing": None},
    )


def test_names_of_a_module() -> None:
    names = {str(to_json(tensor.path)): tensor.name for tensor in found(net())}
    assert names == {
        "['@_parameters', 'weight']": "weight",
        "['@_buffers', 'mean']": "mean",
        "['@_modules', 'norm', '@_parameters', 'weight']": "norm.weight",
        "['@plain']": None,
        "['@cache', 'x']": None,
    }


def test_names_start_anew_at_each_outermost_module() -> None:
    tensors = found({"model": net(), "others": [net()]})
    assert [tensor.name for tensor in tensors if tensor.name] == ["weight", "mean", "norm.weight"] * 2


def test_a_buffer_that_is_not_saved_has_no_name() -> None:
    made = module(ModuleClass("nets", "Net"), {}, {}, {"mean": one(), "index": one()})
    assert isinstance(made.state, dict)
    made.state["_non_persistent_buffers_set"] = {"index"}
    assert [tensor.name for tensor in found(made)] == ["mean", None]


def test_a_wrapped_model_has_its_prefix() -> None:
    wrapped = module(ModuleClass("torch.nn.parallel.data_parallel", "DataParallel"), {}, {}, {}, {"module": net()})
    assert found(wrapped)[0].name == "module.weight"


def test_a_module_in_two_places_has_both_names() -> None:
    inner = module(ModuleClass("nets", "A"), {}, {"w": parameter(one())})
    outer = module(ModuleClass("nets", "B"), {}, {}, {}, {"first": inner, "second": inner})
    assert [tensor.name for tensor in found(outer)] == ["first.w", "second.w"]


def test_names_of_state_dicts_and_of_what_stands_beside_them() -> None:
    value = {
        "epoch": 3,
        "state_dict": OrderedDict({"conv.weight": one(), "format": "row"}),
        "best": one(),
        "optimizer": {"state": {0: {"step": one()}}, "param_groups": [{"params": [0]}]},
    }
    names = {str(to_json(tensor.path)): tensor.name for tensor in found(value)}
    assert names == {
        "['state_dict', 'conv.weight']": "conv.weight",
        "['best']": None,
        "['optimizer', 'state', 0, 'step']": None,
    }


def test_names_in_a_nested_state_dict_are_those_of_the_innermost_mapping() -> None:
    tensors = found({"model": {"a.b": one(), "a": {"b": one()}}})
    assert [(to_json(tensor.path), tensor.name) for tensor in tensors] == [
        (["model", "a.b"], "a.b"),
        (["model", "a", "b"], "b"),
    ]


def test_python_2_keys() -> None:
    stream = Stream(2).start().op("EMPTY_DICT").op("SHORT_BINSTRING", "żółw".encode())
    body = written(one()).code.source.read(2, 1_000)[:-1]
    (tensor,) = tensors_of(values_of(stream.raw(body).ops("SETITEM STOP").data))
    assert (tensor.path, tensor.name) == (("żółw",), "żółw")


def test_attributes_of_a_tensor() -> None:
    held = Call(Global("torch._utils", "_rebuild_tensor_v2"), one().args, {"extra": one()})
    assert [tensor.path for tensor in found({"w": held})] == [("w",), ("w", Attribute("extra"))]
