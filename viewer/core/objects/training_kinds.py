"""Which optimizer or schedule of torch writes which keys: both keep their settings and no name."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

# A name, and keys that must be there. The first that fits counts.
_Row = tuple[str, frozenset[str]]


def _row(name: str, needed: str) -> _Row:
    return name, frozenset(needed.split())


_OPTIMIZERS: Final[tuple[_Row, ...]] = (
    _row("LBFGS", "max_iter tolerance_grad history_size"),
    _row("Muon", "ns_coefficients momentum"),
    _row("Adafactor", "beta2_decay d"),
    _row("NAdam", "betas momentum_decay"),
    _row("Adam", "betas eps amsgrad"),
    _row("RAdam", "betas decoupled_weight_decay"),
    _row("Rprop", "etas step_sizes"),
    _row("ASGD", "lambd alpha t0"),
    _row("Adagrad", "lr_decay eps"),
    _row("Adadelta", "rho eps"),
    _row("RMSprop", "alpha eps centered"),
    _row("SGD", "momentum dampening nesterov"),
)
_SCHEDULES: Final[tuple[_Row, ...]] = (
    _row("ReduceLROnPlateau", "patience threshold num_bad_epochs"),
    _row("SequentialLR", "_milestones _schedulers"),
    _row("ChainedScheduler", "_schedulers _last_lr"),
    _row("OneCycleLR", "total_steps base_lrs"),
    _row("CyclicLR", "max_lrs total_size"),
    _row("CosineAnnealingWarmRestarts", "T_0 T_mult last_epoch"),
    _row("CosineAnnealingLR", "T_max eta_min last_epoch"),
    _row("LambdaLR or MultiplicativeLR", "lr_lambdas last_epoch"),
    _row("MultiStepLR", "milestones gamma last_epoch"),
    _row("StepLR", "step_size gamma last_epoch"),
    _row("PolynomialLR", "power total_iters last_epoch"),
    _row("LinearLR", "start_factor end_factor last_epoch"),
    _row("ConstantLR", "factor total_iters last_epoch"),
    _row("SWALR", "anneal_epochs base_lrs"),
    _row("ExponentialLR", "gamma base_lrs last_epoch"),
    _row("", "base_lrs last_epoch"),
)
"""A schedule of another library has the keys of the base class, and no name."""
# Those that have no setting of their own are told by what they keep.
_BY_STATE: Final[tuple[_Row, ...]] = (
    _row("Adamax", "exp_avg exp_inf"),
    _row("Adam-like", "exp_avg exp_avg_sq"),
    _row("SGD", "momentum_buffer"),
)


def optimizer_kind(settings: Collection[str], kept: Collection[str], decoupled: bool | None) -> str:
    """The name of an optimizer by the keys of its groups and of its states; "" for an unknown one.

    `decoupled`: the setting that tells AdamW from Adam; older versions wrote none, so that both are possible.
    """
    found = _first(_OPTIMIZERS, settings)
    if found == "Adam":
        return "Adam or AdamW" if decoupled is None else "AdamW" if decoupled else "Adam"
    return found or _first(_BY_STATE, kept)


def schedule_kind(keys: Collection[str]) -> str | None:
    """The name of a schedule by its keys, "" for one of no known class; None for what is no schedule."""
    return next((name for name, needed in _SCHEDULES if needed.issubset(keys)), None)


def _first(rows: tuple[_Row, ...], keys: Collection[str]) -> str:
    return next((name for name, needed in rows if needed.issubset(keys)), "")
