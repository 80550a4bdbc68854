"""Names of the rows of graphs, bytecode and packages that are not in the file."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

OUTLINES: Final[dict[str, str]] = {
    "buffers": QT_TRANSLATE_NOOP("wording", "buffers"),
    "bytecode": QT_TRANSLATE_NOOP("wording", "bytecode"),
    "bytecode-version": QT_TRANSLATE_NOOP("wording", "version of the bytecode"),
    "compiled": QT_TRANSLATE_NOOP("wording", "compiled code"),
    "constant-inputs": QT_TRANSLATE_NOOP("wording", "inputs that are constant"),
    "constants": QT_TRANSLATE_NOOP("wording", "constants"),
    "custom-objects": QT_TRANSLATE_NOOP("wording", "objects of C++ classes"),
    "extern": QT_TRANSLATE_NOOP("wording", "modules from outside"),
    "graph": QT_TRANSLATE_NOOP("wording", "graph"),
    "inputs": QT_TRANSLATE_NOOP("wording", "inputs"),
    "instructions": QT_TRANSLATE_NOOP("wording", "instructions"),
    "methods": QT_TRANSLATE_NOOP("wording", "methods"),
    "more": QT_TRANSLATE_NOOP("wording", "more rows"),
    "nodes": QT_TRANSLATE_NOOP("wording", "nodes"),
    "operators": QT_TRANSLATE_NOOP("wording", "operators"),
    "opset": QT_TRANSLATE_NOOP("wording", "set of operators"),
    "outputs": QT_TRANSLATE_NOOP("wording", "outputs"),
    "parameters": QT_TRANSLATE_NOOP("wording", "parameters"),
    "python": QT_TRANSLATE_NOOP("wording", "Python of the writer"),
    "ranges": QT_TRANSLATE_NOOP("wording", "ranges of sizes"),
    "registers": QT_TRANSLATE_NOOP("wording", "registers"),
    "schema-version": QT_TRANSLATE_NOOP("wording", "version of the schema"),
    "text": QT_TRANSLATE_NOOP("wording", "text"),
    "tokens": QT_TRANSLATE_NOOP("wording", "tokens"),
    "torch-version": QT_TRANSLATE_NOOP("wording", "torch of the writer"),
    "types": QT_TRANSLATE_NOOP("wording", "types"),
}
