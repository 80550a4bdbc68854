"""TorchScript objects: marks of typed lists, names of the state_dict."""

from __future__ import annotations

from tests.builders.programs import TAG, int_list, scripted
from tests.builders.torch_values import full
from tests.builders.values import Call
from tests.core.objects.streams import tensors_of, written
from viewer.core.code.script_text import ScriptClass
from viewer.core.objects.content import is_mapping
from viewer.core.objects.describe import class_name, count_of, describe
from viewer.core.objects.scripted import is_scripted, script_names
from viewer.core.tensors.path import Attribute


def test_marked_containers_are_what_they_hold() -> None:
    values = written(int_list(1, 2, 3))
    assert describe(values, values.root) == "[1, 2, 3]"
    assert (class_name(values, values.root), count_of(values, values.root)) == ("list", 3)
    values = written(Call(TAG, ({"a": 1}, "Dict[str, int]")))
    assert describe(values, values.root) == "dict, 1 entry"
    assert (class_name(values, values.root), is_mapping(values, values.root)) == ("dict", True)


def test_paths_through_marks() -> None:
    value = Call(TAG, ([Call(TAG, ({"a": full("int8", (1,), [1])}, "Dict[str, Tensor]"))], "List[Dict[str, Tensor]]"))
    assert [tensor.path for tensor in tensors_of(written(value))] == [(0, "a")]


def test_marks_without_a_container_stay_calls() -> None:
    values = written(Call(TAG, (3, "int")))
    assert class_name(values, values.root) == "torch.jit._pickle.restore_type_tag"
    assert count_of(values, values.root) == 0


def test_parameters_come_before_buffers_and_children_last() -> None:
    child = scripted("__torch__", "B", w=full("int8", (1,), [1]))
    value = scripted(
        *("__torch__", "A"), child=child, mean=full("int8", (1,), [2]), w=full("int8", (1,), [3]), none=None, same=child
    )
    values = written(value)
    classes = {
        "__torch__.A": ScriptClass(frozenset({"w", "none"}), frozenset({"mean"})),
        "__torch__.B": ScriptClass(frozenset({"w"}), None),
    }
    names = [(name, tensor.path) for name, tensor in script_names(values, values.root, classes, tensors_of(values))]
    assert names == [
        ("w", (Attribute("w"),)),
        ("mean", (Attribute("mean"),)),
        ("child.w", (Attribute("child"), Attribute("w"))),
        ("same.w", (Attribute("same"), Attribute("w"))),
    ]


def test_only_classes_of_torchscript_count() -> None:
    for module, answer in (("__torch__", True), ("__torch__.zoo", True), ("__torch__zoo", False), ("zoo", False)):
        values = written(scripted(module, "A"))
        assert is_scripted(values, values.root) == answer
    values = written({"a": 1})
    assert not is_scripted(values, values.root)
