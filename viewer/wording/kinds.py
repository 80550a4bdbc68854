"""Sentences on what a file is, where it is shown as bytes only: `kind-` and the format's name."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

AS_BYTES: Final = QT_TRANSLATE_NOOP("wording", "It is shown as bytes.")
AS_RECORDS: Final = QT_TRANSLATE_NOOP("wording", "Its records are listed; none of them is a checkpoint or an array.")
UNPACK: Final = QT_TRANSLATE_NOOP("wording", "Unpack it with another program and open what was inside.")
FETCH: Final = QT_TRANSLATE_NOOP("wording", "Fetch the file again, and look at the address that it comes from.")

KINDS: Final[dict[str, Words]] = {
    "kind-7z": Words(QT_TRANSLATE_NOOP("wording", "This is a 7z archive"), AS_BYTES, UNPACK),
    "kind-distributed": Words(
        QT_TRANSLATE_NOOP("wording", "This is part of a distributed checkpoint"),
        QT_TRANSLATE_NOOP("wording", "Its tensors stand in the .distcp files of the same folder."),
        QT_TRANSLATE_NOOP(
            "wording", "torch.distributed.checkpoint.format_utils.dcp_to_torch_save makes one file of it."
        ),
    ),
    "kind-flatbuffer": Words(
        QT_TRANSLATE_NOOP("wording", "This is a flatbuffer, as TFLite and PyTorch for phones write it"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "torch.jit.load reads those of PyTorch."),
    ),
    "kind-foreign": Words(
        QT_TRANSLATE_NOOP("wording", "This is no checkpoint: {detail}"),
        AS_BYTES,
    ),
    "kind-gguf": Words(
        QT_TRANSLATE_NOOP("wording", "This is a GGUF model of llama.cpp"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "The package gguf reads it."),
    ),
    "kind-git-lfs-pointer": Words(
        QT_TRANSLATE_NOOP("wording", "This is a Git LFS pointer, not the file itself"),
        QT_TRANSLATE_NOOP("wording", "It holds the name and size of the real file, which was not fetched."),
        QT_TRANSLATE_NOOP("wording", "In its repository, run: git lfs pull"),
    ),
    "kind-hdf5": Words(
        QT_TRANSLATE_NOOP("wording", "This is an HDF5 file, as older Keras writes it"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "The package h5py reads it."),
    ),
    "kind-html": Words(
        QT_TRANSLATE_NOOP("wording", "This is a web page, not a checkpoint"),
        QT_TRANSLATE_NOOP("wording", "A download often ends so when it needed a login or the address was wrong."),
        FETCH,
    ),
    "kind-json": Words(
        QT_TRANSLATE_NOOP("wording", "This is JSON text, not a checkpoint"),
        QT_TRANSLATE_NOOP("wording", "Servers often answer so when a download was refused."),
        FETCH,
    ),
    "kind-keras": Words(
        QT_TRANSLATE_NOOP("wording", "This is a Keras 3 model"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "keras.saving.load_model reads it."),
    ),
    "kind-lua-t7": Words(
        QT_TRANSLATE_NOOP("wording", "This is a file of Lua Torch 7"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "The package torchfile reads it."),
    ),
    "kind-lz4": Words(QT_TRANSLATE_NOOP("wording", "This file is compressed with lz4"), AS_BYTES, UNPACK),
    "kind-onnx": Words(
        QT_TRANSLATE_NOOP("wording", "This is an ONNX model"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "The package onnx reads it."),
    ),
    "kind-rar": Words(QT_TRANSLATE_NOOP("wording", "This is a RAR archive"), AS_BYTES, UNPACK),
    "kind-sharded-index": Words(
        QT_TRANSLATE_NOOP("wording", "This is the index of a model in several files"),
        QT_TRANSLATE_NOOP("wording", "It names the file that holds each tensor."),
        QT_TRANSLATE_NOOP("wording", "Open those files, which stand in the same folder."),
    ),
    "kind-tar": Words(
        QT_TRANSLATE_NOOP("wording", "This is a tar archive, but no checkpoint of torch"), AS_RECORDS, UNPACK
    ),
    "kind-text": Words(
        QT_TRANSLATE_NOOP("wording", "This is text, not a checkpoint"),
        AS_BYTES,
        FETCH,
    ),
    "kind-torch-export": Words(
        QT_TRANSLATE_NOOP("wording", "This is a program of torch.export"),
        QT_TRANSLATE_NOOP(
            "wording", "Its weights, constants and example inputs are read. Its graph is shown as it is stored."
        ),
        QT_TRANSLATE_NOOP("wording", "torch.export.load reads it."),
    ),
    "kind-torch-export-json": Words(
        QT_TRANSLATE_NOOP("wording", "This is a program of torch.export from torch 2.1 to 2.6"),
        QT_TRANSLATE_NOOP("wording", "Its weights and constants are read. Its graph is shown as it is stored."),
        QT_TRANSLATE_NOOP("wording", "torch.export.load of that version reads it."),
    ),
    "kind-torch-mobile": Words(
        QT_TRANSLATE_NOOP("wording", "This is a TorchScript model for phones"),
        QT_TRANSLATE_NOOP("wording", "Its objects, tensors and code are read."),
        QT_TRANSLATE_NOOP("wording", "torch.jit.load reads it."),
    ),
    "kind-torch-package": Words(
        QT_TRANSLATE_NOOP("wording", "This is a package of torch.package"),
        QT_TRANSLATE_NOOP("wording", "Its pickles, tensors and modules are read."),
        QT_TRANSLATE_NOOP("wording", "torch.package.PackageImporter reads it, and runs its code."),
    ),
    "kind-torchscript": Words(
        QT_TRANSLATE_NOOP("wording", "This is a TorchScript model"),
        QT_TRANSLATE_NOOP("wording", "Its objects, tensors and code are read."),
        QT_TRANSLATE_NOOP("wording", "torch.jit.load reads it."),
    ),
    "kind-torchscript-json": Words(
        QT_TRANSLATE_NOOP("wording", "This is a TorchScript model of torch 1.0 to 1.2"),
        QT_TRANSLATE_NOOP("wording", "Its tensors and code are read."),
        QT_TRANSLATE_NOOP("wording", "torch.jit.load of torch 1.x reads it."),
    ),
    "kind-unknown": Words(
        QT_TRANSLATE_NOOP("wording", "It is not known what this file is"),
        QT_TRANSLATE_NOOP(
            "wording", "Its first bytes are those of no format that is known here. It is shown as bytes."
        ),
    ),
    "kind-xml": Words(
        QT_TRANSLATE_NOOP("wording", "This is XML text, not a checkpoint"),
        QT_TRANSLATE_NOOP("wording", "Servers often answer so when a download was refused."),
        FETCH,
    ),
    "kind-zeros": Words(
        QT_TRANSLATE_NOOP("wording", "This file begins with {count} zero bytes"),
        QT_TRANSLATE_NOOP(
            "wording", "A download or a copy that failed leaves such bytes; no checkpoint begins with them."
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "kind-zip": Words(
        QT_TRANSLATE_NOOP("wording", "This is a zip archive, but no checkpoint of torch"), AS_RECORDS, UNPACK
    ),
}
