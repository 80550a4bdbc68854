"""Writing what a document holds in the form that the next program wants. The forms are listed here."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from viewer.core.errors import ExportError
from viewer.late import made

if TYPE_CHECKING:
    from viewer.core.export.base import Exporter

    EXPORTERS: tuple[Exporter, ...]

_FORMS: Final = (
    "state_dict:StateDict",
    "npz:Npz",
    "safetensors:Safetensors",
    "safetensors_shards:SafetensorsShards",
    "legacy_state_dict:LegacyStateDict",
    "npy:Npy",
    "csv:Csv",
    "source_files:SourceFiles",
    "recovery.exporter:Recovery",
    "raw_bytes:RawBytes",
    "imports:Imports",
    "listing:ListingForm",
    "structure:Structure",
)
FOLDER_FORM: Final = "source"
"""What a target that is a folder asks for."""


@cache
def _exporters() -> tuple[Exporter, ...]:
    return made(__name__, _FORMS)


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """`EXPORTERS`, one object of each form: loaded when it is first asked for."""
        if name == "EXPORTERS":
            return _exporters()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def exporter_of(form: str) -> Exporter:
    """The exporter of a form. Raises ExportError."""
    for exporter in _exporters():
        if exporter.form == form:
            return exporter
    raise ExportError("export-form-unknown", form=form, choices=", ".join(known.form for known in _exporters()))


def exporter_for(target: str | PurePath) -> Exporter:
    """The exporter that a target asks for: by its suffix; a folder, or a name without one, by that. Raises ExportError.

    A target that is to be made and ends in a separator has to come as text.
    """
    if is_folder(target):
        return exporter_of(FOLDER_FORM)
    path = PurePath(target)
    suffix = path.suffix.lower()
    for exporter in _exporters():
        if exporter.by_suffix and suffix in exporter.suffixes:
            return exporter
    choices = " ".join(suffix for known in _exporters() if known.by_suffix for suffix in known.suffixes)
    raise ExportError("export-suffix-unknown", name=path.name, choices=choices)


def is_folder(target: str | PurePath) -> bool:
    """True for a name without suffix, one that ends in a separator, and a folder that is there."""
    separators = tuple(separator for separator in (os.sep, os.altsep) if separator)
    if not PurePath(target).suffix or str(target).endswith(separators):
        return True
    try:
        return Path(target).is_dir()
    except (OSError, ValueError):
        return False
