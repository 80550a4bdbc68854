"""The torch process gives texts of torch's own module classes and of nothing else; our table of its history is true."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.shared import ROOT
from viewer.core.code.expectations import OBJECT_NAMES, OF_MODULE
from viewer.core.code.held import Held
from viewer.core.code.lineage import Library
from viewer.core.code.torch_checks import torch_findings
from viewer.core.code.torch_history import _ADDED, added
from viewer.core.code.torch_modules import machinery
from viewer.core.code.torch_text import TorchTexts
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.summary.checks import check_document, torch_names
from viewer.torch_client import torch_texts

pytestmark = pytest.mark.torch

CONV = "torch.nn.modules.conv.Conv1d"
GIVEN = (
    CONV,
    "torch.nn.Linear",
    "torch.nn.modules.module.Module",
    "torch.nn.parallel.data_parallel.DataParallel",
    "torch.ao.nn.quantized.modules.linear.Linear",
)
HOSTILE = (
    "torch",
    "torch.",
    "torch.os.system",
    "torch.sys.modules",
    "torch.nn.functional.os.system",
    "torch._C.x",
    "torch._C._nn",
    "torch.Tensor",
    "torch.nn.Parameter",
    "torch.nn.functional.relu",
    "torch.nn.Linear.forward",
    "torch.nn.Linear.__init__.__globals__",
    "torch.nn.Linear.__class__",
    "torch.nn.Linear.__mro__",
    "torch.nn.modules.linear.__builtins__",
    "torch.distributed.whatever",
    "torch.distributed.pipelining.stage.PipelineStage",
    "torch.testing._internal.common_utils.TestCase",
    "torch._inductor.config",
    "torch.nn..Linear",
    "torch.nn.Linear\n",
    "torch.nn." + "a." * 5000 + "B",
    "torchvision.models.ResNet",
    "os.system",
    "subprocess.Popen",
    "",
)


@pytest.fixture(scope="module")
def texts() -> TorchTexts:
    return torch_texts([*GIVEN, *HOSTILE], Progress())


CLASSES = {
    "approximate": "activation.GELU",
    "batch_first": "activation.MultiheadAttention",
    "divisor_override": "pooling.AvgPool2d",
    "label_smoothing": "loss.CrossEntropyLoss",
    "norm_first": "transformer.TransformerEncoderLayer",
    "padding_mode": "conv.Conv1d",
    "proj_size": "rnn.LSTM",
    "recompute_scale_factor": "upsampling.Upsample",
}


def fix(name: str) -> str:
    """The code that is offered for an object without this attribute."""
    held = Held(frozenset(), frozenset(), True, True, True, ())
    torch_name = f"torch.nn.modules.{CLASSES[name]}"
    found = torch_findings(torch_name, torch_name, held, Library())
    return next(one.fix for one in found if one.params.get("name") == name)


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.with_torch.classes_child"]
    fixes = json.dumps({name: fix(name) for name in _ADDED})
    done = subprocess.run(command, cwd=ROOT, input=fixes, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_texts_of_classes_and_their_bases(texts: TorchTexts) -> None:
    assert texts.failure == ""
    assert set(GIVEN) <= texts.texts.keys()
    conv = texts.texts[CONV]
    assert conv.text.startswith("class Conv1d(_ConvNd):\n")
    assert conv.bases == ("torch.nn.modules.conv._ConvNd", "torch.nn.modules.module.Module")
    assert conv.signature.startswith("(in_channels: int, out_channels: int, kernel_size:")
    assert conv.file.endswith("conv.py")
    base = texts.texts["torch.nn.modules.conv._ConvNd"]
    assert 'self.padding_mode = "zeros"' in base.text
    assert base.line < conv.line
    assert texts.sentence(CONV) == ""


@pytest.mark.parametrize("name", HOSTILE)
def test_other_names_give_nothing(name: str, texts: TorchTexts) -> None:
    assert name not in texts.texts
    assert texts.refused[name] == "class-unknown"


def test_names_import_nothing() -> None:
    """The process itself, with every import seen that the names of a file could cause."""
    program = (
        "import sys\n"
        "import torch\n"
        "from viewer.torch_process.torch_classes import describe\n"
        "names = sys.argv[1:]\n"
        "list(describe(['torch.nn.Linear']))\n"
        "seen = []\n"
        "sys.addaudithook(lambda event, found: seen.append(found[0]) if event in ('import', 'os.system') else None)\n"
        "before = set(sys.modules)\n"
        "print(len(list(describe(names))))\n"
        "assert set(sys.modules) == before, set(sys.modules) - before\n"
        "assert seen == [], seen\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", program, *HOSTILE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, str(len(HOSTILE))), done.stderr


def test_all_that_a_module_answers_for_is_known(facts: dict[str, Any]) -> None:
    assert set(facts["module"]) - OF_MODULE - machinery() - OBJECT_NAMES == set()


@pytest.mark.parametrize("name", sorted(_ADDED))
def test_what_loading_fills_in(name: str, facts: dict[str, Any]) -> None:
    fact = added(facts["modules"][name], name)
    assert fact is not None
    assert facts["sets"][name]
    assert fact.filled == (facts["filled"][name] is not None)
    if fact.value:
        assert facts["filled"][name] == fact.value


@pytest.mark.parametrize("name", sorted(_ADDED))
def test_using_an_object_without_it_fails_and_the_offered_code_mends_it(name: str, facts: dict[str, Any]) -> None:
    assert f"has no attribute '{name}'" in facts["used"][name]
    assert facts["mended"][name] == ""


def test_a_file_held_against_the_installed_texts() -> None:
    document = open_document(ROOT / "tests" / "data" / "recovery" / "layers-1.0.pth")
    fetched = torch_texts(torch_names(document), Progress())
    found = check_document(document, torch_texts=fetched.texts)
    document.source.close()
    assert {(one.code, one.class_name.rpartition(".")[2], one.params.get("name")) for one in found} == {
        ("torch-attribute-filled", "Causal", "padding_mode"),
        ("torch-attribute-filled", "Conv1d", "padding_mode"),
        ("torch-attribute-filled", "ConvTranspose1d", "padding_mode"),
        ("torch-attribute-filled", "Upsample", "recompute_scale_factor"),
        ("torch-attribute-filled", "RNN", "proj_size"),
        ("torch-attribute-read", "ParameterList", "_size"),
    }
