"""The functions and classes that torch calls to make tensors, by what they make."""

from __future__ import annotations

from typing import Final

UTILS: Final = "torch._utils"
QUANTISED: Final = (UTILS, "_rebuild_qtensor")
GONE: Final = frozenset({(UTILS, "_rebuild_sparse_csr_tensor")})
"""What torch wrote once and today's torch has no more: it cannot load such a file."""
FROM_NUMPY: Final = frozenset(
    {
        (UTILS, "_rebuild_device_tensor_from_numpy"),
        (UTILS, "_rebuild_xla_tensor"),
        (UTILS, "_rebuild_mlc_tensor"),
    }
)
FROM_HOST: Final = FROM_NUMPY | {(UTILS, "_rebuild_device_tensor_from_cpu_tensor")}
"""An array or tensor that is copied to a device, and converted to the type that is named."""
WITH_STATE: Final = (UTILS, "_rebuild_parameter_with_state")
NESTED: Final = ("torch.storage", "_load_from_bytes")
STRIDED: Final = {
    (UTILS, "_rebuild_tensor"): 4,
    (UTILS, "_rebuild_tensor_v2"): 6,
    (UTILS, "_rebuild_tensor_v3"): 7,
}
PARAMETERS: Final = frozenset(
    {
        (UTILS, "_rebuild_parameter"),
        (UTILS, "_rebuild_parameter_with_state"),
        ("torch.nn.parameter", "Parameter"),
        ("torch.autograd.variable", "Variable"),
    }
)
FROM_TYPE: Final = frozenset(
    {
        ("torch._tensor", "_rebuild_from_type"),
        ("torch.tensor", "_rebuild_from_type"),
        ("torch._tensor", "_rebuild_from_type_v2"),
    }
)
# Types that a tensor may be viewed as without its numbers meaning anything else.
PLAIN_TYPES: Final = frozenset(
    {
        ("torch", "Tensor"),
        ("torch._tensor", "Tensor"),
        ("torch.nn.parameter", "Parameter"),
        ("torch.nn.parameter", "Buffer"),
    }
)
