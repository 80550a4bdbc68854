"""Run by test_state_dict.py in a process of its own: saves many modules, prints what `state_dict()` gives of each.

FOLDER DATA   writes NAME.pt, NAME.legacy.pt and NAME.dict.pt (the state_dict) to the first, and loads the .pth files of
the second, whose classes are in `recovery_zoo`; JSON to stdout.
"""

import hashlib
import json
import sys
import warnings
from collections import OrderedDict
from pathlib import Path

import torch
import torch.ao.nn.quantized as quantised
from torch import nn
from torch.ao.quantization import FakeQuantize, HistogramObserver, QuantStub, quantize_dynamic
from torch.nn.utils import parametrizations, parametrize, spectral_norm, weight_norm

warnings.simplefilter("ignore")


class Shared(nn.Module):
    """One layer under two names, one weight under two names, a child that is None."""

    def __init__(self):
        super().__init__()
        self.second = nn.Linear(3, 3)
        self.first = nn.Linear(3, 3)
        self.again = self.second
        self.head = nn.Linear(3, 3, bias=False)
        self.head.weight = self.first.weight
        self.nothing = None
        self.register_module("empty", None)


class Absent(nn.Module):
    """Parameters and buffers that are None, buffers that are not saved, tensors and lists that are attributes."""

    def __init__(self):
        super().__init__()
        self.register_parameter("bias", None)
        self.register_buffer("missing", None)
        self.register_buffer("kept", torch.arange(3))
        self.register_buffer("mask", torch.ones(2, 2), persistent=False)
        self.register_buffer("late", torch.zeros(2))
        self.register_buffer("cache", None, persistent=False)
        self.weight = nn.Parameter(torch.randn(2, 3))
        self.plain = torch.ones(5)
        self.several = [torch.ones(2), nn.Linear(2, 2)]
        self.by_name = {"a": nn.Parameter(torch.ones(1))}


class Replaced(nn.Module):
    """A parameter that became a plain attribute, a buffer that became a parameter, a child that was put in anew."""

    def __init__(self):
        super().__init__()
        self.one, self.two, self.three = nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)
        del self.one.weight
        self.one.weight = torch.ones(2, 2)
        self.register_buffer("moved", torch.ones(2))
        del self._buffers["moved"]
        self.moved = nn.Parameter(torch.zeros(2))
        del self.two
        self.two = nn.Linear(2, 1)


class Pickled(nn.Module):
    """Leaves some of its attributes out of its pickle."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.lock = object()

    def __getstate__(self):
        state = dict(self.__dict__)
        del state["lock"]
        return state


class Ordered(nn.Module):
    """Keys with odd names; an OrderedDict subclass of children."""

    def __init__(self):
        super().__init__()
        self.register_parameter("@at", nn.Parameter(torch.ones(1)))
        self.register_parameter("größe", nn.Parameter(torch.ones(2)))
        self.register_parameter("1", nn.Parameter(torch.ones(3)))
        self.add_module("@child", nn.Linear(1, 1))
        self.add_module("with space", nn.Sequential(OrderedDict(a=nn.Linear(1, 1), b=nn.ReLU())))


class Block(nn.Module):
    """A residual block."""

    def __init__(self, inner, outer, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inner, outer, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outer)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(outer, outer, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outer)
        self.downsample = (
            nn.Sequential(nn.Conv2d(inner, outer, 1, stride), nn.BatchNorm2d(outer)) if stride > 1 else None
        )


class Hooked(nn.Module):
    """A hook renames an entry."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self._register_state_dict_hook(renaming)


def renaming(module, found, prefix, local):
    """Put the weight under another name."""
    found[f"{prefix}renamed"] = found.pop(f"{prefix}layer.weight")


