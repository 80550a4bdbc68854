"""Along which axis the parts of a tensor were cut, as far as names and shapes tell.

Llama and Megatron divide some weights by rows, some by columns, and keep norms whole in each part. Where the size of
the model's hidden state is known (that of its norms), shapes prove what names say; without either it stays open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

ROWS: Final = frozenset(
    {
        *("wq", "wk", "wv", "w1", "w3", "q_proj", "k_proj", "v_proj", "gate_proj", "up_proj"),
        *("output", "lm_head", "output_layer", "word_embeddings", "embed_tokens"),
        *("query_key_value", "linear_qkv", "dense_h_to_4h", "linear_fc1"),
    }
)
COLUMNS: Final = frozenset({"wo", "w2", "o_proj", "down_proj", "dense_4h_to_h", "linear_proj", "linear_fc2"})
# Attention's output is called `dense` by Megatron, as are layers elsewhere.
COLUMNS_BEHIND: Final = {"dense": frozenset({"attention", "self_attention", "inter_attention"})}
NORMS: Final = ("norm.weight", "layernorm.weight", "norm1.weight", "norm2.weight", "ln_f.weight")
Shape = tuple[int, ...]


def hidden_size(tensors: Iterable[tuple[str, Shape]]) -> int:
    """The size of the model's hidden state: that of most of its norms; 0 where there are none."""
    sizes = Counter(shape[0] for name, shape in tensors if len(shape) == 1 and name.endswith(NORMS))
    return sizes.most_common(1)[0][0] if sizes else 0


def axis_of(name: str, shape: Shape, hidden: int, parts: int) -> int | None:
    """The axis that a tensor was cut along; None where it cannot be told. `shape`: of one part."""
    by_name = _named(name)
    if len(shape) == 1:
        return 0 if by_name == 0 else None
    if len(shape) != 2 or not hidden:
        return by_name if len(shape) == 2 else None
    first, second = shape
    if second == hidden and first != hidden:
        return 0
    if first == hidden and second != hidden:
        return 1
    if second * parts == hidden and second != hidden:
        # An embedding of the first Llama models is cut along the hidden state.
        return 1
    return by_name


def _named(name: str) -> int | None:
    words = name.split(".")
    layer = words[-2] if len(words) > 1 else words[0]
    if layer in ROWS:
        return 0
    if layer in COLUMNS:
        return 1
    above = words[-3] if len(words) > 2 else ""
    return 1 if above in COLUMNS_BEHIND.get(layer, ()) else None
