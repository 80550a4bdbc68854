"""The formats, one file each. The one that is surest of a source reads it; RawBytes takes what nobody else does.

The tuples name the files as `file:Class`; `formats` and `sets` load them, when the first file is opened.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from viewer.late import made

if TYPE_CHECKING:
    from viewer.core.formats.base import FileSet, Format

SETS: Final = (
    "sharded_index:ShardedIndex",
    "distributed:Distributed",
    "rank_files:RankFiles",
    "single_file:SingleFile",
)
"""Kinds of sets of files, in the order in which a folder is asked for them."""

FORMATS: Final = (
    "torch_zip:TorchZip",
    "torch_script:TorchScript",
    "torch_script_json:TorchScriptJson",
    "torch_package:TorchPackage",
    "exported_program:ExportedProgram",
    "exported_program:ExportedJson",
    "torch_legacy:TorchLegacy",
    "torch_tar:TorchTar",
    "bare_pickle:BarePickle",
    "numpy_files:Npy",
    "numpy_files:Npz",
    "safetensors:Safetensors",
    "sharded_index:ShardedIndex",
    "rank_files:RankFiles",
    "other_zip:OtherZip",
    "other_tar:OtherTar",
    "distributed:Distributed",
    "wrapped:Wrapped",
    "raw_bytes:RawBytes",
)


@cache
def sets() -> tuple[FileSet, ...]:
    """One object of each kind of set."""
    return made(__name__, SETS)


@cache
def formats() -> tuple[Format, ...]:
    """One object of each format."""
    return made(__name__, FORMATS)
