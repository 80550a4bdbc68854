"""The outline of a torch.export graph: its lists, calls as code would write them, and what hostile JSON gives."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.core.objects.export_graph import argument, graph_outline, tensor_text
from viewer.core.objects.outline import Outline

SYMBOL = {"as_expr": {"expr_str": "Symbol('s77', positive=True, integer=True)", "hint": {"as_int": 2}}}


def program() -> dict[str, Any]:
    tensors = {
        "x": {"dtype": 7, "sizes": [SYMBOL, {"as_int": 3}]},
        "p_w": {"dtype": 13, "sizes": [{"as_int": 3}]},
        "add": {"dtype": 7, "sizes": [SYMBOL, {"as_int": 3}]},
    }
    node = {
        "target": "torch.ops.aten.add.Tensor",
        "inputs": [
            {"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1},
            {"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1},
            {"name": "alpha", "arg": {"as_int": 2}, "kind": 2},
        ],
        "outputs": [{"as_tensor": {"name": "add"}}],
        "metadata": {"stack_trace": 'File "/a/net.py", line 20, in forward\n    return x + self.w'},
    }
    signature = {
        "input_specs": [
            {"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}, "buffer": None},
            {"user_input": {"arg": {"as_tensor": {"name": "x"}}}},
            {"constant_input": {"name": "k", "value": {"as_int": 5}}},
        ],
        "output_specs": [
            {"user_output": {"arg": {"as_tensor": {"name": "add"}}}},
            {"buffer_mutation": {"arg": {"name": "add"}, "buffer_name": "running"}},
        ],
    }
    return {
        "graph_module": {"graph": {"nodes": [node, node], "tensor_values": tensors}, "signature": signature},
        "torch_version": "2.13.0",
        "schema_version": {"major": 8, "minor": 20},
        "opset_version": {"aten": 10},
        "range_constraints": {"s77": {"min_val": 2, "max_val": None}},
    }


def lists(outline: Outline) -> dict[str, Outline]:
    return {row.label: row for row in outline.rows}


def pairs(outline: Outline) -> list[tuple[str, str]]:
    return [(row.label, row.value) for row in outline.rows]


def test_what_a_program_says() -> None:
    found = lists(graph_outline(program()))
    assert list(found) == [
        *("torch-version", "schema-version", "opset", "ranges", "inputs", "parameters", "constant-inputs", "outputs"),
        *("operators", "nodes"),
    ]
    assert (found["torch-version"].value, found["schema-version"].value) == ("2.13.0", "8.20")
    assert found["opset"].value == "aten 10"
    assert pairs(found["ranges"]) == [("s77", "2 …")]
    assert pairs(found["inputs"]) == [("x", "float32 [s77, 3]")]
    assert pairs(found["parameters"]) == [("w", "p_w  bfloat16 [3]")]
    assert pairs(found["constant-inputs"]) == [("k", "5")]
    assert pairs(found["outputs"]) == [
        ("add", "float32 [s77, 3]"),
        ("add", "float32 [s77, 3]  buffer_mutation running"),
    ]
    assert [(row.label, row.count) for row in found["operators"].rows] == [("aten.add.Tensor", 2)]


def test_nodes_are_calls_above_the_lines_that_they_were_made_from() -> None:
    nodes = lists(graph_outline(program()))["nodes"]
    assert nodes.count == 2
    assert pairs(nodes)[0] == ("add", "aten.add.Tensor(x, p_w, alpha=2)")
    assert [row.label for row in nodes.rows[0].rows] == [
        'File "/a/net.py", line 20, in forward',
        "return x + self.w",
    ]


@pytest.mark.parametrize(
    ("arg", "text"),
    [
        ({"as_none": True}, "None"),
        ({"as_none": None, "as_int": None, "as_tensor": {"name": "t"}}, "t"),
        ({"as_tensors": [{"name": "a"}, {"name": "b"}]}, "[a, b]"),
        ({"as_optional_tensors": [{"as_tensor": {"name": "a"}}, {"as_none": True}]}, "[a, None]"),
        ({"as_ints": [1, -2]}, "[1, -2]"),
        ({"as_bool": False}, "False"),
        ({"as_string": "a'b"}, '"a\'b"'),
        ({"as_float": 0.5}, "0.5"),
        ({"as_sym_int": {"as_name": "s0"}}, "s0"),
        ({"as_sym_ints": [{"as_int": 3}, {"as_name": "s1"}]}, "[3, s1]"),
        ({"as_scalar_type": 13}, "torch.bfloat16"),
        ({"as_scalar_type": 99}, "torch.99"),
        ({"as_device": {"type": "cuda", "index": 1}}, "cuda:1"),
        ({"as_layout": 7}, "torch.strided"),
        ({"as_memory_format": 2}, "torch.channels_last"),
        ({}, "None"),
        (None, "None"),
        ({"as_graph": {"name": "inner", "graph": {}}}, "inner"),
    ],
)
def test_arguments_are_written_as_code(arg: object, text: str) -> None:
    assert argument(arg) == text


def test_long_and_deep_arguments_are_cut() -> None:
    assert len(argument({"as_string": "x" * 1000})) == 120
    deep: object = 1
    for _ in range(100):
        deep = [deep]
    assert "…" in argument({"as_ints": deep}) or len(argument({"as_ints": deep})) < 200
    assert argument({"as_ints": list(range(1000))}).endswith(", 63, …]")


@pytest.mark.parametrize("content", [None, 3, [], {}, {"graph_module": []}, {"graph_module": {"graph": {"nodes": 5}}}])
def test_other_forms_give_an_empty_graph(content: object) -> None:
    found = lists(graph_outline(content))
    assert found["nodes"].count == 0
    assert found["operators"].rows == ()


@pytest.mark.parametrize(
    "spec",
    [None, 5, {"parameter": 3}, {"user_input": {"arg": []}}, {"what": {"arg": {"name": 3}}}, {"constant_input": {}}],
)
def test_odd_inputs_are_listed_all_the_same(spec: object) -> None:
    graph_outline({"graph_module": {"signature": {"input_specs": [spec], "output_specs": [spec]}}})


def test_many_nodes_are_cut_and_counted() -> None:
    nodes = lists(graph_outline({"graph_module": {"graph": {"nodes": [{"target": "a"}] * 10_050}}}))["nodes"]
    assert nodes.count == 10_050
    assert len(nodes.rows) == 10_001
    assert (nodes.rows[-1].label, nodes.rows[-1].count) == ("more", 50)


def test_a_tensor_in_words() -> None:
    assert tensor_text({"dtype": 5, "sizes": []}) == "int64 []"
    assert tensor_text({"dtype": 99, "sizes": [{"as_int": 1}, {}]}) == "99 [1, ?]"
    assert tensor_text("x") == ""
