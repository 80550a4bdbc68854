"""What parameters and buffers the constructors of torch's own modules register, told by their arguments alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

Shape = tuple[int, ...]
Shapes = dict[str, Shape]
Facts = Mapping[str, object]
COUNTER: Final = "num_batches_tracked"
_GATES: Final = {"LSTM": 4, "GRU": 3}


class UnknownFactsError(Exception):
    """A fact is missing or of a wrong type."""


def _int(facts: Facts, name: str) -> int:
    found = facts.get(name)
    if not isinstance(found, int) or isinstance(found, bool):
        raise UnknownFactsError
    return found


def _ints(facts: Facts, name: str, rank: int | None = None) -> Shape:
    found = facts.get(name)
    if isinstance(found, int) and rank is not None:
        return (found,) * rank
    if not isinstance(found, tuple) or rank not in (None, len(found)):
        raise UnknownFactsError
    sizes = tuple(size for size in found if isinstance(size, int))
    if len(sizes) != len(found):
        raise UnknownFactsError
    return sizes


def _with_bias(facts: Facts, weight: Shape, bias: Shape) -> Shapes:
    return {"weight": weight, "bias": bias} if facts.get("bias", True) else {"weight": weight}


def _linear(facts: Facts) -> Shapes:
    rows = _int(facts, "out_features")
    return _with_bias(facts, (rows, _int(facts, "in_features")), (rows,))


def _bilinear(facts: Facts) -> Shapes:
    rows = _int(facts, "out_features")
    return _with_bias(facts, (rows, _int(facts, "in1_features"), _int(facts, "in2_features")), (rows,))


def _convolution(rank: int, *, transposed: bool) -> Callable[[Facts], Shapes]:
    def shapes(facts: Facts) -> Shapes:
        groups = _int({"groups": 1, **facts}, "groups")
        inner, outer = _int(facts, "in_channels"), _int(facts, "out_channels")
        if groups <= 0:
            raise UnknownFactsError
        first, second = (inner, outer // groups) if transposed else (outer, inner // groups)
        return _with_bias(facts, (first, second, *_ints(facts, "kernel_size", rank)), (outer,))

    return shapes


def _counted_norm(facts: Facts) -> Shapes:
    """Batch and instance norms; the counter of batches came with version 2."""
    size = (_int(facts, "num_features"),)
    found = _with_bias(facts, size, size) if facts.get("affine") else {}
    if facts.get("track_running_stats"):
        found.update(running_mean=size, running_var=size)
        found[COUNTER] = ()
    return found


def _layer_norm(facts: Facts) -> Shapes:
    size = _ints(facts, "normalized_shape", 1 if isinstance(facts.get("normalized_shape"), int) else None)
    return _with_bias(facts, size, size) if facts.get("elementwise_affine", True) else {}


def _rms_norm(facts: Facts) -> Shapes:
    return _layer_norm({**facts, "bias": False})


def _group_norm(facts: Facts) -> Shapes:
    size = (_int(facts, "num_channels"),)
    return _with_bias(facts, size, size) if facts.get("affine", True) else {}


def _embedding(facts: Facts) -> Shapes:
    return {"weight": (_int(facts, "num_embeddings"), _int(facts, "embedding_dim"))}


def _prelu(facts: Facts) -> Shapes:
    return {"weight": (_int({"num_parameters": 1, **facts}, "num_parameters"),)}


def _recurrent(mode: str) -> Callable[[Facts], Shapes]:
    def shapes(facts: Facts) -> Shapes:
        hidden, given = _int(facts, "hidden_size"), _int(facts, "input_size")
        projected = _int({"proj_size": 0, **facts}, "proj_size")
        rows, out = _GATES.get(mode, 1) * hidden, projected or hidden
        directions = ("", "_reverse") if facts.get("bidirectional") else ("",)
        found: Shapes = {}
        for layer in range(min(_int({"num_layers": 1, **facts}, "num_layers"), 1000)):
            width = given if layer == 0 else out * len(directions)
            for direction in directions:
                end = f"l{layer}{direction}"
                found[f"weight_ih_{end}"], found[f"weight_hh_{end}"] = (rows, width), (rows, out)
                if facts.get("bias", True):
                    found[f"bias_ih_{end}"] = found[f"bias_hh_{end}"] = (rows,)
                if projected:
                    found[f"weight_hr_{end}"] = (projected, hidden)
        return found

    return shapes


def _cell(gates: int) -> Callable[[Facts], Shapes]:
    def shapes(facts: Facts) -> Shapes:
        hidden = _int(facts, "hidden_size")
        found: Shapes = {
            "weight_ih": (gates * hidden, _int(facts, "input_size")),
            "weight_hh": (gates * hidden, hidden),
        }
        if facts.get("bias", True):
            found["bias_ih"] = found["bias_hh"] = (gates * hidden,)
        return found

    return shapes


def _attention(facts: Facts) -> Shapes:
    width = _int(facts, "embed_dim")
    keys, values = (_int({name: width, **facts}, name) for name in ("kdim", "vdim"))
    found: Shapes = {"out_proj.weight": (width, width)}
    if keys == values == width:
        found["in_proj_weight"] = (3 * width, width)
    else:
        found.update(q_proj_weight=(width, width), k_proj_weight=(width, keys), v_proj_weight=(width, values))
    if facts.get("bias", True):
        found["in_proj_bias"], found["out_proj.bias"] = (3 * width,), (width,)
    if facts.get("add_bias_kv"):
        found["bias_k"] = found["bias_v"] = (1, 1, width)
    return found


def _encoder_layer(facts: Facts) -> Shapes:
    width, inner, bias = (
        _int(facts, "d_model"),
        _int({"dim_feedforward": 2048, **facts}, "dim_feedforward"),
        facts.get("bias", True),
    )
    parts = {
        "self_attn": _attention({"embed_dim": width, "bias": bias}),
        "linear1": _with_bias(facts, (inner, width), (inner,)),
        "linear2": _with_bias(facts, (width, inner), (width,)),
        "norm1": _with_bias(facts, (width,), (width,)),
        "norm2": _with_bias(facts, (width,), (width,)),
    }
    return {f"{part}.{name}": shape for part, shapes in parts.items() for name, shape in shapes.items()}


def _decoder_layer(facts: Facts) -> Shapes:
    width = _int(facts, "d_model")
    found = _encoder_layer(facts)
    crossed = _attention({"embed_dim": width, "bias": facts.get("bias", True)})
    found.update({f"multihead_attn.{name}": shape for name, shape in crossed.items()})
    found.update({f"norm3.{name}": shape for name, shape in _with_bias(facts, (width,), (width,)).items()})
    return found


def _weighted_loss(facts: Facts) -> Shapes:
    """Losses keep the weights that they are given."""
    return {name: shape for name in ("weight", "pos_weight") if isinstance(shape := facts.get(name), tuple)}


def _nothing(facts: Facts) -> Shapes:
    del facts
    return {}


_WEIGHTED: Final = ("BCE", "BCEWithLogits", "CrossEntropy", "MultiLabelSoftMargin", "MultiMargin", "NLL")
_SHAPES: Final[dict[str, Callable[[Facts], Shapes]]] = {
    "nn.Linear": _linear,
    "nn.Bilinear": _bilinear,
    **{f"nn.Conv{rank}d": _convolution(rank, transposed=False) for rank in (1, 2, 3)},
    **{f"nn.ConvTranspose{rank}d": _convolution(rank, transposed=True) for rank in (1, 2, 3)},
    **{f"nn.{kind}Norm{rank}d": _counted_norm for kind in ("Batch", "Instance") for rank in (1, 2, 3)},
    "nn.SyncBatchNorm": _counted_norm,
    "nn.LayerNorm": _layer_norm,
    "nn.RMSNorm": _rms_norm,
    "nn.GroupNorm": _group_norm,
    "nn.Embedding": _embedding,
    "nn.EmbeddingBag": _embedding,
    "nn.PReLU": _prelu,
    **{f"nn.{mode}": _recurrent(mode) for mode in ("RNN", "GRU", "LSTM")},
    **{f"nn.{mode}Cell": _cell(_GATES.get(mode, 1)) for mode in ("RNN", "GRU", "LSTM")},
    "nn.MultiheadAttention": _attention,
    "nn.TransformerEncoderLayer": _encoder_layer,
    "nn.TransformerDecoderLayer": _decoder_layer,
    "nn.DataParallel": _nothing,
    **{f"nn.{name}Loss": _weighted_loss for name in _WEIGHTED},
}


def registered(alias: str, facts: Facts) -> Shapes | None:
    """Shapes by name of what is in the state_dict of a module made with these arguments; None where it is not known.

    Names of torch's own submodules have a dot. Modules that the arguments give are left out.
    """
    make = _SHAPES.get(alias)
    if make is None:
        return None
    try:
        return make(facts)
    except UnknownFactsError:
        return None
