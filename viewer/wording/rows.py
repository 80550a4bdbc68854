"""Names of the rows of Contents that are not in the file: what a format is called, parts of containers, kinds of bytes."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

# Formats by their name in `inspect --json`.
FORMATS: Final[dict[str, str]] = {
    "7z": QT_TRANSLATE_NOOP("wording", "7z archive"),
    "bz2": QT_TRANSLATE_NOOP("wording", "bzip2 file"),
    "distributed": QT_TRANSLATE_NOOP("wording", "Distributed checkpoint"),
    "empty": QT_TRANSLATE_NOOP("wording", "Empty file"),
    "flatbuffer": QT_TRANSLATE_NOOP("wording", "Flatbuffer"),
    "foreign": QT_TRANSLATE_NOOP("wording", "File of another kind"),
    "gguf": QT_TRANSLATE_NOOP("wording", "GGUF model"),
    "git-lfs-pointer": QT_TRANSLATE_NOOP("wording", "Git LFS pointer"),
    "gzip": QT_TRANSLATE_NOOP("wording", "gzip file"),
    "hdf5": QT_TRANSLATE_NOOP("wording", "HDF5 file"),
    "html": QT_TRANSLATE_NOOP("wording", "Web page"),
    "joblib": QT_TRANSLATE_NOOP("wording", "joblib file"),
    "json": QT_TRANSLATE_NOOP("wording", "JSON text"),
    "keras": QT_TRANSLATE_NOOP("wording", "Keras 3 model"),
    "lua-t7": QT_TRANSLATE_NOOP("wording", "Lua Torch file"),
    "lz4": QT_TRANSLATE_NOOP("wording", "lz4 file"),
    "npy": QT_TRANSLATE_NOOP("wording", "NumPy array"),
    "npz": QT_TRANSLATE_NOOP("wording", "NumPy archive"),
    "onnx": QT_TRANSLATE_NOOP("wording", "ONNX model"),
    "pickle": QT_TRANSLATE_NOOP("wording", "Pickle"),
    "rar": QT_TRANSLATE_NOOP("wording", "RAR archive"),
    "safetensors": QT_TRANSLATE_NOOP("wording", "safetensors file"),
    "sharded-index": QT_TRANSLATE_NOOP("wording", "Index of a model in several files"),
    "tar": QT_TRANSLATE_NOOP("wording", "Tar archive"),
    "text": QT_TRANSLATE_NOOP("wording", "Text"),
    "torch-export": QT_TRANSLATE_NOOP("wording", "torch.export program"),
    "torch-export-json": QT_TRANSLATE_NOOP("wording", "torch.export program"),
    "torch-legacy": QT_TRANSLATE_NOOP("wording", "Legacy archive"),
    "torch-mobile": QT_TRANSLATE_NOOP("wording", "TorchScript for phones"),
    "torch-package": QT_TRANSLATE_NOOP("wording", "torch.package archive"),
    "torch-tar": QT_TRANSLATE_NOOP("wording", "Tar checkpoint"),
    "torch-zip": QT_TRANSLATE_NOOP("wording", "Zip checkpoint"),
    "torchscript": QT_TRANSLATE_NOOP("wording", "TorchScript archive"),
    "torchscript-json": QT_TRANSLATE_NOOP("wording", "TorchScript archive"),
    "unknown": QT_TRANSLATE_NOOP("wording", "Unknown bytes"),
    "xml": QT_TRANSLATE_NOOP("wording", "XML text"),
    "xz": QT_TRANSLATE_NOOP("wording", "xz file"),
    "zeros": QT_TRANSLATE_NOOP("wording", "Zero bytes"),
    "zip": QT_TRANSLATE_NOOP("wording", "Zip archive"),
    "zlib": QT_TRANSLATE_NOOP("wording", "zlib file"),
    "zstd": QT_TRANSLATE_NOOP("wording", "zstd file"),
}

# Streams by their role in the document.
ROLES: Final[dict[str, str]] = {
    "": QT_TRANSLATE_NOOP("wording", "pickle"),
    "attributes": QT_TRANSLATE_NOOP("wording", "attributes"),
    "bytecode": QT_TRANSLATE_NOOP("wording", "bytecode"),
    "constants": QT_TRANSLATE_NOOP("wording", "constants"),
    "debug handles": QT_TRANSLATE_NOOP("wording", "debug handles"),
    "debug ranges": QT_TRANSLATE_NOOP("wording", "debug ranges"),
    "magic number": QT_TRANSLATE_NOOP("wording", "magic number"),
    "number of storages": QT_TRANSLATE_NOOP("wording", "number of storages"),
    "number of tensors": QT_TRANSLATE_NOOP("wording", "number of tensors"),
    "object": QT_TRANSLATE_NOOP("wording", "object"),
    "protocol version": QT_TRANSLATE_NOOP("wording", "protocol version"),
    "storage": QT_TRANSLATE_NOOP("wording", "storage"),
    "storage keys": QT_TRANSLATE_NOOP("wording", "storage keys"),
    "system info": QT_TRANSLATE_NOOP("wording", "system info"),
    "tensor": QT_TRANSLATE_NOOP("wording", "tensor"),
    "traced inputs": QT_TRANSLATE_NOOP("wording", "traced inputs"),
    "views": QT_TRANSLATE_NOOP("wording", "views"),
}

# Regions by kind.
KINDS: Final[dict[str, str]] = {
    "gap": QT_TRANSLATE_NOOP("wording", "gap"),
    "index-entry": QT_TRANSLATE_NOOP("wording", "entry"),
    "index-map": QT_TRANSLATE_NOOP("wording", "entries"),
    "index-metadata": QT_TRANSLATE_NOOP("wording", "metadata"),
    "index-text": QT_TRANSLATE_NOOP("wording", "text of the index"),
    "item": QT_TRANSLATE_NOOP("wording", "item"),
    "npy-header": QT_TRANSLATE_NOOP("wording", "header"),
    "packed": QT_TRANSLATE_NOOP("wording", "compressed bytes"),
    "packed-check": QT_TRANSLATE_NOOP("wording", "checksum"),
    "packed-header": QT_TRANSLATE_NOOP("wording", "header"),
    "packed-skipped": QT_TRANSLATE_NOOP("wording", "frame without content"),
    "padding": QT_TRANSLATE_NOOP("wording", "padding"),
    "pickle": QT_TRANSLATE_NOOP("wording", "pickle"),
    "prefix": QT_TRANSLATE_NOOP("wording", "bytes before the archive"),
    "record": QT_TRANSLATE_NOOP("wording", "record"),
    "safetensors-entry": QT_TRANSLATE_NOOP("wording", "entry"),
    "safetensors-header": QT_TRANSLATE_NOOP("wording", "header"),
    "safetensors-length": QT_TRANSLATE_NOOP("wording", "header length"),
    "storage": QT_TRANSLATE_NOOP("wording", "storage"),
    "storage-count": QT_TRANSLATE_NOOP("wording", "storage count"),
    "tar-end": QT_TRANSLATE_NOOP("wording", "end blocks"),
    "tar-extension": QT_TRANSLATE_NOOP("wording", "additional header"),
    "tar-header": QT_TRANSLATE_NOOP("wording", "header"),
    "tensor-layout": QT_TRANSLATE_NOOP("wording", "layout"),
    "trailing": QT_TRANSLATE_NOOP("wording", "bytes behind the end"),
    "unknown": QT_TRANSLATE_NOOP("wording", "unknown bytes"),
    "zip-descriptor": QT_TRANSLATE_NOOP("wording", "descriptor"),
    "zip-directory": QT_TRANSLATE_NOOP("wording", "directory entry"),
    "zip-end": QT_TRANSLATE_NOOP("wording", "end record"),
    "zip-header": QT_TRANSLATE_NOOP("wording", "local header"),
}

AT: Final = QT_TRANSLATE_NOOP("wording", "at {offset}")
CODE_OBJECT: Final = QT_TRANSLATE_NOOP("wording", "code object")
DIRECTORY: Final = QT_TRANSLATE_NOOP("wording", "zip directory")
ELEMENTS: Final = QT_TRANSLATE_NOOP("wording", "elements: {count}")
ENTRIES: Final = QT_TRANSLATE_NOOP("wording", "entries: {count}")
FILES: Final = QT_TRANSLATE_NOOP("wording", "files: {count}")
FILES_LABEL: Final = QT_TRANSLATE_NOOP("wording", "files")
FUNCTION: Final = QT_TRANSLATE_NOOP("wording", "function")
HEADER: Final = QT_TRANSLATE_NOOP("wording", "header")
INSIDE: Final = QT_TRANSLATE_NOOP("wording", "inside: {how}")
INTERNALS: Final = QT_TRANSLATE_NOOP("wording", "internals")
ITEMS: Final = QT_TRANSLATE_NOOP("wording", "items: {count}")
MADE_BY_PACKAGE: Final = QT_TRANSLATE_NOOP("wording", "made by torch.package")
MISSING: Final = QT_TRANSLATE_NOOP("wording", "missing")
NEXT_PICKLE: Final = QT_TRANSLATE_NOOP("wording", "next pickle")
PROGRAM_CODE: Final = QT_TRANSLATE_NOOP("wording", "contains program code")
PROTOCOL: Final = QT_TRANSLATE_NOOP("wording", "pickle, protocol {protocol}")
RECORDS: Final = QT_TRANSLATE_NOOP("wording", "records: {count}")
REPEATED: Final = QT_TRANSLATE_NOOP("wording", "stands again further on")
SCRIPT_MODULE: Final = QT_TRANSLATE_NOOP("wording", "TorchScript module in {record}")
STORAGES: Final = QT_TRANSLATE_NOOP("wording", "storages")
TENSORS: Final = QT_TRANSLATE_NOOP("wording", "tensors")
USES: Final = QT_TRANSLATE_NOOP("wording", "uses: {count}")
UNLISTED: Final = QT_TRANSLATE_NOOP("wording", "not in the index")
