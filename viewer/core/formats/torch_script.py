"""TorchScript since torch 1.3: data.pkl with the module's attributes, constants, and its code as text.

Also for the lite interpreter of phones (bytecode.pkl beside), and what C++ writes with torch::save. Code is read as
text: it says which attributes are parameters and buffers, and never runs.
"""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.archive.checks import check_torch
from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import LazyRegions, open_records
from viewer.core.formats.script_reading import ScriptReader, add_texts, script_prefix
from viewer.core.formats.zip_reading import labelled, open_zip, read_byteorder
from viewer.core.objects.bytecode import bytecode_outline
from viewer.core.problem import error

KINDS: Final = frozenset({"torchscript", "torch-mobile"})
OBJECT: Final = "data.pkl"
BYTECODE: Final = "bytecode"
CODE: Final = "code/"
EXTRA: Final = "extra/"
# Pickle: its role, and the folders that its storages may stand in.
OTHERS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "constants.pkl": ("constants", ("constants/",)),
    "bytecode.pkl": (BYTECODE, ("bytecode/", "constants/")),
    "traced_inputs.pkl": ("traced inputs", ("traced_inputs/",)),
    "mobile_debug_handles.pkl": ("debug handles", ()),
}
DEBUG: Final = (".debug_pkl",)
FOLDERS: Final = (CODE, "data/", "constants/", "bytecode/", "traced_inputs/")


class TorchScript(Format):
    """Each pickle has storages in a folder of its own."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format in KINDS else 0

    @override
    def parse(self, context: Context) -> Document:
        archive, document = open_zip(context, context.guess.format, context.guess.detail)
        prefix = script_prefix(archive, (OBJECT, "constants.pkl"))
        document.byteorder = read_byteorder(document, archive, prefix, context.options.byteorder)
        document.problems += check_torch(archive, prefix)
        reader = ScriptReader(document, archive, context)
        files = reader.code(prefix + CODE)
        if archive.find(prefix + OBJECT) is None:
            document.problems.append(error("torch-no-object"))
        pickle = reader.module(prefix + OBJECT, [prefix + "data/"], files)
        document.main = -1 if pickle is None else pickle.index
        for name, (role, folders) in OTHERS.items():
            found = reader.pickle(prefix + name, [prefix + folder for folder in folders], role)
            if found is not None and role == BYTECODE:
                document.outlines[found.record] = bytecode_outline(found.values)
        reader.debug([name for name in archive.names if name.startswith(prefix + CODE) and name.endswith(DEBUG)])
        add_texts(document, archive, [name for name in archive.names if name.startswith(prefix + EXTRA)])
        read = (prefix + OBJECT, *(prefix + name for name in (*OTHERS, *FOLDERS)))
        open_records(document, archive, context, lambda name: name.startswith(read))
        document.regions = LazyRegions(lambda: [labelled(region, reader.labels) for region in archive.regions])
        return document
