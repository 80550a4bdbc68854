"""Names that model.json may hold as they are: functions and classes that load.py finds without importing anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from viewer.core.tensors.dtypes import DTYPES

# Where a pickle says that a function stands -> where load.py looks it up.
_FUNCTIONS: Final[Mapping[str, str]] = {
    "_operator": "operator",
    "math": "math",
    "numpy": "numpy",
    "operator": "operator",
    "torch": "torch",
    "torch.functional": "torch.functional",
    "torch.nn.functional": "torch.nn.functional",
    "torch.nn.init": "torch.nn.init",
    "torch._C._nn": "torch._C._nn",
    "torch._C._VariableFunctions": "torch",
    "torch._C._VariableFunctionsClass": "torch",
    "torch._C.TensorBase": "torch.Tensor",
    "torch._C._TensorBase": "torch.Tensor",
    "torch.Tensor": "torch.Tensor",
}
BUILTINS: Final = frozenset(
    {
        *("abs", "all", "any", "len", "max", "min", "pow", "reversed", "round", "sorted", "sum", "zip", "enumerate"),
        *("bool", "bytes", "bytearray", "complex", "dict", "float", "frozenset", "int", "list", "object", "range"),
        *("set", "slice", "str", "tuple"),
    }
)
CONSTANTS: Final = frozenset(DTYPES) | {
    *("contiguous_format", "channels_last", "channels_last_3d", "preserve_format"),
    *("float", "double", "half", "short", "int", "long", "cfloat", "cdouble"),
}
LAYOUTS: Final = frozenset({"strided", "sparse_coo", "sparse_csr"})
NUMPY_CLASSES: Final = frozenset(
    {
        *("bool_", "float16", "float32", "float64", "complex64", "complex128"),
        *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    }
)
# What load.py gives to texts under these names.
OF_PYTHON_2: Final = frozenset({"basestring", "long", "reduce", "unichr", "unicode", "xrange"})
# Objects of torch's hooks that are rebuilt; all others are dropped.
WEIGHT_NORM: Final = "torch.nn.utils.weight_norm.WeightNorm"
SPECTRAL_NORM: Final = "torch.nn.utils.spectral_norm.SpectralNorm"
WRAPPED: Final = "torch.nn.modules.module._WrappedHook"
# These hooks compute the weight anew from others that do not change, and it is held as it was last.
PRUNING: Final = "torch.nn.utils.prune."
# What spectral_norm keeps for its state_dict; nothing is lost without it.
HELPERS: Final = frozenset(
    {
        "torch.nn.utils.spectral_norm.SpectralNormStateDictHook",
        "torch.nn.utils.spectral_norm.SpectralNormLoadStateDictPreHook",
    }
)


def function_name(module: str, name: str) -> str:
    """What load.py looks a function up by; "" for a function that it must not or cannot look up."""
    owner, _, last = f"{module}.{name}".rpartition(".")
    is_public = last.isidentifier() and not last.startswith("_") and not last[:1].isupper()
    return f"{_FUNCTIONS[owner]}.{last}" if is_public and owner in _FUNCTIONS else ""
