"""Pickles inside values: encoded, compressed, one layer in another. Layers are named as documents name them."""

from __future__ import annotations

import base64
import bz2
import gzip
import lzma
import textwrap
import zlib
from collections.abc import Callable, Sequence
from typing import Final

import zstandard

LAYERS: Final[dict[str, Sequence[Callable[[bytes], bytes]]]] = {
    "base64": (
        base64.b64encode,
        base64.urlsafe_b64encode,
        base64.encodebytes,
        lambda data: base64.b64encode(data).rstrip(b"="),
    ),
    "hex": (lambda data: data.hex().encode(), lambda data: "\n".join(textwrap.wrap(data.hex().upper(), 64)).encode()),
    "zlib": (zlib.compress, lambda data: window_of_512(data)),
    "gzip": (lambda data: gzip.compress(data, mtime=0),),
    "bz2": (bz2.compress,),
    "xz": (lzma.compress,),
    "lzma": (lambda data: lzma.compress(data, lzma.FORMAT_ALONE),),
    "zstd": (lambda data: zstandard.ZstdCompressor().compress(data),),
}

HIDDEN: Final = b"\x80\x02cos\ngetcwd\n)R."
"""A pickle that calls something, as it would hide."""


def window_of_512(data: bytes) -> bytes:
    """zlib with the smallest window: another first byte."""
    packer = zlib.compressobj(wbits=9)
    return packer.compress(data) + packer.flush()


def wrapped(data: bytes, layers: Sequence[str], form: int = 0) -> bytes:
    """Data inside layers, the outermost named first. `form`: which of the forms of each layer."""
    for layer in reversed(layers):
        forms = LAYERS[layer]
        data = forms[form % len(forms)](data)
    return data
