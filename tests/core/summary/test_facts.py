"""What Summary says of a file: content, counts, keys, and the next steps."""

from __future__ import annotations

import io
from collections import OrderedDict

import numpy as np

from tests.builders.legacy import build, legacy
from tests.builders.programs import scripted, torch_script
from tests.builders.torch_values import (
    ModuleClass,
    adam_state_dict,
    full,
    module,
    parameter,
    state_dict,
    storage,
    tensor,
)
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, dumps
from tests.opened import opened
from viewer.core.problem import Severity
from viewer.core.summary.facts import Facts, KeyFact, Tally, facts, root_keys, root_type
from viewer.core.summary.parts import Say
from viewer.wording import fill


def of(data: bytes) -> Facts:
    return facts(opened(data))


def said(words: list[Say]) -> list[str]:
    return [fill(word.text, word.params) for word in words]


def weights() -> OrderedDict[str, object]:
    return state_dict({"a": full("float32", (2, 3), range(6)), "b": full("float16", (2,), [1, 2])})


def test_buffers_are_no_parameters() -> None:
    """`sum(p.numel() for p in model.parameters())` leaves them out, and people compare with that."""
    norm = {"weight": full("float32", (3,), [1, 1, 1]), "running_mean": full("float32", (3,), [0, 0, 0])}
    named = of(torch_zip(state_dict(norm)))
    assert (named.parameters, named.parameter_bytes, named.buffers, named.buffer_bytes) == (3, 12, 3, 12)
    net = module(Global("zoo", "Net"), buffers={"mask": full("int64", (2,), [1, 0])}, parameters=weighed())
    whole = of(torch_zip(net))
    assert (whole.tensors, whole.parameters, whole.buffers, whole.buffer_bytes) == (2, 1, 2, 16)


def weighed() -> dict[str, object]:
    return {"w": parameter(full("float32", (1,), [1]))}


def test_a_state_dict() -> None:
    found = of(torch_zip(weights()))
    assert said([found.title]) == ["Zip checkpoint"]
    assert said(found.holds) == ["state_dict at the root"]
    assert (found.root, found.key_count) == ("collections.OrderedDict", 2)
    assert found.keys[0] == KeyFact("a", "torch.Tensor", "[2, 3] float32", 1, 24)
    assert (found.tensors, found.parameters, found.unique_parameters, found.parameter_bytes) == (2, 8, 8, 28)
    assert found.dtypes == [Tally("float32", 1, 24), Tally("float16", 1, 4)]
    assert found.locations == [Tally("cpu", 2, 28)]
    assert found.steps == ["export", "copy-code"]


def test_a_checkpoint_with_an_optimizer() -> None:
    adam = adam_state_dict([(full("float32", (), [1]), full("float32", (2,), [0, 0]), full("float32", (2,), [0, 0]))])
    found = of(torch_zip({"epoch": 3, "model": weights(), "optimizer": adam}))
    assert said(found.holds) == [
        "Checkpoint; its weights are a state_dict under model",
        "Progress: epoch 3",
        "optimizer: Adam state of 1 parameter; lr 0.001, betas (0.9, 0.999), weight_decay 0, step 1",
    ]
    assert [(key.key, key.tensors, key.nbytes) for key in found.keys] == [
        ("epoch", 0, 0),
        ("model", 2, 28),
        ("optimizer", 3, 20),
    ]
    assert (found.tensors, found.parameters) == (5, 8)


def test_an_optimizer_alone() -> None:
    adam = adam_state_dict([(full("float32", (), [1]), full("float32", (2,), [0, 0]), full("float32", (2,), [0, 0]))])
    assert said(of(torch_zip(adam)).holds) == [
        "Optimizer state: it keeps step, exp_avg, exp_avg_sq for each of 1 parameters, which have numbers and no names",
        "Adam state of 1 parameter: lr 0.001, betas (0.9, 0.999), weight_decay 0, step 1",
    ]


def test_a_whole_model_with_its_source() -> None:
    net = ModuleClass("nets", "Net", "/nets.py", "class Net: pass\n")
    bare = ModuleClass("torch.nn.modules.linear", "Linear")
    found = of(legacy(module(net, {}, {"w": parameter(full("float32", (2,), [1, 2]))}, {}, {"fc": module(bare)})))
    assert said(found.holds) == ["Whole model: nets.Net"]
    assert (found.stored_sources, found.bare_classes) == (1, 1)
    assert found.steps == ["export", "recovery", "source", "copy-code"]
    assert (found.keys, found.key_count) == ([], 0)


def test_tied_weights_count_once() -> None:
    shared = storage("float32", range(4))
    found = of(torch_zip(state_dict({"wte": tensor(shared, (2, 2)), "head": tensor(shared, (2, 2))})))
    assert (found.parameters, found.unique_parameters, found.parameter_bytes) == (8, 4, 16)


def test_devices() -> None:
    value = {
        "net": {"w": full("float32", (1,), [1], "cuda:2"), "b": full("float32", (1,), [1], "cuda:2")},
        "steps": full("int64", (), [1]),
    }
    assert of(legacy(value)).locations == [Tally("cuda:2", 2, 8), Tally("cpu", 1, 8)]


def test_several_branches() -> None:
    found = of(torch_zip({"generator": weights(), "discriminator": weights()}))
    assert said(found.holds) == ["Checkpoint with several parts: generator, discriminator"]
    assert found.parameters == 16


def test_damage_comes_with_its_remedy_first() -> None:
    stream = build({"a": full("float32", (2,), [1, 2]), "b": full("float32", (2,), [1, 2])})
    found = of(stream.data[:-3])
    assert found.problems[Severity.ERROR] >= 1
    assert found.steps[:2] == ["rescue", "export"]
    assert "copy-code" not in found.steps


def test_arrays() -> None:
    file = io.BytesIO()
    np.savez(file, a=np.zeros(3))
    found = of(file.getvalue())
    assert said(found.holds) == ["Arrays: 1"]
    assert (found.root, found.parameters) == (None, 3)


def test_no_tensors() -> None:
    found = of(b"plain text, not a checkpoint\n" * 3)
    assert said(found.holds) == ["No tensors"]
    assert found.steps == []


def test_root_and_keys() -> None:
    document = opened(dumps({"a": 1, 2: 3, "@x": 4, (1, "y"): 5, None: 6}))
    assert root_type(document) == "dict"
    assert root_keys(document) == ["a", "2", "@x", "(1, 'y')", "None"]
    assert root_keys(opened(dumps([1]))) is None
    assert root_type(opened(dumps([1]))) == "list"
    assert root_type(opened(dumps(None))) == "NoneType"
    assert root_type(opened(dumps(Call(Global("app", "f"))))) == "app.f"
    assert root_type(opened(b"\x00" * 100)) is None


def test_many_keys_are_counted_and_the_first_are_told() -> None:
    document = opened(dumps({f"k{number}": number for number in range(3000)}))
    found = facts(document)
    assert (found.key_count, len(found.keys)) == (3000, 1000)
    assert len(root_keys(document) or []) == 3000


def test_a_program_of_torch_is_offered_no_recovery_kit() -> None:
    code = b'class Net(Module):\n  __parameters__ = ["w", ]\n  __buffers__ = []\n  w : Tensor\n'
    found = of(torch_script(scripted("__torch__", "Net", w=full("float32", (1,), [1])), {"__torch__.py": code}))
    assert [branch.kind for branch in found.branches] == ["module"]
    assert found.steps == ["export", "source"]
