"""When torch's own modules got an attribute, where the bytes of a file do not tell: facts of torch's releases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Added:
    """An attribute of the classes of a module. `since`: the first version that sets it.

    `filled`: today's torch sets it while it loads an object that lacks it (`__setstate__`); `value`: to what, where
    that is not the default of a new module.
    """

    module: str
    since: str
    filled: bool = False
    value: str = ""


_ADDED: Final[dict[str, tuple[Added, ...]]] = {
    "approximate": (Added("torch.nn.modules.activation", "1.12"),),
    "batch_first": (Added("torch.nn.modules.activation", "1.9"),),
    "divisor_override": (Added("torch.nn.modules.pooling", "1.2"),),
    "label_smoothing": (Added("torch.nn.modules.loss", "1.10"),),
    "norm_first": (Added("torch.nn.modules.transformer", "1.10"),),
    "padding_mode": (Added("torch.nn.modules.conv", "1.1", filled=True),),
    "proj_size": (Added("torch.nn.modules.rnn", "1.8", filled=True),),
    "recompute_scale_factor": (Added("torch.nn.modules.upsampling", "1.11", filled=True, value="True"),),
}


def added(module: str, attribute: str) -> Added | None:
    """What is known of an attribute of the classes of a module of torch."""
    return next((fact for fact in _ADDED.get(attribute, ()) if fact.module == module), None)
