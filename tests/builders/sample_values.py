"""The values inside the samples: weights by a fixed arithmetic, the same on every machine and in every run."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import Final

from tests.builders import sample_sources as sources
from tests.builders.torch_values import (
    ModuleClass,
    Storage,
    adam_state_dict,
    full,
    module,
    packed,
    parameter,
    state_dict,
    storage,
    tensor,
)
from tests.builders.values import Call, Global, Instance

STEP: Final = 6364136223846793005
CARRY: Final = 1442695040888963407


def weights(seed: int, count: int, width: float, centre: float = 0.0) -> list[float]:
    """Numbers in a bell about the centre, about `width` wide, exact in float32."""
    return [struct.unpack("<f", struct.pack("<f", centre + width * number))[0] for number in islice(bell(seed), count)]


def bell(seed: int) -> Iterator[float]:
    """Sums of four even steps of a congruential generator: between -1 and 1, mostly near 0."""
    state = seed
    while True:
        total = 0
        for _ in range(4):
            state = (state * STEP + CARRY) % 2**64
            total += (state >> 40) - 2**23
        yield total / 2**25


def layer(seed: int, shape: Sequence[int]) -> tuple[Call, Call]:
    """Weight and bias of a layer that starts with `shape`: [out, in, ...]."""
    width = 1.7 / prod(shape[1:]) ** 0.5
    weight = full("float32", shape, weights(seed, prod(shape), width))
    return weight, full("float32", shape[:1], weights(seed + 1, shape[0], width / 4))


def torch_class(file: str, name: str, source: str) -> ModuleClass:
    """A class of torch.nn as a stream of 2019 kept it."""
    return ModuleClass(f"torch.nn.modules.{file}", name, f"{sources.TORCH_FOLDER}{file}.py", source)


class OldClasses:
    """The classes of one legacy stream; each brings its source at its first use."""

    def __init__(self) -> None:
        self.model = ModuleClass("__main__", "TheModelClass", sources.TRAIN_FILE, sources.THE_MODEL_CLASS)
        self.stem = ModuleClass("zoo.blocks", "Stem", sources.BLOCKS_FILE, sources.STEM)
        self.block = ModuleClass("zoo.blocks", "ResidualBlock", sources.BLOCKS_FILE, sources.RESIDUAL_BLOCK)
        self.conv = torch_class("conv", "Conv2d", sources.CONV2D)
        self.pool = torch_class("pooling", "MaxPool2d", sources.MAX_POOL2D)
        self.relu = torch_class("activation", "ReLU", sources.RELU)
        self.sequential = torch_class("container", "Sequential", sources.SEQUENTIAL)
        self.dropout = torch_class("dropout", "Dropout", sources.DROPOUT)
        self.linear = torch_class("linear", "Linear", sources.LINEAR)


def old_conv(classes: OldClasses, seed: int, shape: tuple[int, int, int, int], padding: int) -> Instance:
    """A Conv2d of torch 1.1; shape is [out, in, height, width]."""
    weight, bias = layer(seed, shape)
    attributes = {
        "in_channels": shape[1],
        "out_channels": shape[0],
        "kernel_size": shape[2:],
        "stride": (1, 1),
        "padding": (padding, padding),
        "dilation": (1, 1),
        "transposed": False,
        "output_padding": (0, 0),
        "groups": 1,
        "padding_mode": "zeros",
    }
    return module(classes.conv, attributes, {"weight": parameter(weight), "bias": parameter(bias)}, era="1.1")


def old_model() -> Instance:
    """TheModelClass(): 8 tensors, 5,306 numbers."""
    classes = OldClasses()
    pool = {"kernel_size": 4, "stride": 4, "padding": 0, "dilation": 1, "return_indices": False, "ceil_mode": False}
    stem = {
        "conv": old_conv(classes, 11, (8, 1, 5, 5), 2),
        "pool": module(classes.pool, pool, era="1.1"),
    }
    blocks = {}
    for index, scale in enumerate((1.0, 0.5)):
        inside = {
            "conv": old_conv(classes, 21 + 10 * index, (8, 8, 3, 3), 1),
            "act": module(classes.relu, {"inplace": False}, era="1.1"),
        }
        blocks[str(index)] = module(classes.block, {"scale": scale}, children=inside, era="1.1")
    weight, bias = layer(41, (10, 392))
    linear = {"weight": parameter(weight), "bias": parameter(bias)}
    children = {
        "conv": module(classes.stem, children=stem, era="1.1"),
        "blocks": module(classes.sequential, children=blocks, era="1.1"),
        "drop": module(classes.dropout, {"p": 0.25, "inplace": False}, era="1.1"),
        "fc": module(classes.linear, {"in_features": 392, "out_features": 10}, linear, era="1.1"),
    }
    return module(classes.model, {"labels": [str(digit) for digit in range(10)]}, children=children, era="1.1")


def new_linear(seed: int, into: int, out: int) -> Instance:
    """A Linear of torch 2.13."""
    weight, bias = layer(seed, (out, into))
    parameters = {"weight": parameter(weight), "bias": parameter(bias)}
    attributes = {"in_features": into, "out_features": out}
    return module(ModuleClass("torch.nn.modules.linear", "Linear"), attributes, parameters)


def new_model() -> Instance:
    """An autoencoder saved whole by torch 2.13: its classes are named, their code is not there."""
    sequential = ModuleClass("torch.nn.modules.container", "Sequential")
    relu = module(ModuleClass("torch.nn.modules.activation", "ReLU"), {"inplace": False})
    sigmoid = module(ModuleClass("torch.nn.modules.activation", "Sigmoid"))
    norm = module(
        ModuleClass("torch.nn.modules.batchnorm", "BatchNorm1d"),
        {"num_features": 12, "eps": 1e-05, "momentum": 0.1, "affine": True, "track_running_stats": True},
        {
            "weight": parameter(full("float32", (12,), weights(61, 12, 0.1, 1.0))),
            "bias": parameter(full("float32", (12,), weights(62, 12, 0.1))),
        },
        {
            "running_mean": full("float32", (12,), weights(63, 12, 0.5)),
            "running_var": full("float32", (12,), weights(64, 12, 0.3, 1.0)),
            "num_batches_tracked": full("int64", (), [4200]),
        },
    )
    children = {
        "encoder": module(sequential, children={"0": new_linear(51, 64, 12), "1": norm, "2": relu}),
        "decoder": module(sequential, children={"0": new_linear(71, 12, 64), "1": sigmoid}),
    }
    attributes = {"latent": 12, "trained_on": "shapes-64", "history": [0.412, 0.187, 0.094]}
    return module(ModuleClass("shapes.model", "Autoencoder"), attributes, children=children)


def batch_norm(seed: int, width: int, prefix: str) -> dict[str, Call]:
    """The five tensors of a BatchNorm, by name."""
    return {
        f"{prefix}.weight": full("float32", (width,), weights(seed, width, 0.1, 1.0)),
        f"{prefix}.bias": full("float32", (width,), weights(seed + 1, width, 0.1)),
        f"{prefix}.running_mean": full("float32", (width,), weights(seed + 2, width, 0.5)),
        f"{prefix}.running_var": full("float32", (width,), weights(seed + 3, width, 0.3, 1.0)),
        f"{prefix}.num_batches_tracked": full("int64", (), [1875]),
    }


def trained(seed: int) -> dict[str, Call]:
    """A small convolutional network's tensors by name, in the order of state_dict()."""
    tensors: dict[str, Call] = {}
    for index, shape in enumerate(((8, 1, 3, 3), (16, 8, 3, 3)), 1):
        tensors[f"conv{index}.weight"], tensors[f"conv{index}.bias"] = layer(seed + 20 * index, shape)
        tensors |= batch_norm(seed + 20 * index + 10, shape[0], f"bn{index}")
    tensors["fc.weight"], tensors["fc.bias"] = layer(seed + 70, (10, 144))
    return tensors


