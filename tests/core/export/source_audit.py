"""Exports the sources of files in a process that ends at the first thing that a source could make a program do.

`python -m tests.core.export.source_audit FOLDER FILE...`. Unlike `tests.audit` it lets files be made below the
temporary folder, and texts be compiled, which runs nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests import audit
from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, module
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

MADE: Final = frozenset({"os.mkdir", "os.rename", "os.rmdir", "os.remove", "os.chmod", "open", "shutil.rmtree"})
active = False


def hook(event: str, arguments: tuple[object, ...]) -> None:
    """Ends the process at the first forbidden event."""
    if not active or event == "compile":
        return
    # a descriptor was opened before, under its name
    if event in MADE and (audit.is_temporary(arguments[0]) or (event == "open" and isinstance(arguments[0], int))):
        return
    if audit.is_forbidden(event, arguments):
        os.write(2, f"forbidden: {event} {arguments!r:.300}\n".encode("utf-8", "backslashreplace"))
        os._exit(3)


def export(source: Path | MemorySource, target: Path) -> None:
    """From the file to the verdict."""
    exporter = exporter_of("source")
    document = open_document(source)
    try:
        plan = exporter.plan(document, Wanted())
        report = exporter.write(plan, target, Progress(), overwrite=True)
        verdict = exporter.verify(report, Progress())
        assert verdict is not None
        assert verdict.good, verdict.text
    finally:
        document.source.close()


def main(arguments: Sequence[str]) -> int:
    """Export each file into a folder of its own. What is imported on first use is imported before that."""
    global active
    target = Path(arguments[0])
    warm = legacy([module(ModuleClass("zoo", "Net", "x", text)) for text in ("class Net: x = a", "class Net: print 1")])
    export(MemorySource(warm), target.with_name("warm"))
    sys.addaudithook(hook)
    active = True
    if arguments[1] == "--slip":
        audit.SLIPS[arguments[2]]()
        return 0
    for number, name in enumerate(arguments[1:]):
        export(Path(name), target.with_name(f"{target.name}{number}"))
    active = False
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
