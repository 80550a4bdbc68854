"""Every benign file of others in every form: it is written and reads back the same, or one sentence says why not.

All of ../shared/corpus, and each 24th of ../shared/samples; PICKLESCOPE_ALL=1: all of them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tests.core.export.reading import groups
from tests.shared import shared_files
from viewer.core.document import Document
from viewer.core.errors import ViewerError
from viewer.core.export import EXPORTERS
from viewer.core.export.base import Exporter
from viewer.core.export.plan import Item, Report
from viewer.core.export.selection import Wanted
from viewer.core.export.special import PLAIN
from viewer.core.export.state_dict import share_key
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.hashing import sha256

PARTS: Final = 1 if os.environ.get("PICKLESCOPE_ALL") else 24
FILES: Final = [*shared_files("corpus"), *shared_files("samples")[::PARTS]]
SIZE: Final = 64 * 1024**2
"""Files that are larger are left to the sweep by hand."""


@pytest.mark.parametrize("path", FILES)
def test_every_form_is_right_or_says_why_not(path: Path, tmp_path: Path) -> None:
    if path.suffix in (".json", ".md") or path.stat().st_size > SIZE:
        pytest.skip("no file to export")
    document = open_document(path)
    try:
        for exporter in EXPORTERS:
            tried(exporter, document, tmp_path / f"{exporter.form}{(*exporter.suffixes, '')[0]}")
    finally:
        document.close()


def tried(exporter: Exporter, document: Document, target: Path) -> None:
    """One form."""
    try:
        report = exporter.write(exporter.plan(document, Wanted()), target, Progress())
    except ViewerError as told:
        text = str(told)
        assert text[0].isupper() or text[0] in "'\"/", text
        assert text.endswith("."), text
        assert "\n" not in text
        assert not target.exists(), exporter.form
        return
    verdict = exporter.verify(report, Progress())
    if verdict is not None:
        assert verdict.good is True, f"{exporter.form}: {verdict.text}"
    elif not exporter.folder:
        assert_reads_back(report)


def assert_reads_back(report: Report) -> None:
    """A state_dict holds the planned tensors, by our own reader: torch reads all of them in a sweep, not here."""
    back = open_document(report.path)
    try:
        found = {tensor.name or str(tensor.path): tensor for tensor in back.tensors}
        plain = {item.name: item for item in report.plan.items if item.kind == PLAIN}
        assert plain.keys() <= found.keys()
        for name, item in plain.items():
            assert (found[name].shape, found[name].dtype) == (item.tensor.shape, item.dtype)
            # what never had a storage has no elements, and no digest
            assert item.tensor.storage is None or sha256(found[name]) == sha256(item.tensor), name
        if report.plan.form == "state_dict":
            assert groups({name: found[name] for name in plain}) == shared_in(plain)
    finally:
        back.close()


def shared_in(items: dict[str, Item]) -> set[frozenset[str]]:
    """The names that share a storage in the result, as the layout of the export has it."""

    found: dict[object, set[str]] = {}
    for name, item in items.items():
        found.setdefault(share_key(item), set()).add(name)
    return {frozenset(names) for names in found.values()}
