"""Run by test_builders.py in a process of its own: what torch makes of the samples. Prints JSON.

Only files of resources/samples are loaded, made by tests/builders. The classes of whole models are defined here.
"""

from __future__ import annotations

import json
import sys
import types
import warnings
from pathlib import Path
from typing import Final

import torch
from torch import nn

SAMPLES: Final = Path(__file__).resolve().parents[2] / "resources" / "samples"
SEAL: Final = b".data/serialization_id"


class TheModelClass(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(self.drop(self.blocks(self.conv(x)).view(x.size(0), -1)))


class Stem(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool(nn.functional.relu(self.conv(x)))


class ResidualBlock(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.scale * self.act(self.conv(x))


class Autoencoder(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.decoder(self.encoder(x))


def install(name: str, *classes: type) -> None:
    """Put classes where a pickle looks for them."""
    for part in (name.partition(".")[0], name):
        sys.modules.setdefault(part, types.ModuleType(part))
    for cls in classes:
        cls.__module__ = name
        setattr(sys.modules[name], cls.__name__, cls)


def without_seal(data: bytes) -> bytes:
    """The archive without the names' half of its id and the CRCs of the id: that half depends on the C++ library."""
    descriptor = data.rindex(b"PK\x07\x08")
    entry = data.rindex(b"PK\x01\x02")
    parts = data[: descriptor - 40], data[descriptor - 20 : descriptor + 4]
    return b"".join((*parts, data[descriptor + 8 : entry + 16], data[entry + 20 :]))


def saved_to(folder: Path, name: str, value: object) -> bool:
    """True when torch.save to a file of that name gives the sample's bytes."""
    torch.save(value, folder / name)
    return without_seal((folder / name).read_bytes()) == without_seal((SAMPLES / name).read_bytes())


def facts(tensor: torch.Tensor) -> list[object]:
    return [str(tensor.dtype), list(tensor.shape), list(tensor.stride()), tensor.storage_offset()]


def main() -> None:
    folder = Path(sys.argv[1])
    told: dict[str, object] = {}
    checkpoint = torch.load(SAMPLES / "checkpoint_adam.pt", weights_only=True)
    told["checkpoint keys"] = list(checkpoint)
    told["metadata"] = checkpoint["model_state_dict"]._metadata
    told["bn1.running_var"] = facts(checkpoint["model_state_dict"]["bn1.running_var"])
    told["step"] = checkpoint["optimizer_state_dict"]["state"][9]["step"].item()
    told["checkpoint as torch"] = saved_to(folder, "checkpoint_adam.pt", checkpoint)

    shared = torch.load(SAMPLES / "shared_and_strided.pt", weights_only=True)
    told["shared"] = {name: facts(tensor) for name, tensor in shared.items()}
    told["tied"] = shared["embedding.weight"].data_ptr() == shared["decoder.weight"].data_ptr()
    told["bfloat16"] = shared["bfloat16"].flatten().tolist()
    told["third_row"] = shared["third_row"].tolist()
    told["shared as torch"] = saved_to(folder, "shared_and_strided.pt", shared)

    install("shapes.model", Autoencoder)
    autoencoder = torch.load(SAMPLES / "whole_model_zip.pt", weights_only=False)
    told["autoencoder as torch"] = saved_to(folder, "whole_model_zip.pt", autoencoder)
    told["autoencoder"] = list(autoencoder.eval()(torch.zeros(1, 64)).shape)

    install("zoo.blocks", Stem, ResidualBlock)
    sys.modules["__main__"].TheModelClass = TheModelClass
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        model = torch.load(SAMPLES / "whole_model_legacy.pth", weights_only=False)
    told["heard"] = sorted(str(one.message)[:60] for one in heard)
    told["digits"] = list(model.eval()(torch.zeros(2, 1, 28, 28)).shape)
    told["digits keys"] = list(model.state_dict())
    try:
        torch.load(SAMPLES / "half_download.pth", weights_only=True)
    except RuntimeError as failure:
        told["half"] = str(failure).partition(",")[0]
    print(json.dumps(told))


if __name__ == "__main__":
    main()