class Extra(nn.Module):
    """Adds an entry of its own."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    def get_extra_state(self):
        """More than tensors."""
        return {"epoch": 3}

    def set_extra_state(self, state):
        """Take it back."""


class Own(nn.Linear):
    """Writes its state_dict itself."""

    def state_dict(self, *args, **kwargs):
        """Without the bias."""
        found = super().state_dict(*args, **kwargs)
        return OrderedDict((name, value) for name, value in found.items() if not name.endswith("bias"))


class InheritsOwn(Own):
    """Through its base."""


def plain():
    """What is derived exactly."""
    traced = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)))
    averaged = torch.optim.swa_utils.AveragedModel(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)))
    lists = nn.ParameterList([nn.Parameter(torch.ones(2)), torch.ones(3), nn.Parameter(torch.ones(1))])
    mapped = nn.ParameterDict({"b": nn.Parameter(torch.ones(2)), "a": torch.ones(3), "none": None})
    children = nn.ModuleDict({"z": nn.Linear(1, 1), "a": nn.ModuleList([nn.PReLU(), None, nn.GELU()])})
    return {
        "shared": Shared(),
        "absent": Absent(),
        "replaced": Replaced(),
        "pickled": Pickled(),
        "ordered": Ordered(),
        "residual": nn.Sequential(
            nn.Conv2d(3, 4, 7), Block(4, 4), Block(4, 8, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten()
        ),
        "lists": lists,
        "mapped": mapped,
        "children": children,
        "parallel": nn.DataParallel(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))),
        "recurrent": nn.Sequential(nn.LSTM(3, 4, 2, bidirectional=True, proj_size=2), nn.GRU(2, 2), nn.RNNCell(2, 2)),
        "attention": nn.TransformerEncoderLayer(4, 2, 8),
        "transformer": nn.Transformer(4, 2, 1, 1, 8),
        "other_sizes": nn.MultiheadAttention(4, 2, kdim=3, vdim=5, add_bias_kv=True),
        "norms": nn.Sequential(nn.GroupNorm(1, 2), nn.LayerNorm(2), nn.InstanceNorm1d(2, track_running_stats=True)),
        "no_affine": nn.BatchNorm2d(3, affine=False),
        "no_statistics": nn.BatchNorm2d(3, track_running_stats=False),
        "embeddings": nn.ModuleList([nn.Embedding(4, 2, sparse=True), nn.EmbeddingBag(4, 2), nn.Bilinear(2, 2, 2)]),
        "old_weight_norm": weight_norm(nn.Linear(3, 2)),
        "old_weight_norm_conv": nn.Sequential(weight_norm(nn.Conv1d(3, 2, 1), dim=None)),
        "old_spectral_norm": spectral_norm(nn.Linear(3, 2)),
        "lazy": nn.Sequential(nn.LazyLinear(3), nn.LazyBatchNorm1d()),
        "meta": nn.Linear(3, 2, device="meta"),
        "half": nn.Linear(3, 2).to(torch.bfloat16).requires_grad_(False),
        "channels": nn.Conv2d(4, 4, 3).to(memory_format=torch.channels_last),
        "losses": nn.CrossEntropyLoss(weight=torch.ones(3)),
        "nothing": nn.Sequential(nn.ReLU(), nn.Dropout()),
        "averaged": averaged,
        "traced": traced,
        "compiled_part": nn.Sequential(nn.Linear(1, 1), torch.compile(nn.Sequential(nn.Linear(2, 2))), nn.Linear(1, 1)),
        "fake": FakeQuantize(),
        "observer": HistogramObserver(),
        "stub": nn.Sequential(QuantStub(), nn.Linear(1, 1)),
    }


def quantised_modules():
    """Tensors and numbers that packed objects hold."""
    model = nn.Sequential(
        quantised.Conv2d(3, 2, 1), quantised.ReLU6(), quantised.Linear(4, 3), quantised.BatchNorm2d(3)
    )
    return {
        "q_linear": quantised.Linear(3, 2),
        "q_bare": quantised.Linear(3, 2, bias_=False),
        "q_convolution": quantised.Conv2d(3, 2, 1),
        "q_transposed": quantised.ConvTranspose1d(3, 2, 1, bias=False),
        "q_model": model,
        "q_norms": nn.Sequential(
            quantised.LayerNorm(3, nn.Parameter(torch.ones(3)), nn.Parameter(torch.zeros(3)), 0.5, 3),
            quantised.Hardswish(0.1, 2),
        ),
        "q_numbers": nn.Sequential(
            quantised.Quantize(0.1, 3, torch.quint8), quantised.DeQuantize(), quantised.QFunctional()
        ),
        "q_embedding": quantised.Embedding(10, 4),
        "q_dynamic": quantize_dynamic(nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1)), {nn.Linear}),
        "q_recurrent": quantize_dynamic(nn.Sequential(nn.LSTM(3, 2), nn.Linear(2, 1)), {nn.LSTM}),
        "q_cell": quantize_dynamic(nn.Sequential(nn.LSTMCell(3, 2), nn.Linear(2, 1)), {nn.LSTMCell}),
    }


def doubtful():
    """What no pickle shows."""
    return {
        "hooked": nn.Sequential(nn.Linear(1, 1), Hooked()),
        "extra": nn.Sequential(Extra(), nn.Linear(1, 1), Extra()),
        "own": nn.Sequential(Own(2, 1), InheritsOwn(2, 1)),
        "compiled": torch.compile(nn.Linear(2, 2)),
    }


def dictionaries():
    """Modules whose state_dict alone can be saved."""
    made = {
        "parametrized": parametrizations.weight_norm(nn.Linear(3, 2)),
        "spectral": parametrizations.spectral_norm(nn.Linear(3, 2)),
        "orthogonal": nn.Sequential(parametrizations.orthogonal(nn.Linear(3, 3))),
    }
    layer = nn.Linear(2, 2)
    parametrize.register_parametrization(layer, "bias", nn.Softplus())
    return made | {"own_parametrization": layer}


def facts(value):
    """dtype, shape and the digest of one entry; text for what is no tensor."""
    if not isinstance(value, torch.Tensor):
        return {"parts": [facts(part) for part in value]} if isinstance(value, tuple) else {"text": str(value)}
    lazy = isinstance(value, nn.parameter.UninitializedTensorMixin)
    told = {"dtype": str(value.dtype).removeprefix("torch."), "shape": None if lazy else list(value.shape)}
    if not lazy and not value.is_meta:
        stored = value.int_repr() if value.is_quantized else value
        data = stored.detach().contiguous().view(-1).view(torch.uint8).numpy().tobytes()
        told["sha256"] = hashlib.sha256(data).hexdigest()
        told["numbers"] = value.item() if value.dim() == 0 else None
    return told


def told(module):
    """Names and facts in the order of `state_dict()`, and its versions."""
    found = module.state_dict()
    versions = {path: dict(facts) for path, facts in getattr(found, "_metadata", {}).items()}
    return {"entries": [[name, facts(value)] for name, value in found.items()], "versions": versions}


def save(folder):
    """Save all modules; what they give, by name."""
    answer = {}
    for name, module in (plain() | quantised_modules() | doubtful()).items():
        torch.save(module, folder / f"{name}.pt")
        torch.save(module, folder / f"{name}.legacy.pt", _use_new_zipfile_serialization=False)
        torch.save(module.state_dict(), folder / f"{name}.dict.pt")
        answer[name] = told(module)
    for name, module in dictionaries().items():
        torch.save(module.state_dict(), folder / f"{name}.dict.pt")
        answer[name] = told(module)
    return answer


def load(folder):
    """What modules of older versions give once torch has loaded them, without those that it cannot load."""
    answer = {}
    for path in sorted(folder.glob("*.pth")):
        try:
            answer[path.stem] = told(torch.load(path, weights_only=False))
        except (AttributeError, ImportError, ModuleNotFoundError, RuntimeError):
            continue
    return answer


def main(folder, data):
    """Save, load, tell."""
    torch.manual_seed(3)
    torch.backends.quantized.engine = "qnnpack" if "qnnpack" in torch.backends.quantized.supported_engines else "fbgemm"
    sys.path.insert(0, str(Path(__file__).with_name("recovery_zoo")))
    print(json.dumps({"saved": save(folder), "loaded": load(data)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
