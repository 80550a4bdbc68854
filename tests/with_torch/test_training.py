"""Training states that torch wrote: what each is told to be, and which parameter each state belongs to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.with_torch.warm import run_clean
from viewer.core.document import Document
from viewer.core.objects.optimizer_names import Joined, joined
from viewer.core.objects.state_dict import branch_at
from viewer.core.opening import open_document
from viewer.core.summary.training import tensors_by_value, training_lines, training_rows
from viewer.core.tensors.path import Path as Place
from viewer.wording import fill

pytestmark = pytest.mark.torch
CHILD: Final = Path(__file__).with_name("training_child.py")
ADAM: Final = "betas (0.9, 0.999), weight_decay"
OPTIMIZERS: Final = (
    "SGD.optimizer: SGD state of 10 parameters; lr 0.25, momentum 0.9, weight_decay 0",
    f"Adam.optimizer: Adam state of 10 parameters; lr 0.125, {ADAM} 0, step 2",
    f"AdamW.optimizer: AdamW state of 10 parameters; lr 0.5, {ADAM} 0.01, step 2",
    f"NAdam.optimizer: NAdam state of 10 parameters; lr 0.002, {ADAM} 0, step 2",
    f"RAdam.optimizer: RAdam state of 10 parameters; lr 0.001, {ADAM} 0, step 2",
    f"Adamax.optimizer: Adamax state of 10 parameters; lr 0.002, {ADAM} 0, step 2",
    "Adagrad.optimizer: Adagrad state of 10 parameters; lr 0.01, weight_decay 0, step 2",
    "Adadelta.optimizer: Adadelta state of 10 parameters; lr 1, weight_decay 0, step 2",
    "RMSprop.optimizer: RMSprop state of 10 parameters; lr 0.01, momentum 0, weight_decay 0, step 2",
    "Rprop.optimizer: Rprop state of 10 parameters; lr 0.01, step 2",
    "ASGD.optimizer: ASGD state of 10 parameters; lr 0.01, weight_decay 0, step 2",
    "LBFGS.optimizer: LBFGS state of 1 parameter; lr 0.0625, step 40",
    "Adafactor.optimizer: Adafactor state of 10 parameters; lr 0.01, weight_decay 0, step 2",
    "SparseAdam.optimizer: Adam-like state of 1 parameter; lr 0.001, betas (0.9, 0.999), step 2",
    f"groups.optimizer: AdamW state of 10 parameters; lr 0.5 / 0.25, {ADAM} 0.01, step 2",
    f"named.optimizer: Adam state of 10 parameters; lr 0.001, {ADAM} 0, step 2",
    "fresh.optimizer: SGD that has no state yet, for 10 parameters; lr 0.1, momentum 0, weight_decay 0",
)
TRAINING: Final = (
    "Progress: epoch 7, global_step 41,000, best_loss 0.25",
    "args: settings, 2 of them",
    "scaler: gradient scaler; scale 65,536, growth_interval 2,000, growth_tracker 0",
    "generator: random-number state of numpy, PCG64",
    "rng.cpu: random-number state of torch (CPU), mt19937, seed 1234, place 3",
    "rng.python: random-number state of Python, mt19937, place 624",
    "rng.numpy: random-number state of numpy, mt19937, place 624",
    "schedules.StepLR: learning-rate schedule StepLR; step 3, lr 0.25, step_size 2, gamma 0.5",
    "schedules.MultiStepLR: learning-rate schedule MultiStepLR; step 3, lr 0.005, gamma 0.1, milestones [1, 2]",
    "schedules.ExponentialLR: learning-rate schedule ExponentialLR; step 3, lr 0.0625, gamma 0.5",
    "schedules.CosineAnnealingLR: learning-rate schedule CosineAnnealingLR; step 3, lr 0.0732233, T_max 4",
    "schedules.CosineAnnealingWarmRestarts: learning-rate schedule CosineAnnealingWarmRestarts; step 3, lr 0.1727458",
    "schedules.LambdaLR: learning-rate schedule LambdaLR or MultiplicativeLR; step 3, lr 0.125",
    "schedules.MultiplicativeLR: learning-rate schedule LambdaLR or MultiplicativeLR; step 3, lr 0.0625",
    "schedules.CyclicLR: learning-rate schedule CyclicLR; step 3, lr 0.10015, gamma 1",
    "schedules.OneCycleLR: learning-rate schedule OneCycleLR; step 3, lr 0.4752423, total_steps 10",
    "schedules.PolynomialLR: learning-rate schedule PolynomialLR; step 3, lr 0.2",
    "schedules.LinearLR: learning-rate schedule LinearLR; step 3, lr 0.3666667",
    "schedules.ConstantLR: learning-rate schedule ConstantLR; step 3, lr 0.1666667, factor 0.3333333",
    "schedules.ReduceLROnPlateau: learning-rate schedule ReduceLROnPlateau; step 1, lr 0.5, factor 0.1, patience 10",
    "schedules.SequentialLR: learning-rate schedule SequentialLR; step 0, lr 0.1666667",
    "schedules.ChainedScheduler: learning-rate schedule ChainedScheduler; lr 0.1666667",
    "schedules.SWALR: learning-rate schedule SWALR; step 0, lr 0.1666667",
    "rng.cuda.0: random-number state of torch (CUDA), Philox, seed 99, offset 12",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("training")


@pytest.fixture(scope="module")
def names(folder: Path) -> dict[str, list[str]]:
    """The names of the parameters of each optimizer, in the order of its groups."""
    done = run_clean(CHILD, folder)
    assert done.returncode == 0, done.stderr
    answer: dict[str, list[str]] = json.loads(done.stdout)
    return answer


@pytest.fixture(params=["zip", "legacy"])
def form(request: pytest.FixtureRequest, names: dict[str, list[str]]) -> str:
    del names
    found: str = request.param
    return found


@pytest.fixture
def optimizers(folder: Path, form: str) -> Iterator[Document]:
    document = open_document(folder / f"optimizers.{form}.pt")
    yield document
    document.source.close()


def lines(document: Document) -> list[str]:
    return [fill(line.text, line.params) for line in training_lines(document, most=100)]


def join(document: Document, model: Place, optimizer: Place) -> list[Joined]:
    """The optimizer at one place with the names of the model at another."""
    pickle = document.main_pickle
    assert pickle is not None
    weights = branch_at(pickle.values, document.tensors, model, pickle.index)
    assert weights is not None
    (value,) = [value for path, value, _ in training_rows(document) if path == optimizer]
    return joined(pickle.values, value, weights.entries, tensors_by_value(document, pickle.index))


def test_optimizers(optimizers: Document) -> None:
    assert lines(optimizers) == list(OPTIMIZERS)


def test_all_else(folder: Path, form: str) -> None:
    document = open_document(folder / f"training.{form}.pt")
    found = lines(document)
    assert sorted(found) == sorted(TRAINING)
    assert found[0] == TRAINING[0]
    document.source.close()


def test_states_get_the_names_of_their_parameters(optimizers: Document, names: dict[str, list[str]]) -> None:
    for kind in names:
        found = join(optimizers, (kind, "model"), (kind, "optimizer"))
        assert [row.name for row in found] == names[kind], kind
        assert {row.by for row in found} == {{"groups": "shape", "named": "names"}.get(kind, "order")}


def test_a_whole_optimizer_shares_its_parameters(folder: Path, form: str, names: dict[str, list[str]]) -> None:
    document = open_document(folder / f"whole.{form}.pt")
    found = join(document, ("model",), ("optimizer",))
    assert [row.name for row in found] == names["Adam"]
    assert {row.by for row in found} == {"identity"}
    assert lines(document) == [f"optimizer: Adam state of 10 parameters; lr 0.125, {ADAM} 0, step 2"]
    document.source.close()
