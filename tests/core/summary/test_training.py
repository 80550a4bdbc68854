"""What a document keeps beside weights: sentences with places, and the words beside rows of Contents."""

from __future__ import annotations

import struct

from tests.builders.torch_values import Storage, adam_state_dict, full, state_dict, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Global, Instance
from tests.opened import opened
from viewer.core.summary.contents import Contents
from viewer.core.summary.facts import facts
from viewer.core.summary.parts import Say
from viewer.core.summary.training import beside, training_lines, training_rows
from viewer.core.tree import ROOT
from viewer.wording import fill

RNG = tensor(Storage("uint8", struct.pack("<QiiQ", 77, 600, 1, 24).ljust(5056, b"\1")), (5056,))
ADAM = "lr 0.001, betas (0.9, 0.999), weight_decay 0, step 4"


def checkpoint() -> dict[str, object]:
    states = [(full("float32", (), [4]), full("float32", (2,), [0, 0]), full("float32", (2,), [0, 0]))] * 2
    return {
        "epoch": 3,
        "model": state_dict({"w": full("float32", (2,), [1, 2])}),
        "optimizer": adam_state_dict(states),
        "rng": {"cpu": RNG, "cuda": [tensor(Storage("uint8", struct.pack("<QQ", 5, 6)), (16,))]},
        "args": Instance(Global("argparse", "Namespace"), (), {"lr": 0.5}),
    }


def said(line: Say) -> str:
    return line.text if line.data else fill(line.text, line.params)


def test_sentences_with_their_places() -> None:
    document = opened(torch_zip(checkpoint()))
    assert [said(line) for line in training_lines(document)] == [
        "Progress: epoch 3",
        f"optimizer: Adam state of 2 parameters; {ADAM}",
        "args: settings, 1 of them",
        "rng.cpu: random-number state of torch (CPU), mt19937, seed 77, place 24",
        "rng.cuda.0: random-number state of torch (CUDA), Philox, seed 5, offset 6",
    ]
    assert [said(line) for line in training_lines(document, most=1)] == ["Progress: epoch 3"]
    assert [path for path, _, _ in training_rows(document)] == [
        (),
        ("optimizer",),
        ("args",),
        ("rng", "cpu"),
        ("rng", "cuda", 0),
    ]


def test_rows_of_contents() -> None:
    contents = Contents(opened(torch_zip(checkpoint())))
    found: dict[str, list[str]] = {}
    waiting = [contents.tree.child(ROOT, 0)]
    while waiting:
        node = waiting.pop()
        found.setdefault(said(contents.label(node)), [said(part) for part in contents.details(node)])
        waiting += contents.tree.children(node)
    assert found["optimizer"] == [f"Adam state of 2 parameters: {ADAM}"]
    assert found["cpu"] == [
        "[5056]",
        "uint8",
        "Random-number state of torch (CPU): mt19937, seed 77, place 24",
    ]
    assert found["args"] == ["Namespace(lr=0.5)"]
    assert found["step"] == ["= 4", "[]", "float32"]
    assert found["rng"] == ["dict", "entries: 2"]


def test_keys_in_summary_say_what_they_are() -> None:
    keys = {key.key: key.meaning for key in facts(opened(torch_zip(checkpoint()))).keys}
    assert {key: said(words) for key, words in keys.items() if words is not None} == {
        "optimizer": f"Adam state of 2 parameters: {ADAM}"
    }
    assert beside(None) is None


def test_documents_without_any() -> None:
    assert training_lines(opened(torch_zip(state_dict({"w": full("float32", (2,), [1, 2])})))) == []
    assert training_lines(opened(b"no checkpoint at all")) == []
