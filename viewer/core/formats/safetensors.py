"""safetensors: a length, a header in JSON, and the elements of all tensors one behind another."""

from __future__ import annotations

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.safetensors_reading import NAME, read_safetensors


class Safetensors(Format):
    """Tensors stand in the order of the header."""

    @override
    def score(self, context: Context) -> int:
        return 90 if context.guess.format == NAME else 0

    @override
    def parse(self, context: Context) -> Document:
        return read_safetensors(context.source, context.options.byteorder or "", context.progress)
