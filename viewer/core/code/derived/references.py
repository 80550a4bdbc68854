"""Names of torch, of Python's own classes and of functions that made code can refer to: those that are there today."""

from __future__ import annotations

from typing import Final

from viewer.core.code.torch_modules import torch_class
from viewer.core.tensors.dtypes import DTYPES

_NAMES_OF_FUNCTIONAL: Final = (
    "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
    "avg_pool1d  avg_pool2d avg_pool3d batch_norm binary_cross_entropy binary_cross_entropy_with_logits celu "
    "conv1d conv2d conv3d  cosine_similarity cross_entropy dropout dropout2d elu gelu glu group_norm hardsigmoid "
    "hardswish hardtanh  huber_loss interpolate kl_div l1_loss layer_norm leaky_relu linear log_softmax "
    "logsigmoid max_pool1d max_pool2d  max_pool3d mish mse_loss nll_loss normalize one_hot pad relu relu6 selu "
    "sigmoid silu smooth_l1_loss softmax  softmin softplus softshrink softsign tanh tanhshrink"
)
_NAMES_OF_TORCH: Final = (
    "abs add cat clamp cos cosh div einsum erf exp log log1p matmul max mean min mul neg norm pow relu rsqrt selu "
    "sigmoid  sign sin softmax sqrt square stack sub sum tan tanh"
)
_NAMES_OF_MATH: Final = "ceil cos exp floor log log10 log2 pow sin sqrt tan tanh"
_NAMES_OF_BUILTINS: Final = "abs bool bytes complex dict float frozenset int len list max min set str sum tuple"
_FUNCTIONAL: Final = frozenset(_NAMES_OF_FUNCTIONAL.split())
_TORCH: Final = frozenset(_NAMES_OF_TORCH.split())
_MATH: Final = frozenset(_NAMES_OF_MATH.split())
_BUILTINS: Final = frozenset(_NAMES_OF_BUILTINS.split())
_ELSEWHERE: Final = {
    # C functions say that they are of another module.
    "torch._C._nn.gelu": "F.gelu",
    "torch._C._nn.elu_": "F.elu",
    "torch._C._nn.hardtanh": "F.hardtanh",
    "torch._C._nn.leaky_relu": "F.leaky_relu",
    "torch._C._nn.log_sigmoid": "F.logsigmoid",
    "torch._C._nn.softplus": "F.softplus",
    "torch._C._nn.softshrink": "F.softshrink",
}

REFERENCES: Final = frozenset(
    [f"F.{name}" for name in _FUNCTIONAL]
    + [f"torch.{name}" for name in _TORCH]
    + [f"math.{name}" for name in _MATH]
    + [*_BUILTINS, *_ELSEWHERE.values()]
)
"""All functions that made code may name."""


def torch_reference(name: str) -> str:
    """Code for a qualified name; "" for one that today's torch may not have, or that is of another module."""
    if name in _ELSEWHERE:
        return _ELSEWHERE[name]
    module, _, last = name.rpartition(".")
    if not module:
        return last if last in _BUILTINS else ""
    if module == "torch.nn.functional":
        return f"F.{last}" if last in _FUNCTIONAL else ""
    if module in (
        "torch",
        "torch._C._VariableFunctions",
        "torch._VariableFunctionsClass",
        "torch._C._VariableFunctionsClass",
    ):
        return f"torch.{last}" if last in _TORCH or (module == "torch" and last in DTYPES) else ""
    if module == "math":
        return name if last in _MATH else ""
    return module_alias(name) if module.startswith("torch.nn.") else ""


def module_alias(name: str) -> str:
    """How people write a module class of torch.nn: `nn.Conv2d`; "" for any other."""
    known = torch_class(name)
    alias = known.alias if known is not None else None
    return alias if alias is not None and alias.startswith("nn.") and alias.count(".") == 1 else ""
