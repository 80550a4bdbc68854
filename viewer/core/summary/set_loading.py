"""What loads a set of files with torch, or one file of it: torch.load reads neither an index nor a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from viewer.core.document import Document
from viewer.core.folder import is_folder
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress
from viewer.core.summary.expectation import Expectation
from viewer.core.summary.rank_loading import has_shards, one_by_one, saver_of
from viewer.core.summary.weights_only import Refusals, find_refusals

INDEX: Final = "sharded-index"
SETS: Final = frozenset({INDEX, "distributed"})
# What `detail` says of the kinds of sets.
CHECKPOINT: Final = "torch.distributed.checkpoint"
SAFETENSORS: Final = "safetensors shards of torch.distributed.checkpoint"
ITEMS: Final = "items of torch.distributed.checkpoint"
RANKS: Final = "torch.distributed.checkpoint, saved by each rank"
NAMELESS: Final = "torch.distributed.checkpoint without .metadata"
DEEPSPEED: Final = "DeepSpeed"
MOST_PICKLES: Final = 200
MOST_OPCODES: Final = 1_000_000
WHOLE: Final = "whole.pt"
METADATA: Final = ".metadata"
TRUSTED: Final = "only for files from people you trust."
TORCH: Final = frozenset({"torch-legacy", "torch-zip"})
_CODES: Final = {
    INDEX: "not-torch-index",
    CHECKPOINT: "not-torch-checkpoint",
    RANKS: "not-torch-each-rank",
    SAFETENSORS: "not-torch-pieces",
    ITEMS: "not-torch-items",
    NAMELESS: "not-torch-nameless",
    DEEPSPEED: "not-torch-zero",
}


def set_expectation(document: Document, errors: int) -> Expectation:
    """What torch.load does with it. `errors`: of the set itself, its missing files among them."""
    kind = INDEX if document.format == INDEX else document.detail or ""
    if errors and kind != NAMELESS:
        return Expectation("not-torch-set-stops", {"count": errors})
    return Expectation(_CODES.get(kind, "not-torch-ranks"), {"count": len(document.files)})


def set_refusals(document: Document, encoding: str = "utf-8", progress: Progress | None = None) -> Refusals:
    """What weights_only=True refuses in the first streams of a set; `reaching` of all that were looked at.

    Raises CancelledError.
    """
    found = Refusals()
    for values in islice(_streams(document), MOST_PICKLES):
        one = find_refusals(values, None, encoding, progress=progress)
        reaching = list(dict.fromkeys([*found.reaching, *one.reaching]))
        found = one if one and not found else found
        found.reaching = reaching
    return found


def set_code(document: Document, refusals: Refusals, *, moved: bool) -> str | None:
    """The lines that load it; None where nothing does, or where that reaches beyond the files.

    `moved`: some storage is on a device that other computers may lack.
    """
    if not document.files or refusals.reaching:
        return None
    place = ', map_location="cpu"' if moved else ""
    if document.format == INDEX:
        return index_code(document, refusals, place)
    if document.detail == CHECKPOINT:
        return checkpoint_code(document)
    if document.detail == DEEPSPEED:
        return zero_code(document)
    if document.detail in READERS:
        return READERS[document.detail](document)
    if document.detail == NAMELESS:
        return None
    return ranks_code(document, refusals, place)


def index_code(document: Document, refusals: Refusals, place: str) -> str | None:
    """Joins the files of an index; None where one reader does not read all of them."""
    forms = {child.format for child in document.children if child.is_member}
    if forms == {"safetensors"}:
        head, load = ["from safetensors.torch import load_file"], "load_file(name)"
    elif forms and forms <= TORCH:
        head, load = ["import torch"], f"torch.load(name{place}, weights_only={not refusals})"
    else:
        return None
    names = '    names = sorted(set(json.load(file)["weight_map"].values()))'
    joining = ["state_dict = {}", "for name in names:", *_trusted(refusals, "    "), f"    state_dict.update({load})"]
    name = document.path.name if document.path is not None else "file"
    return "\n".join(["import json", "", *head, "", f"with open({name!r}) as file:", names, *joining])


def checkpoint_code(document: Document) -> str:
    """Makes one file of a distributed checkpoint: its own loader wants a state_dict of the right shapes."""
    lines = ["import torch", "from torch.distributed.checkpoint.format_utils import dcp_to_torch_save", ""]
    lines.append(f"# This runs what .metadata and the values ask for: {TRUSTED}")
    lines.append(f"dcp_to_torch_save({folder_name(document)!r}, {WHOLE!r})")
    return "\n".join([*lines, f"state_dict = torch.load({WHOLE!r}, weights_only=True)"])


def pieces_code(document: Document) -> str:
    """Loads pieces in safetensors into tensors of the sizes that the files together have."""
    lines = ["import torch", "import torch.distributed.checkpoint as dcp", ""]
    lines.append(f"reader = dcp.HuggingFaceStorageReader({folder_name(document)!r})")
    return "\n".join([*lines, *_LOADED])


def each_rank_code(document: Document) -> str:
    """Joins the metadata of all ranks, which torch's reader takes one by one, and loads what it names."""
    members = [file.name for file in document.files if file.name.endswith(METADATA) and file.size is not None]
    ranks = [int(name.removeprefix("__").removesuffix(METADATA)) for name in members]
    lines = ["import torch", "import torch.distributed.checkpoint as dcp", "", ""]
    shown = f"range({len(ranks)})" if sorted(ranks) == list(range(len(ranks))) else repr(sorted(ranks))
    lines += [line.replace("RANKS", shown) for line in _ALL_RANKS]
    lines += ["", "", f"# This runs what the metadata and the values ask for: {TRUSTED}"]
    lines.append(f"reader = AllRanks({folder_name(document)!r})")
    return "\n".join([*lines, *_LOADED])


