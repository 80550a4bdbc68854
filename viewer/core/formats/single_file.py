"""A folder with one file of a model and nothing that says more: the file is what the folder is opened by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from viewer.core.folder import Folder
from viewer.core.formats.base import Entry, FileSet

ENDINGS: Final = frozenset(
    {"bin", "ckpt", "joblib", "npy", "npz", "pickle", "pkl", "pt", "pt2", "pth", "ptl", "safetensors", "t7"}
)
# What training keeps beside a model under endings of the same kind.
ASIDE: Final = ("optimizer.", "scheduler.", "training_args.", "rng_state", "random_states", "scaler.", "tokenizer.")


class SingleFile(FileSet):
    """Asked last, when no kind of set knows the folder."""

    @override
    def entry(self, names: Sequence[str], folder: Folder) -> Entry | None:
        found = model_files(names)
        return Entry(found[0]) if len(found) == 1 else None

    @override
    def set_of(self, name: str, folder: Folder) -> Entry | None:
        return None


def model_files(names: Sequence[str]) -> list[str]:
    """The files of a folder itself that may hold a model, by name; what training keeps where there is nothing else."""
    found = [name for name in names if "/" not in name and name.lower().rpartition(".")[2] in ENDINGS]
    models = [name for name in found if not name.startswith(ASIDE)]
    return models or found
