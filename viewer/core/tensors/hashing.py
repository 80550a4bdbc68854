"""SHA-256 of a tensor's elements: row-major order, little-endian, conj and neg applied, packed bytes as they are."""

from __future__ import annotations

import hashlib

import numpy as np

from viewer.core.progress import Progress
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import IncompleteError, NoValuesError, blocks, packed_bytes


def sha256(tensor: Tensor, progress: Progress | None = None) -> str | None:
    """The digest in hexadecimal; None where bytes are missing or there are no plain elements.

    Raises CancelledError.
    """
    digest = hashlib.sha256()
    try:
        for numbers in blocks(tensor, progress) if per_byte(tensor) == 1 else packed_bytes(tensor, progress):
            digest.update(numbers.view(np.uint8).data)
    except (IncompleteError, NoValuesError):
        return None
    return digest.hexdigest()
