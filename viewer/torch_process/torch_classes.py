"""Texts and facts of torch's own module classes, by names that a file states: nothing is imported for them.

A name is followed through what `import torch` has loaded, by the dictionaries of modules and classes: no attribute
is computed, so that no module is imported on the way, and nothing but a subclass of nn.Module is given.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Final

from torch import nn

MOST_NAMES: Final = 2000
LONGEST_TEXT: Final = 1_000_000
UNKNOWN, NO_SOURCE = "class-unknown", "class-no-source"
_NAME: Final = re.compile(r"torch(?:\.(?!__)[A-Za-z_][A-Za-z0-9_]{0,99}){1,16}")


def describe(names: Iterable[str]) -> Iterator[dict[str, object]]:
    """The facts of the classes and of their bases, each once; for a name that is no such class the reason."""
    waiting = list(dict.fromkeys(names))[:MOST_NAMES]
    seen = set(waiting)
    while waiting:
        name = waiting.pop(0)
        found = find(name)
        if found is None:
            yield {"name": name, "refused": UNKNOWN}
            continue
        bases = [qualified(base) for base in found.__mro__[1:] if issubclass(base, nn.Module)]
        facts = source(found)
        yield {"name": name, "refused": NO_SOURCE} if facts is None else {"name": name, **facts, "bases": bases}
        new = [base for base in bases if base not in seen and base != qualified(nn.Module)]
        seen.update(new)
        waiting += new


def find(name: str) -> type[nn.Module] | None:
    """The module class of a qualified name below torch, as far as it is loaded; None for everything else."""
    if not _NAME.fullmatch(name):
        return None
    parts = name.split(".")
    loaded = next(count for count in range(len(parts), 0, -1) if ".".join(parts[:count]) in sys.modules)
    found: object = sys.modules[".".join(parts[:loaded])]
    for part in parts[loaded:]:
        if not is_below(found):
            return None
        found = vars(found).get(part)
    if not isinstance(found, type) or not is_below(found) or not issubclass(found, nn.Module):
        return None
    return found


def is_below(value: object) -> bool:
    """True for torch's own modules and classes."""
    if isinstance(value, ModuleType):
        name = value.__name__
    elif isinstance(value, type):
        name = value.__module__
    else:
        return False
    return name == "torch" or name.startswith("torch.")


def qualified(found: type) -> str:
    """The name that a pickle would have."""
    return f"{found.__module__}.{found.__qualname__}"


def source(found: type) -> dict[str, object] | None:
    """The installed text of a class, where it stands and how it is made; None where only its code is there."""
    try:
        lines, first = inspect.getsourcelines(found)
        file = inspect.getsourcefile(found) or ""
    except (OSError, TypeError):
        return None
    text = "".join(lines)
    if len(text) > LONGEST_TEXT:
        return None
    try:
        signature = str(inspect.signature(found))
    except (TypeError, ValueError):
        signature = ""
    return {"text": text, "file": file, "line": first, "signature": signature}
