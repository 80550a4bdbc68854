"""Names that nearly every training script gives to the same things, and the imports that bring them."""

from __future__ import annotations

from typing import Final

_MODULES: Final = (
    "abc argparse ast base64 bisect collections contextlib copy csv dataclasses enum functools gc glob gzip "
    "hashlib heapq inspect io itertools json logging math multiprocessing numbers numpy operator os pathlib "
    "pickle pprint random re shutil signal socket statistics string struct subprocess sys tempfile textwrap "
    "threading time traceback types typing uuid warnings weakref zipfile"
)
_LAYERS: Final = (
    "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AvgPool1d "
    "AvgPool2d AvgPool3d BCELoss BCEWithLogitsLoss BatchNorm1d BatchNorm2d BatchNorm3d Conv1d Conv2d Conv3d "
    "ConvTranspose1d ConvTranspose2d ConvTranspose3d CrossEntropyLoss DataParallel Dropout Dropout2d Dropout3d "
    "ELU Embedding Flatten GELU GRU GRUCell GroupNorm Hardtanh Identity InstanceNorm1d InstanceNorm2d "
    "InstanceNorm3d L1Loss LSTM LSTMCell LayerNorm LeakyReLU Linear LogSoftmax MSELoss MaxPool1d MaxPool2d "
    "MaxPool3d MaxUnpool2d Module ModuleDict ModuleList NLLLoss PReLU Parameter ParameterDict ParameterList "
    "PixelShuffle ReLU ReLU6 ReflectionPad2d ReplicationPad2d Sequential Sigmoid SmoothL1Loss Softmax Softmax2d "
    "Softplus Tanh Transformer TransformerEncoder TransformerEncoderLayer Upsample UpsamplingBilinear2d "
    "UpsamplingNearest2d ZeroPad2d"
)
_FROM: Final = {
    "abc": "ABC ABCMeta abstractmethod",
    "collections": "Counter OrderedDict defaultdict deque namedtuple",
    "contextlib": "contextmanager",
    "copy": "deepcopy",
    "dataclasses": "dataclass field",
    "enum": "Enum Flag IntEnum IntFlag",
    "functools": "lru_cache partial reduce wraps",
    "numbers": "Number",
    "pathlib": "Path",
    "torch": "Tensor",
    "torch.autograd": "Function Variable",
    "torch.nn": _LAYERS,
    "torch.nn.init": (
        "constant_ kaiming_normal_ kaiming_uniform_ normal_ orthogonal_ trunc_normal_ uniform_ xavier_normal_ "
        "xavier_uniform_"
    ),
    "torch.nn.modules.batchnorm": "_BatchNorm",
    "torch.nn.modules.conv": "_ConvNd",
    "torch.nn.modules.utils": "_pair _quadruple _single _triple",
    "torch.nn.utils": "spectral_norm weight_norm",
    "torch.nn.utils.rnn": "PackedSequence pack_padded_sequence pack_sequence pad_packed_sequence pad_sequence",
    "torch.utils.data": "DataLoader Dataset",
    "typing": (
        "Any Callable ClassVar Dict Final Generator Generic Iterable Iterator List Literal Mapping NamedTuple NoReturn "
        "Optional Protocol Sequence Set Tuple Type TypeVar TypedDict Union cast overload"
    ),
}

MODULE_ALIASES: Final[dict[str, str]] = {
    **{name: f"import {name}" for name in _MODULES.split()},
    "F": "import torch.nn.functional as F",
    "autograd": "from torch import autograd",
    "init": "from torch.nn import init",
    "lr_scheduler": "from torch.optim import lr_scheduler",
    "nn": "from torch import nn",
    "np": "import numpy as np",
    "optim": "from torch import optim",
    "torch": "import torch",
}
"""Names that stand for a module wherever something is taken of them, as in `np.zeros`."""

_SURE: Final = "F collections functools itertools json logging math nn np numpy optim os re sys torch typing warnings"
SURE: Final = frozenset(_SURE.split())
"""Those of them that nothing else is ever called by."""

NAME_ALIASES: Final[dict[str, str]] = {
    name: f"from {module} import {name}" for module, names in _FROM.items() for name in names.split()
}
"""Names of classes and functions."""

KNOWN_ALIASES: Final[dict[str, str]] = {**NAME_ALIASES, **MODULE_ALIASES}
"""All names that are imported without being asked for, each with its import."""

HINTS: Final[dict[str, str]] = {
    "Image": "from PIL import Image",
    "PIL": "import PIL",
    "basestring": "basestring = str",
    "cv2": "import cv2",
    "einops": "import einops",
    "h5py": "import h5py",
    "long": "long = int",
    "models": "from torchvision import models",
    "pd": "import pandas as pd",
    "pl": "import pytorch_lightning as pl",
    "plt": "from matplotlib import pyplot as plt",
    "raw_input": "raw_input = input",
    "rearrange": "from einops import rearrange",
    "repeat": "from einops import repeat",
    "scipy": "import scipy",
    "skimage": "import skimage",
    "sklearn": "import sklearn",
    "timm": "import timm",
    "torchaudio": "import torchaudio",
    "torchvision": "import torchvision",
    "tqdm": "from tqdm import tqdm",
    "transforms": "from torchvision import transforms",
    "unichr": "unichr = chr",
    "unicode": "unicode = str",
    "xrange": "xrange = range",
    "yaml": "import yaml",
}
"""What usually brings a name that is not imported: other packages, and what Python 3 has under another name."""


def known_import(name: str, attributes: frozenset[str]) -> str | None:
    """The import of a well-known name that is used with these attributes ("": as it is); None for other names."""
    if name in MODULE_ALIASES:
        # `time()` alone is no use of the module time
        return MODULE_ALIASES[name] if name in SURE or attributes - {""} else None
    return NAME_ALIASES.get(name)
