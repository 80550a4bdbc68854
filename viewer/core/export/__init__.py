"""Writing what a document holds in the form that the next program wants. The forms are listed here."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Final

from viewer.core.errors import ExportError
from viewer.core.export.base import Exporter
from viewer.core.export.csv import Csv
from viewer.core.export.imports import Imports
from viewer.core.export.legacy_state_dict import LegacyStateDict
from viewer.core.export.listing import ListingForm
from viewer.core.export.npy import Npy
from viewer.core.export.npz import Npz
from viewer.core.export.raw_bytes import RawBytes
from viewer.core.export.recovery.exporter import Recovery
from viewer.core.export.safetensors import Safetensors
from viewer.core.export.safetensors_shards import SafetensorsShards
from viewer.core.export.source_files import SourceFiles
from viewer.core.export.state_dict import StateDict
from viewer.core.export.structure import Structure

EXPORTERS: Final[tuple[Exporter, ...]] = (
    StateDict(),
    Npz(),
    Safetensors(),
    SafetensorsShards(),
    LegacyStateDict(),
    Npy(),
    Csv(),
    SourceFiles(),
    Recovery(),
    RawBytes(),
    Imports(),
    ListingForm(),
    Structure(),
)
FOLDER_FORM: Final = SourceFiles.form
"""What a target that is a folder asks for."""


def exporter_of(form: str) -> Exporter:
    """The exporter of a form. Raises ExportError."""
    for exporter in EXPORTERS:
        if exporter.form == form:
            return exporter
    raise ExportError("export-form-unknown", form=form, choices=", ".join(known.form for known in EXPORTERS))


def exporter_for(target: str | PurePath) -> Exporter:
    """The exporter that a target asks for: by its suffix; a folder, or a name without one, by that. Raises ExportError.

    A target that is to be made and ends in a separator has to come as text.
    """
    if is_folder(target):
        return exporter_of(FOLDER_FORM)
    path = PurePath(target)
    suffix = path.suffix.lower()
    for exporter in EXPORTERS:
        if exporter.by_suffix and suffix in exporter.suffixes:
            return exporter
    choices = " ".join(suffix for known in EXPORTERS if known.by_suffix for suffix in known.suffixes)
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
