"""Which version of torch, Python and numpy wrote a file, as far as its bytes date it.

Each finding bounds the version from one side or both; what remains is said in words. Sources of the bounds: the
records of the zip and their order, the rebuild functions that pickles name, the attributes of pickled modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from viewer.core.archive.zip_reader import names_of
from viewer.core.document import Document, Pickle
from viewer.core.errors import SourceError
from viewer.core.objects.content import mapping
from viewer.core.objects.modules import BUFFERS, MODULES, PARAMETERS, attributes
from viewer.core.pickles.opcodes import codes
from viewer.core.pickles.values import Kind, Values

Version = tuple[int, ...]
_PYTHON_2: Final = codes("STRING BINSTRING SHORT_BINSTRING")
_MOST_OBJECTS: Final = 500
_MOST_NAMES: Final = 100_000
_LONGEST_MARK: Final = 8

# Name in a pickle (module, name; "" = any module) -> first and last torch that writes it.
_NAMES: Final[dict[tuple[str, str], tuple[Version | None, Version | None]]] = {
    ("torch._utils", "_rebuild_tensor"): (None, (0, 3)),
    ("torch._utils", "_rebuild_tensor_v2"): ((0, 4), None),
    ("torch._utils", "_rebuild_tensor_v3"): ((2, 2), None),
    ("torch._utils", "_rebuild_parameter"): ((0, 4), None),
    ("torch._utils", "_rebuild_parameter_with_state"): ((2, 0), None),
    ("torch._utils", "_rebuild_qtensor"): ((1, 3), None),
    ("torch._utils", "_rebuild_sparse_tensor"): ((1, 0), None),
    ("torch._utils", "_rebuild_sparse_csr_tensor"): ((1, 11), (1, 13)),
    ("torch._utils", "_rebuild_nested_tensor"): ((2, 2), None),
    ("torch._utils", "_rebuild_meta_tensor_no_storage"): ((1, 10), None),
    ("torch._utils", "_rebuild_xla_tensor"): ((1, 7), (1, 9)),
    ("torch._utils", "_rebuild_mlc_tensor"): ((1, 7), (1, 9)),
    ("torch._utils", "_rebuild_device_tensor_from_numpy"): ((1, 10), (2, 5)),
    ("torch._utils", "_rebuild_device_tensor_from_cpu_tensor"): ((2, 6), None),
    ("torch._utils", "_rebuild_wrapper_subclass"): ((1, 12), None),
    ("torch.tensor", "_rebuild_from_type"): ((1, 8), (1, 8)),
    ("torch._tensor", "_rebuild_from_type"): ((1, 9), (1, 10)),
    ("torch._tensor", "_rebuild_from_type_v2"): ((1, 11), None),
    ("torch.nested._internal.nested_tensor", "_rebuild_njt"): ((2, 3), None),
    ("torch.nn.backends.thnn", "_get_thnn_function_backend"): (None, (1, 2)),
    ("torch.storage", "_UntypedStorage"): ((1, 11), (1, 12)),
    ("torch.storage", "UntypedStorage"): ((1, 13), None),
}
# Attributes that torch gives to a module from a version on, and the last version without.
_ATTRIBUTES: Final[dict[str, tuple[Version, Version]]] = {
    "_load_state_dict_pre_hooks": ((1, 0), (0, 4)),
    "_non_persistent_buffers_set": ((1, 6), (1, 5)),
    "_is_full_backward_hook": ((1, 8), (1, 7)),
    "_load_state_dict_post_hooks": ((1, 12), (1, 11)),
    "_backward_pre_hooks": ((2, 0), (1, 13)),
    "_forward_hooks_always_called": ((2, 1), (2, 0)),
}
_FIRST: Final[dict[str, Version]] = {
    "torch-legacy": (0, 1, 10),
    "torch-zip": (1, 4),
    "torchscript": (1, 3),
    "torch-mobile": (1, 5),
    "torch-package": (1, 9),
    "torch-export": (2, 7),
    "torch-export-json": (2, 1),
}
_SCRIPTS: Final = frozenset({"torchscript", "torch-mobile"})
# protoVersion of model.json.
_JSON_VERSIONS: Final[dict[str, Version]] = {"1": (1, 0), "3": (1, 1), "5": (1, 2)}
_LAST_FOR_PYTHON_2: Final = (1, 4)
_PYTHONS: Final = {3: "Python 3", 4: "Python 3.4 or later", 5: "Python 3.8 or later"}


@dataclass(slots=True)
class Bounds:
    """The versions that are left. A bound that contradicts an earlier, stronger one is not taken."""

    low: Version | None = None
    high: Version | None = None

    def add(self, low: Version | None, high: Version | None) -> None:
        """Take one more finding."""
        if low is not None and (self.low is None or low > self.low) and not _above(low, self.high):
            self.low = low
        if high is not None and (self.high is None or high < self.high) and not _above(self.low, high):
            self.high = high

    def words(self, what: str) -> str | None:
        """`torch 2.1 or later`; None where nothing is known."""
        if self.low is None and self.high is None:
            return None
        if self.low is None or self.high is None:
            version, side = (self.high, "earlier") if self.low is None else (self.low, "later")
            return f"{what} {_text(version)} or {side}"
        if self.low == self.high:
            return f"{what} {_text(self.low)}"
        return f"{what} {_text(self.low)} to {_text(self.high)}"


def written_by(document: Document) -> str | None:
    """The writer in words: `torch 2.1 or later, numpy 2 or later`, `torch 1.0 to 1.2, Python 2`; None: nothing told."""
    fixed = {"npy": "numpy", "npz": "numpy", "torch-tar": "torch 0.1.9 or earlier"}.get(document.format)
    if fixed is not None:
        return fixed
    pickles = [pickle for pickle in document.pickles if len(pickle.code)]
    old = any(is_python_2(pickle.values) for pickle in pickles)
    parts = [_torch(document, pickles, old), _numpy(pickles)]
    if document.format not in _FIRST and not old:
        parts.append(_python(pickles))
    return ", ".join([*(part for part in parts if part), *(["Python 2"] if old else [])]) or None


def is_python_2(values: Values) -> bool:
    """True for a stream with the string opcodes that only Python 2 writes."""
    return bool(np.isin(values.code.codes, list(_PYTHON_2)).any())


def _torch(document: Document, pickles: list[Pickle], old: bool) -> str | None:
    """The torch whose records, tensors and modules these are; the container's word counts first."""
    bounds = Bounds()
    if document.format == "torch-zip":
        bounds.add(*_zip_bounds(document))
    elif document.format in _SCRIPTS:
        bounds.add(*_script_bounds(document))
    elif document.format == "torch-package":
        bounds.add(*_package_bounds(document))
    elif document.format == "torch-export-json":
        bounds.add((2, 1), (2, 6))
    elif document.format == "torchscript-json":
        stated = {each.value for each in document.metadata if each.key == "protoVersion"}
        version = _JSON_VERSIONS.get(next(iter(stated), ""))
        bounds.add(*((1, 0), (1, 2)) if version is None else (version, version))
    for low, high in _pickle_bounds(pickles):
        bounds.add(low, high)
    bounds.add(_FIRST.get(document.format), None)
    if old and (bounds.low is not None or bounds.high is not None):
        bounds.add(None, _LAST_FOR_PYTHON_2)
    return bounds.words("torch")


