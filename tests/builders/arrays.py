"""npy and npz files byte by byte, as numpy 2 writes them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from math import prod
from typing import Final

from tests.builders.torch_zip import deflate

ALIGNMENT: Final = 64
GROWTH: Final = 21  # digits that numpy leaves room for, so that a file can grow along its first axis
LONG: Final = 0xFFFFFFFF


def npy(
    data: bytes,
    shape: Sequence[int],
    descr: object = "<f4",
    fortran: bool = False,
    version: tuple[int, int] = (1, 0),
    header: str | None = None,
) -> bytes:
    """One array: `data` are its elements in the order that `fortran` says. `header` overrules the dict text."""
    text = header_text(descr, fortran, shape) if header is None else header
    encoded = text.encode("utf-8" if version >= (3, 0) else "latin-1")
    form = "<H" if version == (1, 0) else "<I"
    fixed = 8 + struct.calcsize(form)
    pad = -(fixed + len(encoded) + 1) % ALIGNMENT
    padded = encoded + b" " * pad + b"\n"
    return b"\x93NUMPY" + bytes(version) + struct.pack(form, len(padded)) + padded + data


def header_text(descr: object, fortran: bool, shape: Sequence[int]) -> str:
    """The dict literal of a header, with numpy's room for growth."""
    sizes = tuple(shape)
    text = f"{{'descr': {descr!r}, 'fortran_order': {fortran!r}, 'shape': {sizes!r}, }}"
    if not sizes:
        return text
    growing = sizes[-1 if fortran else 0]
    return text + " " * max(0, GROWTH - len(repr(growing)))


def floats(values: Sequence[float], shape: Sequence[int] | None = None) -> bytes:
    """A float32 array of these numbers."""
    sizes = (len(values),) if shape is None else tuple(shape)
    if prod(sizes) != len(values):
        raise ValueError(f"{len(values)} numbers do not fill {sizes}")
    return npy(struct.pack(f"<{len(values)}f", *values), sizes)


def npz(members: Mapping[str, bytes], deflated: bool = False) -> bytes:
    """A zip of `name.npy` members as numpy.savez (or savez_compressed) lays it out; values are whole npy files."""
    body = bytearray()
    directory = bytearray()
    for name, data in members.items():
        entry = member(f"{name}.npy", data, deflated, len(body))
        body += entry[0]
        directory += entry[1]
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(members), len(members), len(directory), len(body), 0)
    return bytes(body + directory) + end


def member(name: str, data: bytes, deflated: bool, at: int) -> tuple[bytes, bytes]:
    """Local header with its bytes, and the directory's entry. numpy always reserves zip64 sizes."""
    stored = deflate(data) if deflated else data
    encoded = name.encode()
    crc = zlib.crc32(data)
    method = 8 if deflated else 0
    made = (0, 0x21)  # time 0:00, date 1980-01-01
    extra = struct.pack("<HHQQ", 1, 16, len(data), len(stored))
    local = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 45, 0, method, *made, crc, LONG, LONG, len(encoded), len(extra))
    entry = struct.pack(
        "<4sHHHHHHIIIHHHHHII",
        *(b"PK\x01\x02", 45 | 3 << 8, 45, 0, method, *made, crc, len(stored), len(data), len(encoded)),
        *(0, 0, 0, 0, 0o600 << 16, at),
    )
    return local + encoded + extra + stored, entry + encoded