# Values that are no tensors come in the place of None.
_LOADED: Final = (
    "known = reader.read_metadata().state_dict_metadata",
    "state_dict = {",
    '    name: torch.empty(each.size, dtype=each.properties.dtype) if hasattr(each, "size") else None',
    "    for name, each in known.items()",
    "}",
    "dcp.load(state_dict, storage_reader=reader)",
)
_ALL_RANKS: Final = (
    "class AllRanks(dcp.FileSystemReader):",
    "    def read_metadata(self, *args, **kwargs):",
    "        first, *others = (super(AllRanks, self).read_metadata(rank=rank) for rank in RANKS)",
    "        for other in others:",
    "            for name, each in other.state_dict_metadata.items():",
    "                held = first.state_dict_metadata.setdefault(name, each)",
    '                if held is not each and getattr(held, "size", None) == getattr(each, "size", 0):',
    "                    held.chunks += [chunk for chunk in each.chunks if chunk not in held.chunks]",
    "            first.storage_data = {**other.storage_data, **first.storage_data}",
    "        return first",
)
READERS: Final[dict[str, Callable[[Document], str]]] = {SAFETENSORS: pieces_code, RANKS: each_rank_code}


def zero_code(document: Document) -> str:
    """Puts the float32 weights of ZeRO together."""
    called = "get_fp32_state_dict_from_zero_checkpoint"
    return "\n".join(
        [
            f"from deepspeed.utils.zero_to_fp32 import {called}",
            "",
            f"# This runs what the files ask for: {TRUSTED}",
            f"state_dict = {called}({folder_name(document)!r})",
        ]
    )


def ranks_code(document: Document, refusals: Refusals, place: str) -> str | None:
    """Loads the files of all ranks, one by one."""
    members = [child for child in document.children if child.is_member]
    if not members or any(child.format not in TORCH for child in members):
        return None
    names = [file.name for file in document.files if file.size is not None and _is_member(document, file.name)]
    load = f"torch.load(name{place}, weights_only={not refusals})"
    if any(map(has_shards, members)):
        savers = [saver for member in members if (saver := saver_of(member)) is not None]
        # Each file states its rank, and all the same number of ranks.
        if len(savers) != len(names) or len({saver.world for saver in savers}) != 1:
            return None
        return one_by_one(names, savers, load, _trusted(refusals))
    rows = [f"    {name!r}," for name in names]
    return "\n".join(
        ["import torch", "", "names = [", *rows, "]", *_trusted(refusals), f"ranks = [{load} for name in names]"]
    )


def folder_name(document: Document) -> str:
    """The name of the folder that a set stands in."""
    if document.path is None:
        return "folder"
    return document.path.name if is_folder(document.path) else document.path.absolute().parent.name


def _trusted(refusals: Refusals, indent: str = "") -> list[str]:
    return [f"{indent}# This runs what the files ask for: {TRUSTED}"] if refusals else []


def _is_member(document: Document, name: str) -> bool:
    return document.member(name) is not None


def _streams(document: Document) -> Iterator[Values]:
    """The objects of a set and of its files; of metadata only what is short enough for a look."""
    for part in document.walk():
        pickle = part.main_pickle
        if pickle is not None and len(pickle.code) <= MOST_OPCODES:
            yield pickle.values