def _zip_bounds(document: Document) -> tuple[Version | None, Version | None]:
    """The torch that writes these records in this order."""
    names = [name.partition("/")[2] or name for name in names_of(document.records)]
    if ".format_version" in names or ".storage_alignment" in names:
        return (2, 7), None
    if ".data/serialization_id" in names or "byteorder" in names:
        return (2, 1), (2, 6)
    if "version" in names and "data.pkl" in names and names.index("version") < names.index("data.pkl"):
        exact = {b"1": (1, 4), b"2": (1, 5)}.get(_mark(document, "version"))
        return (exact, exact) if exact is not None else ((1, 4), (1, 5))
    keys = [name.removeprefix("data/") for name in names if re.fullmatch(r"data/\d{1,18}", name)]
    if not keys:
        return (1, 6), (2, 0)
    is_numbered = sorted(map(int, keys)) == list(range(len(keys)))
    return ((1, 9), (2, 0)) if is_numbered else ((1, 6), (1, 8))


def _script_bounds(document: Document) -> tuple[Version | None, Version | None]:
    """The torch that writes TorchScript records in this order. 1.3 wrote the code first, 1.4 and 1.5 the version."""
    names = [name.partition("/")[2] or name for name in names_of(document.records)]
    if "byteorder" in names or ".data/serialization_id" in names:
        return (2, 1), None
    if "version" not in names or "data.pkl" not in names:
        return None, None
    if names.index("version") < names.index("data.pkl"):
        code = next((at for at, name in enumerate(names) if name.startswith("code/")), len(names))
        if code < names.index("data.pkl"):
            return (1, 3), (1, 3)
        exact = {b"1": (1, 4), b"2": (1, 5)}.get(_mark(document, "version"))
        return (exact, exact) if exact is not None else ((1, 4), (1, 5))
    return (1, 6), (2, 0)


