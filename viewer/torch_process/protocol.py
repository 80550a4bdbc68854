"""The lines between the program and its torch child: one JSON object a line, UTF-8, on stdin and stdout.

One request a process:

    -> {"do": "verify", "path", "count", "memory"}      count: entries of the state_dict; memory: bytes it may grow by
    <- {"answer": "ready", "version"}                   torch is imported and the file loaded
    -> {"name", "kind", "dtype", "shape", "stride"}     one tensor that the file must hold; kind: plain
                                                        and "keys", where it stands in mappings that are nested
    -> {"sha256"}                                       of its elements: C order, little-endian; both sides hash at once
    -> the same of kind quantised, and {"scheme", "axis", "scale", "zero_point"}; its sha256 is of the integers
    -> the same of kind sparse ("layout" and "coalesced" instead of "stride"), nested ("dtype" alone) or meta; no sha256
    -> {"name", "part", "dtype", "shape"}               a tensor that this one is made of, by torch's name of it
    -> {"sha256"}
    <- {"answer": "working"}                            now and then, as a sign of life
    -> {"do": "sync"}                                   after each large tensor, or many small ones
    <- {"answer": "same"}                               all tensors up to here are there and equal
    -> {"do": "end"}
    <- {"answer": "verified", "version"}

or, for the texts of torch's own module classes:

    -> {"do": "classes", "names"}
    <- {"answer": "class", "name", "text", "file", "line", "signature", "bases"}       and its bases in turn
    <- {"answer": "class", "name", "refused"}           "class-unknown" or "class-no-source"
    <- {"answer": "classes", "version"}                 after the last

or, whether a file loads with weights_only=True:

    -> {"do": "load", "path", "mapped", "memory"}       mapped: storages stay in the file until they are used
    <- {"answer": "loaded", "version"}                  as it is
    <- {"answer": "stops", "version", "reason", "on_cpu"}    on_cpu: with map_location="cpu" it loads

At any time the child may answer instead, and end: absent, old (version), refuses (version, reason), differs
(version, reason), memory (version), broken (reason).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Final

OLDEST: Final = (2, 10)
"""Older ones have holes in weights_only (CVE-2025-32434, CVE-2026-24747)."""
ARGUMENT: Final = "--torch-process"
"""What a frozen program is started with to be the child."""

Line = dict[str, object]


def encode_line(line: Mapping[str, object]) -> bytes:
    """One line as it is sent."""
    return json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n"


def write_line(stream: IO[bytes], line: Mapping[str, object]) -> None:
    """Send one line. Raises OSError when nobody reads any more."""
    stream.write(encode_line(line))
    stream.flush()


def parse_line(data: bytes) -> Line:
    """One line as it came. Raises ValueError for what is no JSON, TypeError for what is no object."""
    line = json.loads(data)
    if not isinstance(line, dict):
        raise TypeError("not a line of this protocol")
    return line