VERSIONS: Final = {"": 1, "conv1": 1, "bn1": 2, "conv2": 1, "bn2": 2, "fc": 1}


def checkpoint(seed: int = 100) -> dict[str, object]:
    """What the tutorials save: epoch, model, optimizer, loss."""
    tensors = trained(seed)
    learned = [value for name, value in tensors.items() if name.endswith(("weight", "bias"))]
    states = []
    for index, value in enumerate(learned):
        shape = value.args[2]
        count = prod(shape)
        average = full("float32", shape, weights(seed + 200 + index, count, 1e-3))
        square = full("float32", shape, [number * number for number in weights(seed + 300 + index, count, 1e-3)])
        states.append((full("float32", (), [1875.0]), average, square))
    return {
        "epoch": 5,
        "model_state_dict": state_dict(tensors, VERSIONS),
        "optimizer_state_dict": adam_state_dict(states),
        "loss": 0.0427,
    }


def shared_and_strided() -> dict[str, object]:
    """Tensors that share storages or walk through them in their own way."""
    table = storage("float32", weights(600, 160, 0.3))
    matrix = storage("float32", [float(number) for number in range(24)])
    batch = storage("float32", [float(number) for number in range(256)])
    row = storage("float32", [0.25, 0.5, 0.75])
    halves = Storage("bfloat16", packed("bfloat16", [-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5]))
    picture = storage("float32", [float(number) for number in range(48)])
    return {
        "embedding.weight": tensor(table, (20, 8)),
        "decoder.weight": tensor(table, (20, 8)),
        "matrix": tensor(matrix, (6, 4)),
        "transposed": tensor(matrix, (4, 6), (1, 4)),
        "third_row": tensor(matrix, (4,), offset=8),
        "every_second_column": tensor(matrix, (6, 2), (4, 2)),
        "expanded": tensor(row, (5, 3), (0, 1)),
        "four_of_many": tensor(batch, (4,), offset=100),
        "channels_last": tensor(picture, (1, 3, 4, 4), (48, 1, 12, 3)),
        "bfloat16": tensor(halves, (2, 4)),
    }


def runs_a_command() -> dict[str, object]:
    """What a hostile file asks for; the command is harmless and nothing here or in the viewer runs it."""
    command = Call(Global("posix", "system"), ("echo A program that trusts this file has just run a command.",))
    return {"epoch": 3, "weights": command}