def _package_bounds(document: Document) -> tuple[Version | None, Version | None]:
    """The torch that writes these records beside the pickles of a package."""
    names = {name.partition("/")[2] for name in names_of(document.records)}
    if "byteorder" in names or ".data/serialization_id" in names:
        return (2, 1), None
    return ((1, 12), (2, 0)) if ".data/python_version" in names else ((1, 9), (1, 11))


def _mark(document: Document, name: str) -> bytes:
    """The content of a small record, without its line end."""
    for number, full in enumerate(names_of(document.records)):
        source = document.records[number].source if full.partition("/")[2] == name else None
        if source is not None:
            try:
                return source.read(0, _LONGEST_MARK).strip()
            except SourceError:
                return b""
    return b""


def _pickle_bounds(pickles: Iterable[Pickle]) -> Iterator[tuple[Version | None, Version | None]]:
    for pickle in pickles:
        values = pickle.values
        for name in _names(values):
            if name in _NAMES:
                yield _NAMES[name]
        module = _first_module(values)
        if module is not None:
            yield from _module_bounds(values, module)


def _names(values: Values) -> set[tuple[str, str]]:
    found = (values.global_name(value) for value in values.globals(_MOST_NAMES))
    return {name for name in found if name is not None}


def _first_module(values: Values) -> dict[str, int] | None:
    """The attributes of the first module of a stream."""
    for value in values.calls(_MOST_OBJECTS):
        if values.changes(value):
            held = attributes(values, value)
            if PARAMETERS in held and MODULES in held and BUFFERS in held:
                return held
    return None


def _module_bounds(values: Values, held: dict[str, int]) -> Iterator[tuple[Version | None, Version | None]]:
    for name, (first, last_without) in _ATTRIBUTES.items():
        yield (first, None) if name in held else (None, last_without)
    if "_backend" not in held and "_load_state_dict_pre_hooks" in held:
        yield (1, 3), None
    # torch 2.5 made the dictionaries of modules plain ones.
    if mapping(values, held[PARAMETERS]) and "_forward_hooks_always_called" in held:
        is_plain = values.kind(held[PARAMETERS]) is Kind.DICT
        yield ((2, 5), None) if is_plain else (None, (2, 4))


def _numpy(pickles: Iterable[Pickle]) -> str | None:
    modules = {module for pickle in pickles for module, _ in _names(pickle.values)}
    if any(module.startswith("numpy._core") for module in modules):
        return "numpy 2 or later"
    return "numpy 1" if any(module.startswith("numpy.core") for module in modules) else None


def _python(pickles: Iterable[Pickle]) -> str | None:
    return _PYTHONS.get(max((pickle.code.protocol for pickle in pickles), default=0))


def _above(low: Version | None, high: Version | None) -> bool:
    return low is not None and high is not None and low > high


def _text(version: Version | None) -> str:
    return ".".join(map(str, version or ()))
