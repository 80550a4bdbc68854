"""The formats, one file each. The one that is surest of a source reads it; RawBytes takes what nobody else does."""

from __future__ import annotations

from typing import Final

from viewer.core.formats.bare_pickle import BarePickle
from viewer.core.formats.base import FileSet, Format
from viewer.core.formats.distributed import Distributed
from viewer.core.formats.exported_program import ExportedJson, ExportedProgram
from viewer.core.formats.numpy_files import Npy, Npz
from viewer.core.formats.other_tar import OtherTar
from viewer.core.formats.other_zip import OtherZip
from viewer.core.formats.rank_files import RankFiles
from viewer.core.formats.raw_bytes import RawBytes
from viewer.core.formats.safetensors import Safetensors
from viewer.core.formats.sharded_index import ShardedIndex
from viewer.core.formats.single_file import SingleFile
from viewer.core.formats.torch_legacy import TorchLegacy
from viewer.core.formats.torch_package import TorchPackage
from viewer.core.formats.torch_script import TorchScript
from viewer.core.formats.torch_script_json import TorchScriptJson
from viewer.core.formats.torch_tar import TorchTar
from viewer.core.formats.torch_zip import TorchZip
from viewer.core.formats.wrapped import Wrapped

SETS: Final[tuple[FileSet, ...]] = (ShardedIndex(), Distributed(), RankFiles(), SingleFile())
"""Kinds of sets of files, in the order in which a folder is asked for them."""

FORMATS: Final[tuple[Format, ...]] = (
    TorchZip(),
    TorchScript(),
    TorchScriptJson(),
    TorchPackage(),
    ExportedProgram(),
    ExportedJson(),
    TorchLegacy(),
    TorchTar(),
    BarePickle(),
    Npy(),
    Npz(),
    Safetensors(),
    ShardedIndex(),
    RankFiles(),
    OtherZip(),
    OtherTar(),
    Distributed(),
    Wrapped(),
    RawBytes(),
)
