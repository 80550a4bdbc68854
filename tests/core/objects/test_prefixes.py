"""What names have in common, and averages among them."""

from __future__ import annotations

from math import prod

import pytest

from tests.builders.torch_values import full, state_dict
from tests.core.export.reading import document_of
from viewer.core.document import Document
from viewer.core.objects.prefixes import Copies, common_prefix, copies
from viewer.core.summary.facts import facts
from viewer.wording import fill


def document(*shapes: tuple[str, tuple[int, ...]]) -> Document:
    return document_of(state_dict({name: full("float32", shape, [1.0] * prod(shape)) for name, shape in shapes}))


def holds(found: Document) -> list[str]:
    return [fill(said.text, said.params) for said in facts(found).holds]


@pytest.mark.parametrize(
    ("names", "prefix"),
    [
        ([], ""),
        (["module.fc.weight"], ""),
        (["module.a", "module.b"], "module."),
        (["module.fc.weight", "module.fc.bias"], "module."),
        (["module.fc.weight", "modules.fc.bias"], ""),
        (["module.module.fc.weight", "module.module.fc.bias"], "module.module."),
        (["_orig_mod.module.a.w", "_orig_mod.module.b.w"], "_orig_mod.module."),
        # The name of the one layer says what it is.
        (["fc.weight", "fc.bias"], ""),
        (["bert.encoder.weight", "bert.pooler.bias"], "bert."),
        (["bert.encoder.weight", "bert.encoder.bias"], "bert."),
        (["bert.weight", "bert.pooler.bias"], ""),
        (["module", "module.a"], ""),
        (["", "a"], ""),
    ],
)
def test_a_beginning_that_all_have(names: list[str], prefix: str) -> None:
    assert common_prefix(names) == prefix


def test_it_is_said_on_summary() -> None:
    found = holds(document(("module.a.w", (2,)), ("module.b.w", (3,))))
    assert found[:2] == [
        "state_dict at the root",
        'All 2 names begin with "module.", which an export can take off',
    ]


@pytest.mark.parametrize(
    ("prefix", "of"),
    [("ema_", "a_weight"), ("model_ema.", "aweight"), ("ema.", "net.a.weight"), ("ema_model.", "net.a.weight")],
)
def test_averages_beside_the_weights(prefix: str, of: str) -> None:
    made = document(("net.a.weight", (4,)), ("net.b", (2,)), (prefix + of, (4,)), (prefix + "decay", ()))
    assert copies(list(made.branches()[0].entries)) == Copies(prefix, 1, 2, 16, 44)
    assert (
        f'Averages among the names: 1 begin with "{prefix}" and stand for others of the same shape; 16 of 44 bytes. '
        "An export can leave them out"
    ) in holds(made)


@pytest.mark.parametrize("shape", [(5,), (4, 1)])
def test_another_shape_is_no_average(shape: tuple[int, ...]) -> None:
    made = document(("a.weight", (4,)), ("ema_a_weight", shape))
    assert copies(list(made.branches()[0].entries)) is None
    assert not any("Averages" in said for said in holds(made))
