"""Files of `../shared/cases` and `samples` that hold more than weights: what is said of each part."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from viewer.core.objects.describe import describe
from viewer.core.opening import open_document
from viewer.core.summary.training import training_lines
from viewer.wording import fill

pytestmark = pytest.mark.shared
ADAM: Final = "lr 0.001, betas (0.9, 0.999), weight_decay 0, step 1"
LINES: Final = {
    "cases/what-optimizer-file/opt500000.pt": [
        "Adam-like state of 2 parameters: lr 0.0001, betas (0.9, 0.999), weight_decay 0, step 500"
    ],
    "cases/opt-adam/ckpt.pt": [
        "Progress: iter_num 298,000, best_val_loss 1.07",
        "optimizer: Adam-like state of 2 parameters; lr 0.0005, step 10",
    ],
    "cases/opt-toplevel/large.pt": [
        "optim0: Adam-like state of 1 parameter; exp_avg, exp_avg_sq",
        "optim1: Adam-like state of 1 parameter; exp_avg, exp_avg_sq",
    ],
    "cases/nest-lightning/epoch=76-step=38576.ckpt": [
        "PyTorch Lightning checkpoint, version 1.5.0",
        "Progress: epoch 76, global_step 38,576",
        "optimizer_states.0: Optimizer without parameters",
    ],
    "cases/nest-ema-wrapper/model_last.pt": [
        "Progress: step 1,200",
        "optimizer_state_dict: Adam-like state of 1 parameter; step 1,200",
    ],
    "cases/obj-namespace/xpose.pth": ["args: settings, 4 of them"],
    "cases/obj-lambda/last_iteration.tar": [
        "Progress: epoch 3",
        "scheduler_g_state_dict: learning-rate schedule LambdaLR or MultiplicativeLR; step 3",
    ],
    "samples/K_optimizer_whole.pt": ["SGD state of 9 parameters: lr 0.1 / 0.005, momentum 0.9, weight_decay 0"],
    # Numbers of parameters are addresses in these.
    "samples/K_t100_checkpoint.pt": [
        "Progress: epoch 3, loss 0.25",
        f"optimizer: Adam or AdamW state of 6 parameters; {ADAM}",
        "scheduler: learning-rate schedule StepLR; step -1, step_size 2, gamma 0.1",
    ],
    # Python 2: all keys are bytes.
    "samples/K_t140py2_checkpoint.pt": [
        "Progress: loss 0.25, epoch 3",
        f"optimizer: Adam or AdamW state of 6 parameters; {ADAM}",
        "scheduler: learning-rate schedule StepLR; step 0, lr 0.001, step_size 2, gamma 0.1",
    ],
    "samples/K_checkpoint.pt": [
        "Progress: epoch 4",
        "optimizer: Adam state of 9 parameters; lr 0.004, betas (0.95, 0.999), weight_decay 0, step 1",
        "sgd: SGD state of 9 parameters; lr 0.1 / 0.005, momentum 0.9, weight_decay 0",
        "scheduler: learning-rate schedule OneCycleLR; step 0, lr 0.004, total_steps 10",
        "lambda: learning-rate schedule LambdaLR or MultiplicativeLR; step 0, lr 0.1 / 0.005",
        "plateau: learning-rate schedule ReduceLROnPlateau; step 0, lr 0.1 / 0.005, factor 0.1, patience 10",
        "scaler: gradient scaler; scale 65,536, growth_interval 2,000, growth_tracker 0",
        "rng: random-number state of torch (CPU), mt19937, seed 8, place 338",
    ],
}


@pytest.mark.parametrize("name", LINES)
def test_what_is_said(name: str, shared: Path) -> None:
    document = open_document(shared / name)
    assert [fill(line.text, line.params) for line in training_lines(document.content)] == LINES[name]
    document.source.close()


@pytest.mark.parametrize(
    ("name", "key", "expected"),
    [
        ("obj-omegaconf/retina.ckpt", ("hyper_parameters", "in_shape"), "ListConfig([2, 18])"),
        (
            "obj-namespace/xpose.pth",
            ("args",),
            "Namespace(lr=0.0001, backbone='swin_L', device='cuda', lambda_list=[1, 2.5])",
        ),
    ],
)
def test_settings_read_as_their_values(name: str, key: tuple[str, ...], expected: str, shared: Path) -> None:
    document = open_document(shared / "cases" / name)
    pickle = document.main_pickle
    assert pickle is not None
    value = pickle.values.root
    for part in key:
        value = next(child for text, child in pickle.values.pairs(value) if pickle.values.text(text) == part)
    assert describe(pickle.values, value, 200) == expected
    document.source.close()


def test_a_class_with_an_extra_state_is_told(shared: Path) -> None:
    document = open_document(shared / "samples" / "K_legacy_module.pt")
    found = [problem for problem in document.problems if problem.code.startswith("state-dict-")]
    assert [(problem.code, problem.params["methods"]) for problem in found] == [("state-dict-extra", "get_extra_state")]
    document.source.close()
