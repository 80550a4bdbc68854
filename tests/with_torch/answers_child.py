"""Run in a process of its own: what torch.load(weights_only=True) says of files.

Reads paths as a JSON list on stdin; prints {path: [as it is, onto the CPU]}, each null where the file loads, or what
torch raised. Every file has a process of its own where the system can fork: some of them end it.
"""

from __future__ import annotations

import json
import os
import sys
import warnings

import torch

LONGEST = 600


def judged(path: str) -> list[str | None]:
    """What torch says, without and with map_location."""
    found: list[str | None] = []
    for more in ({}, {"map_location": "cpu"}):
        try:
            torch.load(path, weights_only=True, **more)
        except Exception as failure:  # noqa: BLE001  any refusal counts
            found.append(f"{type(failure).__name__}: {failure}"[:LONGEST])
        else:
            found.append(None)
    return found


def apart(path: str) -> list[str | None]:
    """The same in a process of its own."""
    if not hasattr(os, "fork"):
        return judged(path)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.write(writing, json.dumps(judged(path)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        data = answer.read()
    os.waitpid(child, 0)
    found: list[str | None] = json.loads(data) if data else ["died", "died"]
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    json.dump({path: apart(path) for path in json.load(sys.stdin)}, sys.stdout)
