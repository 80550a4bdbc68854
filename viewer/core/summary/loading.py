"""The lines of Python that load a file, with the arguments and imports that it makes necessary.

Every name of the file that goes into a line is made of identifiers, so that a file cannot write code; what is
refused for a reason that no list of names removes is loaded with weights_only=False, and a comment says what that is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from viewer.core.code.python_text import is_plain_name
from viewer.core.document import Document
from viewer.core.objects.state_dict import Branch, default_branch
from viewer.core.summary.missing import Missing
from viewer.core.summary.weights_only import LONGEST, NUMPY, Allowed, Refusals
from viewer.core.tensors.path import Attribute, Key, Path

_PLAIN_NUMPY: Final = frozenset({"numpy.ndarray", "numpy.dtype"})
_TAKEN: Final = frozenset({"torch", "numpy", "allowed", "loaded", "model", "state_dict", "type"})
_MOST_NAMED: Final = 8
_ONE_LINE: Final = 88
_LONGEST: Final = 1000
_INDENT: Final = "    "
_TRUSTED: Final = "only for files from people you trust."
_HOLDERS: Final = {"npy": "array", "npz": "arrays"}


def other_code(document: Document) -> str | None:
    """The code for formats that another loader reads; None where there is none to be named."""
    name = file_name(document)
    if document.format in _HOLDERS:
        return f"import numpy\n\n{_HOLDERS[document.format]} = numpy.load({name})"
    if document.format == "safetensors":
        return f"from safetensors.torch import load_file\n\nstate_dict = load_file({name})"
    return None


class Needs(Protocol):
    """What the code depends on."""

    @property
    def refusals(self) -> Refusals:
        """What weights_only=True refuses."""

    @property
    def missing(self) -> Sequence[Missing]:
        """What must be importable."""


def torch_code(document: Document, branches: Sequence[Branch], needs: Needs, *, moved: bool, latin: bool) -> str:
    """The code for torch.load. `moved`: some storage is on a device that other computers may lack.

    `latin`: there are Python 2 strings that are no UTF-8.
    """
    refusals, missing = needs.refusals, needs.missing
    # Nothing in a tar is read with weights_only=True, whatever it holds.
    is_tar = document.format == "torch-tar"
    safe = bool(refusals.reaching) or not (refusals or is_tar)
    listed = refusals.allowed is not None and not is_tar
    arguments = [file_name(document)]
    if moved:
        arguments.append('map_location="cpu"')
    if latin:
        arguments.append('encoding="latin1"')
    arguments.append(f"weights_only={safe or listed}")
    target, access = _access(branches)
    load = f"{target} = torch.load({', '.join(arguments)})"
    lines = ["import torch"]
    if safe:
        lines += ["", *_warned(refusals), load]
    elif listed:
        imports, locals_of = _imports(refusals.allowed or [])
        lines += [*imports, "", *_allowing(refusals, locals_of, load)]
    else:
        lines += ["", *_needs(missing), f"# This runs what the file asks for: {_TRUSTED}", load]
    return "\n".join([*lines, *access])


def file_name(document: Document) -> str:
    """The name of the file as a Python literal."""
    return repr(document.path.name if document.path is not None else "file")


def subscripts(path: Path) -> str | None:
    """A path as Python writes it behind a name, `["model"].encoder[0]`; None where it cannot be written."""
    found = ""
    for part in path:
        if isinstance(part, Attribute):
            if not is_plain_name(part.name):
                return None
            found += f".{part.name}"
        elif isinstance(part, Key):
            if not _is_literal(part.repr):
                return None
            found += f"[{part.repr}]"
        else:
            found += f"[{part!r}]"
    return found if len(found) <= _LONGEST else None


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


# -- what stands before the line that loads ----------------------------------------------------------


def _warned(refusals: Refusals) -> list[str]:
    if not refusals.reaching:
        return []
    named = _joined(refusals.reaching)
    return [f"# Loading would run {named or 'what the file names'}: weights_only=True refuses this file."]


def _needs(missing: Iterable[Missing]) -> list[str]:
    """Which modules must be importable."""
    names = [entry.name for entry in missing]
    modules = dict.fromkeys(name.rpartition(".")[0] for name in names if not name.startswith("__main__."))
    own = [name.removeprefix("__main__.") for name in names if name.startswith("__main__.")]
    lines = [f"# Define these here first: {_joined(own)}."] if _joined(own) else []
    return [*lines, f"# These modules must be importable: {_joined(modules)}."] if _joined(modules) else lines


def _joined(names: Iterable[str]) -> str:
    """The first names that are names, for a comment."""
    found = [name for name in names if len(name) <= LONGEST and all(map(is_plain_name, name.split(".")))]
    return ", ".join(found[:_MOST_NAMED]) + (", …" if len(found) > _MOST_NAMED else "")


def _imports(allowed: Sequence[Allowed]) -> tuple[list[str], dict[str, str]]:
    """Imports of what is allowed, and what each is called then: modules may be hidden by functions of their name."""
    taken = set(_TAKEN)
    locals_of: dict[str, str] = {}
    by_module: dict[str, list[str]] = {}
    for name in allowed:
        if name.full in _PLAIN_NUMPY or name.module == "builtins":
            locals_of[name.full] = name.full.removeprefix("builtins.")
            continue
        local = name.name
        while local in taken:
            local += "_"
        taken.add(local)
        locals_of[name.full] = local
        words = name.name if local == name.name else f"{name.name} as {local}"
        by_module.setdefault(_today(name.module), []).append(words)
    own = by_module.pop("__main__", [])
    lines = ["import numpy"] if any(NUMPY.fullmatch(name.full) for name in allowed) else []
    lines += [f"from {module} import {', '.join(names)}" for module, names in sorted(by_module.items())]
    if own:
        lines += ["", "# Define these here first: they were classes of the script that saved the file."]
        lines.append(f"from __main__ import {', '.join(own)}")
    return lines, locals_of


def _allowing(refusals: Refusals, locals_of: Mapping[str, str], load: str) -> list[str]:
    """The line that loads, inside of a list of names that are safe for it."""
    allowed = refusals.allowed or []
    # Functions say where they were found: their own idea of it may be another.
    names = [
        locals_of[name.full]
        if name.is_class or name.full in _PLAIN_NUMPY
        else f'({locals_of[name.full]}, "{name.full}")'
        for name in allowed
    ]
    if any(NUMPY.fullmatch(name.full) for name in allowed):
        names += [f"type(numpy.dtype({text!r}))" for text in refusals.numpy_types]
    comment = f"# This lets the file make objects of these classes: {_TRUSTED}"
    line = f"with torch.serialization.safe_globals([{', '.join(names)}]):"
    if len(line) <= _ONE_LINE:
        return [comment, line, _INDENT + load]
    rows = [f"{_INDENT}{name}," for name in names]
    return [comment, "allowed = [", *rows, "]", "with torch.serialization.safe_globals(allowed):", _INDENT + load]


def _today(module: str) -> str:
    """Where numpy keeps what it kept in `numpy.core`."""
    return module.replace("numpy.core", "numpy._core") if module.startswith("numpy.core") else module


# -- what stands behind it ---------------------------------------------------------------------------


def _access(branches: Sequence[Branch]) -> tuple[str, list[str]]:
    """What the loaded object is called, and how the weights are got at where one branch holds them."""
    main = default_branch(branches)
    access = subscripts(main[0].path) if len(main) == 1 else None
    if access is None:
        return "loaded", []
    name = "model" if main[0].kind == "module" else "state_dict"
    lines = [f"{name} = loaded{access}"] if access else []
    if name == "model":
        lines.append("state_dict = model.state_dict()")
    return "loaded" if access else name, lines
