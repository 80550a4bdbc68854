"""Makes resources/weights_only.json: the names that torch.load(weights_only=True) takes without being told to.

    python packaging/make_weights_only.py            prints it
    python packaging/make_weights_only.py --write    writes the resource

Run it with the newest torch; the file says which one it was, and on which day it was made.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
from pathlib import Path

import torch
from torch import _weights_only_unpickler as unpickler

RESOURCE = Path(__file__).resolve().parents[1] / "resources" / "weights_only.json"


def table() -> str:
    """The whole resource: a line a name."""
    # torch has no public way to ask for either.
    allowed = unpickler._get_allowed_globals()  # noqa: SLF001  # torch tells it nowhere else
    blocked = unpickler._blocklisted_modules  # noqa: SLF001  # nor this
    names = ",\n".join(f"  {json.dumps(name)}" for name in sorted(allowed))
    head = {
        "torch": torch.__version__.partition("+")[0],
        "made": dt.datetime.now(dt.UTC).date().isoformat(),
        "blocked_modules": sorted(blocked),
    }
    first = "\n".join(f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items())
    return f'{{\n{first}\n "names": [\n{names}\n ]\n}}\n'


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        RESOURCE.write_text(table(), encoding="utf-8")
    else:
        sys.stdout.write(table())
