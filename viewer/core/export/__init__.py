"""Writing what a document holds in the form that the next program wants. The forms are listed here."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from viewer.core.errors import ExportError
from viewer.core.export.base import Exporter
from viewer.core.export.npz import Npz
from viewer.core.export.recovery.exporter import Recovery
from viewer.core.export.state_dict import StateDict

EXPORTERS: Final[tuple[Exporter, ...]] = (StateDict(), Npz(), Recovery())


def exporter_of(form: str) -> Exporter:
    """The exporter of a form. Raises ExportError."""
    for exporter in EXPORTERS:
        if exporter.form == form:
            return exporter
    raise ExportError("export-form-unknown", form=form, choices=", ".join(known.form for known in EXPORTERS))


def exporter_for(path: PurePath) -> Exporter:
    """The exporter that a target's suffix asks for. Raises ExportError."""
    suffix = path.suffix.lower()
    for exporter in EXPORTERS:
        if suffix in exporter.suffixes:
            return exporter
    choices = " ".join(suffix for known in EXPORTERS for suffix in known.suffixes)
    raise ExportError("export-suffix-unknown", name=path.name, choices=choices)
