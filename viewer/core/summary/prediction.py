"""What loading a file with torch needs: the line of code, with the arguments that this file makes necessary.

Only what the bytes decide: locations of storages, names that `weights_only=True` refuses. Whether the classes
can be imported where the file is loaded is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from viewer.core.document import Document, Pickle
from viewer.core.objects.state_dict import Branch, default_branch
from viewer.core.pickles.opcodes import OPCODES, codes
from viewer.core.problem import Severity
from viewer.core.tensors.dtypes import DTYPES, STORAGE_CLASSES, TENSOR_CLASSES
from viewer.core.tensors.path import Attribute, Key, Path

_TORCH: Final = frozenset({"torch-zip", "torch-legacy"})
# Names that torch.load(weights_only=True) takes besides storages, tensor classes and element types.
_ACCEPTED: Final = frozenset(
    {
        ("__builtin__", "bytearray"),
        ("__builtin__", "complex"),
        ("__builtin__", "set"),
        ("_codecs", "encode"),
        ("builtins", "bytearray"),
        ("builtins", "complex"),
        ("builtins", "set"),
        ("collections", "Counter"),
        ("collections", "OrderedDict"),
        ("torch", "Size"),
        ("torch", "Tensor"),
        ("torch", "device"),
        ("torch", "per_channel_affine"),
        ("torch", "per_channel_affine_float_qparams"),
        ("torch", "per_channel_symmetric"),
        ("torch", "per_tensor_affine"),
        ("torch", "per_tensor_symmetric"),
        ("torch._tensor", "_rebuild_from_type_v2"),
        ("torch._utils", "_rebuild_device_tensor_from_cpu_tensor"),
        ("torch._utils", "_rebuild_device_tensor_from_numpy"),
        ("torch._utils", "_rebuild_meta_tensor_no_storage"),
        ("torch._utils", "_rebuild_nested_tensor"),
        ("torch._utils", "_rebuild_parameter"),
        ("torch._utils", "_rebuild_parameter_with_state"),
        ("torch._utils", "_rebuild_qtensor"),
        ("torch._utils", "_rebuild_sparse_tensor"),
        ("torch._utils", "_rebuild_tensor"),
        ("torch._utils", "_rebuild_tensor_v2"),
        ("torch._utils", "_rebuild_tensor_v3"),
        ("torch._utils", "_rebuild_wrapper_subclass"),
        ("torch.nn.parameter", "Parameter"),
        ("torch.serialization", "_get_layout"),
        ("torch.storage", "TypedStorage"),
        ("torch.storage", "UntypedStorage"),
    }
)
_OPCODES: Final = codes(
    "PROTO GLOBAL NEWOBJ REDUCE BUILD APPEND APPENDS SETITEM SETITEMS MARK TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_TUPLE "
    "EMPTY_LIST EMPTY_DICT EMPTY_SET NONE NEWTRUE NEWFALSE BININT BININT1 BININT2 BINFLOAT BINUNICODE "
    "SHORT_BINSTRING LONG1 BINPERSID BINGET LONG_BINGET BINPUT LONG_BINPUT STOP"
)


@dataclass(frozen=True, slots=True)
class Loading:
    """How to load a file. `code`: lines of Python. `refused`: names and opcodes that weights_only=True refuses."""

    code: str
    refused: list[str] = field(default_factory=list)


def loading(document: Document, branches: list[Branch]) -> Loading | None:
    """The code that loads a document; None for other formats, and for damaged files, which do not load."""
    if any(problem.severity is Severity.ERROR for problem in document.problems):
        return None
    name = repr(document.path.name if document.path is not None else "file")
    if document.format in ("npy", "npz"):
        return Loading(f"import numpy\n\narrays = numpy.load({name})")
    pickle = document.main_pickle
    if document.format not in _TORCH or pickle is None or not pickle.code.complete:
        return None
    refused = refusals(pickle)
    arguments = [name]
    if any(tensor.storage is not None and tensor.storage.location != "cpu" for tensor in document.tensors):
        arguments.append('map_location="cpu"')
    arguments.append(f"weights_only={not refused}")
    lines = ["import torch", ""]
    if refused:
        lines.append("# This runs what the file asks for: only for files from people you trust.")
    lines.append(f"loaded = torch.load({', '.join(arguments)})")
    main = default_branch(branches)
    if len(main) == 1:
        access = f"loaded{subscripts(main[0].path)}"
        lines.append(f"state_dict = {access}.state_dict()" if main[0].kind == "module" else f"state_dict = {access}")
    return Loading("\n".join(lines), refused)


def refusals(pickle: Pickle) -> list[str]:
    """Names and opcodes of a stream that `torch.load(weights_only=True)` stops at, in stream order."""
    values = pickle.values
    found: dict[str, None] = {}
    for value in values.globals():
        written = values.global_name(value)
        if written is None or not is_accepted(*written):
            found[".".join(written) if written is not None else "a computed name"] = None
    used = np.flatnonzero(np.bincount(values.code.codes, minlength=256)).tolist()
    found.update(dict.fromkeys(OPCODES[byte].name for byte in used if byte not in _OPCODES))
    return list(found)


def is_accepted(module: str, name: str) -> bool:
    """True for a name that `torch.load(weights_only=True)` takes."""
    if (module, name) in _ACCEPTED:
        return True
    if module not in ("torch", "torch.cuda", "torch.storage") or name == "_UntypedStorage":
        return False
    return name in STORAGE_CLASSES or name in TENSOR_CLASSES or (module == "torch" and name in DTYPES)


def subscripts(path: Path) -> str:
    """A path as Python writes it behind a name: `["model"].encoder[0]`."""
    found = ""
    for part in path:
        if isinstance(part, Attribute):
            found += f".{part.name}"
        else:
            found += f"[{part.repr}]" if isinstance(part, Key) else f"[{part!r}]"
    return found
