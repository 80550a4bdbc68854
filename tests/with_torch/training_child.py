"""Run by test_training.py in a process of its own: saves training states of every kind, prints what they are.

FOLDER   writes optimizers.pt (state_dicts beside their models), whole.pt (an optimizer beside its module), training.pt
"""

import argparse
import json
import random
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
from torch import nn, optim
from torch.optim import lr_scheduler as schedules

warnings.simplefilter("ignore")


def network():
    """Two layers with a norm between, tied to nothing; shapes that come twice."""
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1))


def stepped(model, made):
    """An optimizer after two steps."""

    def loss():
        made.zero_grad()
        found = model(torch.ones(2, 3) if isinstance(model, nn.Sequential) else torch.tensor([1, 2])).sum()
        found.backward()
        return found

    for _ in range(2):
        loss()
        made.step(loss)
    return made


def optimizers():
    """By name: the module and the optimizer."""
    found = {}
    plain = {
        "SGD": {"lr": 0.25, "momentum": 0.9},
        "Adam": {"lr": 0.125, "amsgrad": True},
        "AdamW": {"lr": torch.tensor(0.5)},
        "NAdam": {},
        "RAdam": {},
        "Adamax": {},
        "Adagrad": {},
        "Adadelta": {},
        "RMSprop": {"centered": True},
        "Rprop": {},
        "ASGD": {},
        "LBFGS": {"lr": 0.0625},
        "Adafactor": {},
    }
    for name, settings in plain.items():
        model = network()
        found[name] = (model, stepped(model, getattr(optim, name)(model.parameters(), **settings)))
    model = nn.Embedding(4, 2, sparse=True)
    found["SparseAdam"] = (model, stepped(model, optim.SparseAdam(model.parameters())))
    model = network()
    decayed = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() == 1]
    groups = [{"params": decayed, "lr": 0.5}, {"params": others, "weight_decay": 0.0}]
    found["groups"] = (model, stepped(model, optim.AdamW(groups, lr=0.25)))
    model = network()
    found["named"] = (model, stepped(model, optim.Adam(model.named_parameters())))
    model = network()
    found["fresh"] = (model, optim.SGD(model.parameters(), lr=0.1))
    return found


def named(model, made):
    """The names of the parameters of an optimizer, in the order of its groups."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    return [names[id(parameter)] for group in made.param_groups for parameter in group["params"]]


def schedulers():
    """State_dicts by name, each after three steps, with the learning rate then."""
    made = {
        "StepLR": (2, 0.5),
        "MultiStepLR": ([1, 2],),
        "ExponentialLR": (0.5,),
        "CosineAnnealingLR": (4,),
        "CosineAnnealingWarmRestarts": (5,),
        "LambdaLR": (lambda epoch: 1 / (1 + epoch),),
        "MultiplicativeLR": (lambda epoch: 0.5,),
        "CyclicLR": (0.1, 0.2),
        "OneCycleLR": (0.5, 10),
        "PolynomialLR": (),
        "LinearLR": (),
        "ConstantLR": (),
    }
    found = {}
    for name, arguments in made.items():
        optimizer = optim.SGD(nn.Linear(1, 1).parameters(), lr=0.5, momentum=0.9)
        schedule = getattr(schedules, name)(optimizer, *arguments)
        for _ in range(3):
            optimizer.step()
            schedule.step()
        found[name] = schedule.state_dict()
    optimizer = optim.SGD(nn.Linear(1, 1).parameters(), lr=0.5)
    plateau = schedules.ReduceLROnPlateau(optimizer)
    plateau.step(0.75)
    parts = [schedules.ConstantLR(optimizer), schedules.StepLR(optimizer, 2)]
    found["ReduceLROnPlateau"] = plateau.state_dict()
    found["SequentialLR"] = schedules.SequentialLR(optimizer, parts, [3]).state_dict()
    found["ChainedScheduler"] = schedules.ChainedScheduler(parts).state_dict()
    found["SWALR"] = optim.swa_utils.SWALR(optimizer, 0.05).state_dict()
    return found


def training():
    """A checkpoint with all that is no weight."""
    torch.manual_seed(1234)
    torch.rand(3)
    random.seed(5)
    np.random.seed(6)
    return {
        "epoch": 7,
        "global_step": torch.tensor(41_000),
        "best_loss": 0.25,
        "args": argparse.Namespace(lr=0.5, name="run"),
        "scaler": torch.amp.GradScaler("cpu").state_dict(),
        "rng": {
            "cpu": torch.get_rng_state(),
            "cuda": [
                torch.frombuffer(bytearray((99).to_bytes(8, "little") + (12).to_bytes(8, "little")), dtype=torch.uint8)
            ],
            "python": random.getstate(),
            "numpy": np.random.get_state(),
        },
        "generator": np.random.default_rng(3).bit_generator.state,
        "schedules": schedulers(),
    }


def main(folder):
    """Save and tell."""
    torch.manual_seed(2)
    made = optimizers()
    states = {
        name: {"model": model.state_dict(), "optimizer": each.state_dict()} for name, (model, each) in made.items()
    }
    for form, zipped in (("zip", True), ("legacy", False)):
        torch.save(states, folder / f"optimizers.{form}.pt", _use_new_zipfile_serialization=zipped)
        torch.save(training(), folder / f"training.{form}.pt", _use_new_zipfile_serialization=zipped)
        model, each = made["Adam"]
        torch.save(
            {"model": model, "optimizer": each}, folder / f"whole.{form}.pt", _use_new_zipfile_serialization=zipped
        )
    print(json.dumps({name: named(*pair) for name, pair in made.items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
