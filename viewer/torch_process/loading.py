"""Whether torch loads a file with weights_only=True, as it is and onto the CPU. Nothing else is ever asked of it."""

from __future__ import annotations

from typing import Final

import torch

from viewer.torch_process.verify import CPU, readable

LONGEST: Final = 600
ADVICE: Final = "Weights only load failed"
AFTER: Final = "\n\nCheck the documentation"
MARK: Final = "WeightsUnpickler error: "
LETTING: Final = " Please use `torch.serialization."
"""General advice stands around the sentence of torch's reader: before a mark or an empty line, and after it.

How to let a name through is told whatever the name is: it is left out, since it may be the worst to be done.
"""


def asked(path: str, mapped: bool) -> dict[str, object]:
    """The facts of the answer: {} where it loads; else torch's sentence, and whether map_location="cpu" helps.

    `mapped`: storages stay in the file until they are used. Raises MemoryError.
    """
    reason = failure_of(path, mapped, None)
    if reason is None:
        return {}
    return {"reason": reason, "on_cpu": failure_of(path, mapped, CPU) is None}


def failure_of(path: str, mapped: bool, location: str | None) -> str | None:
    """What torch raised, as one sentence; None where it loads."""
    try:
        torch.load(readable(path), map_location=location, weights_only=True, mmap=mapped)
    except MemoryError:
        raise
    except Exception as failure:
        if "memory" in str(failure) and "allocate" in str(failure):
            raise MemoryError from failure
        return sentence(failure)
    return None


def sentence(failure: Exception) -> str:
    """The part of torch's words that is about this file, on one line and without a full stop."""
    text = str(failure).strip()
    if text.startswith(ADVICE):
        text = text.partition(AFTER)[0].rpartition("\n\n")[2]
        text = text.rpartition(MARK)[2]
    line = next((line for line in text.splitlines() if line.strip()), type(failure).__name__)
    return line.partition(LETTING)[0].strip()[:LONGEST].rstrip(". ")
