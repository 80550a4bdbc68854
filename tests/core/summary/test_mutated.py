"""Mutated files: every reading of them ends, and none raises."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, adam_state_dict, full, module, parameter, state_dict
from tests.builders.torch_zip import torch_zip
from tests.opened import opened
from viewer.core.code.embedded import instances_by_class
from viewer.core.summary.contents import Contents
from viewer.core.summary.prediction import predict
from viewer.core.tensors.tensor import ValueRef
from viewer.core.tree import ROOT


def one() -> object:
    return full("float32", (1,), [1])


NET = module(
    ModuleClass("nets", "Net", "/nets.py", "class Net: pass\n"),
    {"size": (1, 2), "names": {"a": [1, "x"]}},
    {"w": parameter(full("float32", (2,), [1, 2]))},
    {"mean": one()},
    {"inner": module(ModuleClass("nets", "Inner"), {}, {"w": parameter(full("float32", (1,), [1]))}, era="1.1")},
)
ADAM = adam_state_dict([(full("float32", (), [1]), full("float32", (1,), [1]), full("float32", (1,), [1]))])
FILES = [
    legacy(NET),
    legacy({"model": state_dict({"a": one(), "b": one()}, {"": 1}), "optimizer": ADAM}, protocol=0),
    torch_zip({"model": state_dict({"a": one()}), "optimizer": ADAM}, version="1.6"),
]
MOST = 300


def read_all(data: bytes) -> None:
    document = opened(data)
    for expectation in predict(document).expectations:
        assert expectation.text
    for part in document.walk():
        contents = Contents(part)
        waiting, seen = [ROOT], 0
        while waiting and seen < MOST:
            for node in list(contents.tree.children(waiting.pop()))[:20]:
                seen += 1
                waiting.append(node)
                contents.label(node), contents.details(node), contents.icon(node), contents.size(node)
                contents.state(node), contents.span(node), contents.crumbs(node), contents.path(node)
        for offset in range(0, part.source.size, 7):
            assert contents.node_at_offset(offset) is not None
        for tensor in part.tensors[:20]:
            contents.node_of_tensor(tensor)
        for pickle in part.pickles:
            instances_by_class(pickle.values)
            for value in range(0, len(pickle.code), 9):
                contents.node_of_value(ValueRef(pickle.index, value))


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_changed_bytes(file: bytes, data: st.DataObject) -> None:
    changed = bytearray(file)
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    read_all(bytes(changed))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_cut_and_joined_bytes(file: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(file)))
    gone = data.draw(st.integers(0, 40))
    read_all(file[:at] + file[at + gone :])
    read_all(file[:at])
