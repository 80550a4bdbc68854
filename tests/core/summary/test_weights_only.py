"""What weights_only=True refuses."""

from __future__ import annotations

import pytest

from tests.builders.legacy import legacy
from tests.builders.pickles import Stream
from tests.builders.torch_values import ModuleClass, full, module, parameter
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance
from tests.opened import opened
from viewer.core.safety.accepted import is_accepted
from viewer.core.safety.names import reaches_out
from viewer.core.summary.weights_only import Refusals, find_refusals


def refusals(data: bytes) -> Refusals:
    document = opened(data)
    assert document.main_pickle is not None
    stored = {source.name: source.value.value for source in document.sources if source.value is not None}
    return find_refusals(document.main_pickle.values, stored)


def test_nothing_is_refused_in_a_state_dict() -> None:
    found = refusals(torch_zip({"a": full("float32", (1,), [1])}))
    assert not found
    assert found.allowed is None


def test_names_and_what_may_be_allowed() -> None:
    found = refusals(torch_zip({"net": module(ModuleClass("nets", "Net"), {}, {}), "n": Global("builtins", "int")}))
    assert found.names == ["nets.Net", "int"]
    assert [name.full for name in found.allowed or []] == ["nets.Net", "builtins.int"]


def test_a_name_that_python_reads_as_another_one_is_not_allowed() -> None:
    made = Instance(Global("\uff53ubprocess", "Popen"), (), {})
    assert refusals(torch_zip({"a": made})).allowed is None


def test_opcodes_that_are_refused() -> None:
    found = refusals(torch_zip({"a": b"raw"}, protocol=4))
    assert found.opcodes == ["SHORT_BINBYTES", "SHORT_BINUNICODE", "MEMOIZE", "FRAME"]
    assert found.names == []


def test_classes_with_their_source() -> None:
    made = module(ModuleClass("nets", "Net", "nets.py", "class Net: pass\n"), {}, {})
    found = refusals(legacy(made))
    assert found.stored == ["nets.Net"]
    assert found.allowed is None


def test_entries_of_other_containers() -> None:
    default = Call(Global("collections", "defaultdict"), (Global("builtins", "list"),), None, [("k", 1)])
    found = refusals(torch_zip({"d": default, "o": {"x": 1}}))
    assert found.filled == ["collections.defaultdict"]
    empty = Call(Global("collections", "defaultdict"), (Global("builtins", "list"),))
    assert refusals(torch_zip({"d": empty})).filled == []


def test_elements_of_other_lists() -> None:
    stream = Stream(2).start().op("GLOBAL", "app List").ops("EMPTY_TUPLE NEWOBJ").op("BININT1", 1).ops("APPEND STOP")
    assert refusals(stream.data).filled == ["app.List"]


def test_calls_of_results() -> None:
    nested = Call(Global("builtins", "getattr"), (Global("app", "A"), "B"))
    found = refusals(torch_zip([Instance(nested, (), {})]))
    assert found.computed
    assert found.names == ["getattr", "app.A"]
    assert found.allowed is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (("collections", "OrderedDict"), True),
        (("__builtin__", "set"), True),
        (("builtins", "set"), True),
        (("__builtin__", "bytes"), False),
        (("torch", "FloatStorage"), True),
        (("torch.cuda", "HalfStorage"), True),
        (("torch", "bfloat16"), True),
        (("torch", "per_tensor_affine"), True),
        (("torch._utils", "_rebuild_tensor_v2"), True),
        (("torch.storage", "_UntypedStorage"), False),
        (("posix", "system"), False),
        (("evil", "FloatStorage"), False),
        (("torch", "load"), False),
    ],
)
def test_accepted_names(name: tuple[str, str], expected: bool) -> None:
    assert is_accepted(*name) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("posix.system", True),
        ("builtins.exec", True),
        ("numpy.__builtins__", True),
        ("importlib.import_module", True),
        ("nets.Net.__globals__", True),
        ("__main__.Net", False),
        ("pathlib.PosixPath", False),
        ("builtins.getattr", False),
        ("osmodels.Net", False),
    ],
)
def test_names_that_reach_out(name: str, expected: bool) -> None:
    assert reaches_out(name) is expected


def test_parameters_and_their_hooks_are_fine() -> None:
    assert not refusals(torch_zip({"p": parameter(full("float32", (1,), [1]))}))
