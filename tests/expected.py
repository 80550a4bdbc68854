"""The facts that stand beside the files of ../shared, in one form, and how ours are held against them.

Facts of `samples` join paths by `/` and write attributes as `.x`; those of `cases` are lists with `@x`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import numpy as np

from tests.shared import SHARED
from viewer.core.document import Document
from viewer.core.tensors.dtypes import numpy_type
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.meaning import numbers
from viewer.core.tensors.path import Attribute, Key, Part, to_json
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks, read

Facts = Mapping[str, Any]


@cache
def expected(folder: str) -> Facts:
    """The facts of a folder by file or case; empty where the folder is absent."""
    path = SHARED / folder / "expected.json"
    found: Facts = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found.get("samples", found)


def joined(path: tuple[Part, ...]) -> str:
    """A path as `samples` write it."""
    return "/".join(
        f".{part.name}" if isinstance(part, Attribute) else part.repr if isinstance(part, Key) else str(part)
        for part in path
    )


MODULE_PARTS = frozenset({"_modules", "_parameters", "_buffers"})


def in_modules(path: tuple[Part, ...]) -> str:
    """A path with the names of modules joined by dots, without the attributes that hold them."""
    text, after, inside = "", False, False
    for part in path:
        if isinstance(part, Attribute) and part.name in MODULE_PARTS:
            after = True
            continue
        sign = "." if after and inside else "/"
        inside, after = after, False
        text += (sign if text else "") + joined((part,))
    return text


def by_name(document: Document) -> dict[str, Tensor]:
    """All tensors of a file by what `samples` may call them: their path, or their name in the state_dict."""
    found: dict[str, Tensor] = {}
    streams = [part for part in document.walk() if part.held is None]
    for number, part in enumerate(streams):
        for tensor in part.tensors:
            path = joined(tensor.path)
            numbered = f"{number}/{path}".rstrip("/") if len(streams) > 1 else path
            record = in_package(part, tensor)
            for name in (
                numbered,
                path,
                tensor.name or path,
                in_modules(tensor.path),
                f"{record}/{tensor.name}",
                f"{record}/{in_modules(tensor.path)}",
            ):
                found.setdefault(name, tensor)
            for _, inner in tensor.parts:
                found.setdefault(joined(inner.path).removeprefix("."), inner)
    return found


def in_package(document: Document, tensor: Tensor) -> str:
    """The pickle that a tensor of a package stands in; those of TorchScript go by the pickle with their id."""
    if document.format != "torch-package" or tensor.value is None:
        return ""
    record = document.pickles[tensor.value.pickle].record
    if "/.data/" in record:
        record = document.pickles[document.main].record
    return record.partition("/")[2]


def by_path(document: Document) -> dict[str, Tensor]:
    """All tensors by their path as JSON. The facts of TorchScript write attributes as keys."""
    found: dict[str, Tensor] = {}
    for part in document.walk():
        for tensor in part.tensors:
            path = to_json(tensor.path)
            if part.format == "torchscript":
                path = [str(name).removeprefix("@") for name in path]
            found[json.dumps(path)] = tensor
    return found


def differences(tensor: Tensor, facts: Facts, kind: str = "") -> Iterator[str]:
    """What differs between a tensor of ours and its facts. `kind`: the format of its file."""
    if not same_type(tensor, str(facts["dtype"])):
        yield f"dtype {tensor.dtype} {tensor.numpy_dtype} is not {facts['dtype']}"
    for name, value in (("shape", tensor.shape), ("stride", tensor.stride)):
        if facts.get(name) is not None and list(value) != list(facts[name]):
            yield f"{name} {value} is not {facts[name]}"
    for name, plain in (("storage_offset", tensor.storage_offset), ("requires_grad", tensor.requires_grad)):
        if name in facts and plain != facts[name] and not (plain is True and is_detached(tensor, kind)):
            yield f"{name} {plain} is not {facts[name]}"
    if facts.get("sha256"):
        is_swapped = tensor.kind == "array" and str(facts["dtype"]).startswith(">")
        # These facts are those of the stored bytes, before the bits are applied.
        plain = replace(tensor, conj=False, neg=False)
        found = swapped_sha256(plain) if is_swapped else sha256(plain)
        if found != facts["sha256"]:
            yield f"hash {found} is not {facts['sha256']}"
    yield from differences_of_parts(tensor, facts)


def differences_of_parts(tensor: Tensor, facts: Facts) -> Iterator[str]:
    """What differs in the layout, the quantizer, the conj and neg bits, and the tensors that one is made of."""
    parts = dict(tensor.parts)
    layout = str(facts.get("layout") or "strided").removeprefix("torch.")
    if layout != tensor.layout and tensor.layout != "nested":
        yield f"layout {tensor.layout} is not {layout}"
    for name, bit in (("conj_bit", tensor.conj), ("neg_bit", tensor.neg)):
        if facts.get(name, False) != bit:
            yield f"{name} is {bit}"
    inner = {role: facts[name] for name, role in SPARSE.items() if name in facts and tensor.layout.startswith("sparse")}
    inner |= {"values": facts["nested_values"]} if "nested_values" in facts else {}
    for role, stated in {**inner, **facts.get("wrapper_of", {})}.items():
        if isinstance(stated, list):
            stated = {"numbers": stated}
        if role not in parts:
            yield f"no {role} among {sorted(parts)}"
        elif "numbers" in stated:
            if read(parts[role]).tolist() != stated["numbers"]:
                yield f"{role} {read(parts[role]).tolist()} is not {stated['numbers']}"
        else:
            yield from (f"{role}: {found}" for found in differences(parts[role], stated))
    for name in ("sizes", "strides", "offsets"):
        if f"nested_{name}" in facts and read(parts[name]).tolist() != facts[f"nested_{name}"]:
            yield f"{name} {read(parts[name]).tolist()} is not {facts[f'nested_{name}']}"
    if "coalesced" in facts and bool(tensor.coalesced) != facts["coalesced"]:
        yield f"coalesced {tensor.coalesced} is not {facts['coalesced']}"
    if "qscheme" in facts:
        yield from differences_of_quantizer(tensor, facts)


ROLES: Final = ("indices", "crow_indices", "col_indices", "ccol_indices", "row_indices", "values")
SPARSE: Final = {**{role: role for role in ROLES}, "crow": "crow_indices", "col": "col_indices"}


def differences_of_quantizer(tensor: Tensor, facts: Facts) -> Iterator[str]:
    """What differs in scheme, scales, zero points and axis."""
    quantizer = tensor.quantizer
    if quantizer is None:
        yield "no quantizer"
        return
    if f"torch.{quantizer.scheme}" != facts["qscheme"] or quantizer.axis != facts.get("q_axis"):
        yield f"{quantizer} is not {facts['qscheme']} along {facts.get('q_axis')}"
    for name, given in (("scale", quantizer.scale), ("zero_point", quantizer.zero_point)):
        stated = facts.get(f"q_{name}", facts.get(f"q_{name}s"))
        if numbers(given).tolist() != stated:
            yield f"{name} {numbers(given).tolist()} is not {stated}"


def same_type(tensor: Tensor, stated: str) -> bool:
    """Whether a type is the one that is stated: torch's name, numpy's name or code, or a list of fields.

    Byte orders are not compared: those of arrays that were loaded are the machine's.
    """
    name = stated.removeprefix("torch.")
    if tensor.kind != "array" or name in (tensor.dtype, tensor.numpy_dtype):
        return name in (tensor.dtype, tensor.numpy_dtype)
    try:
        return bool(numpy_type(tensor.numpy_dtype).newbyteorder("<") == np.dtype(name).newbyteorder("<"))
    except TypeError:
        return False


SCRIPTS = frozenset({"torchscript", "torch-mobile", "torch-package"})


def is_detached(tensor: Tensor, kind: str) -> bool:
    """True for parameters of modules and programs: their facts are those of the state_dict, which detaches them."""
    is_scripted = kind in SCRIPTS and tensor.name is not None and isinstance(tensor.path[-1], Attribute)
    is_exported = kind == "torch-export" and tensor.value is None
    return is_scripted or is_exported or Attribute("_parameters") in tensor.path


def swapped_sha256(tensor: Tensor) -> str:
    """The digest of big-endian elements: the facts of arrays that stayed big-endian are those of their own bytes."""
    digest = hashlib.sha256()
    for block in blocks(tensor):
        digest.update(block.byteswap().tobytes())
    return digest.hexdigest()
