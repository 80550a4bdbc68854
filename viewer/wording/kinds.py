"""Sentences on what a file is, where it is shown as bytes only: `kind-`, the format's name, and what is known of it."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

AS_BYTES: Final = QT_TRANSLATE_NOOP("wording", "It is shown as bytes.")
AS_RECORDS: Final = QT_TRANSLATE_NOOP("wording", "Its records are listed; none of them is a checkpoint or an array.")
UNPACK: Final = QT_TRANSLATE_NOOP("wording", "Unpack it with another program and open what was inside.")
LOOK: Final = QT_TRANSLATE_NOOP("wording", "Look for the checkpoint where this file came from.")
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
        QT_TRANSLATE_NOOP("wording", "This is a flatbuffer of PyTorch for phones"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "torch.jit.jit_module_from_flatbuffer reads it."),
    ),
    "kind-flatbuffer-executorch": Words(
        QT_TRANSLATE_NOOP("wording", "This is a program of ExecuTorch"),
        AS_BYTES,
        QT_TRANSLATE_NOOP(
            "wording",
            "The runtime of ExecuTorch reads it. The weights are easier to get from the model that it was made of.",
        ),
    ),
    "kind-flatbuffer-lite": Words(
        QT_TRANSLATE_NOOP("wording", "This is a model of TensorFlow Lite"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "tensorflow.lite.Interpreter reads it."),
    ),
    "kind-foreign": Words(
        QT_TRANSLATE_NOOP("wording", "This is no checkpoint: {detail}"),
        AS_BYTES,
        LOOK,
    ),
    "kind-foreign-ggml": Words(
        QT_TRANSLATE_NOOP("wording", "This is a model of llama.cpp in an old form: {detail}"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "The programs beside llama.cpp make a GGUF model of it."),
    ),
    "kind-foreign-msgpack": Words(
        QT_TRANSLATE_NOOP("wording", "This is no checkpoint of torch: {detail}"),
        QT_TRANSLATE_NOOP("wording", "Flax saves weights in such files. It is shown as bytes."),
        QT_TRANSLATE_NOOP("wording", "flax.serialization.msgpack_restore reads those of Flax."),
    ),
    "kind-foreign-protobuf": Words(
        QT_TRANSLATE_NOOP("wording", "This is no checkpoint of torch: {detail}"),
        QT_TRANSLATE_NOOP("wording", "Core ML, Caffe and TensorFlow save models in such files. It is shown as bytes."),
        QT_TRANSLATE_NOOP("wording", "The package that saved it reads it: coremltools, Caffe or TensorFlow."),
    ),
    "kind-foreign-table": Words(
        QT_TRANSLATE_NOOP("wording", "This is a table, and no checkpoint: {detail}"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "The package pyarrow reads it."),
    ),
    "kind-foreign-tensorflow": Words(
        QT_TRANSLATE_NOOP("wording", "This is one file of a TensorFlow checkpoint: {detail}"),
        QT_TRANSLATE_NOOP(
            "wording", "It names the tensors; their numbers stand in files of the same name that end in .data."
        ),
        QT_TRANSLATE_NOOP("wording", "tf.train.load_checkpoint reads them together."),
    ),
    "kind-gguf": Words(
        QT_TRANSLATE_NOOP("wording", "This is a GGUF model of llama.cpp: {detail}"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "The package gguf reads it."),
    ),
    "kind-git-lfs-pointer": Words(
        QT_TRANSLATE_NOOP("wording", "This is a Git LFS pointer, not the file itself"),
        QT_TRANSLATE_NOOP("wording", "The real file has {size} bytes and the SHA-256 {oid}. It was not fetched."),
        QT_TRANSLATE_NOOP("wording", "In its repository, run: git lfs pull"),
    ),
    "kind-git-lfs-pointer-cut": Words(
        QT_TRANSLATE_NOOP("wording", "This is a Git LFS pointer, not the file itself, and it is not whole"),
        QT_TRANSLATE_NOOP(
            "wording", "It should state the SHA-256 and the size of the real file, which was not fetched."
        ),
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
    "kind-html-titled": Words(
        QT_TRANSLATE_NOOP("wording", "This is a web page, not a checkpoint: {title}"),
        QT_TRANSLATE_NOOP("wording", "A download often ends so when it needed a login or the address was wrong."),
        FETCH,
    ),
    "kind-json": Words(
        QT_TRANSLATE_NOOP("wording", "This is JSON text, not a checkpoint"),
        QT_TRANSLATE_NOOP("wording", "Servers often answer so when a download was refused."),
        FETCH,
    ),
    "kind-json-said": Words(
        QT_TRANSLATE_NOOP("wording", "This is an answer in JSON, not a checkpoint: {detail}"),
        QT_TRANSLATE_NOOP("wording", "Servers often answer so when a download was refused."),
        FETCH,
    ),
    "kind-keras": Words(
        QT_TRANSLATE_NOOP("wording", "This is a Keras 3 model"),
        QT_TRANSLATE_NOOP("wording", "Its records are listed; its weights stand in model.weights.h5."),
        QT_TRANSLATE_NOOP("wording", "keras.saving.load_model reads it."),
    ),
    "kind-lua-t7": Words(
        QT_TRANSLATE_NOOP("wording", "This is a file of Lua Torch 7: {detail}"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "The package torchfile reads it."),
    ),
    "kind-lz4": Words(QT_TRANSLATE_NOOP("wording", "This file is compressed with lz4"), AS_BYTES, UNPACK),
    "kind-onnx": Words(
        QT_TRANSLATE_NOOP("wording", "This is an ONNX model"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "The package onnx reads it."),
    ),
    "kind-onnx-by": Words(
        QT_TRANSLATE_NOOP("wording", "This is an ONNX model, written by {detail}"),
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
    "kind-text-encoded": Words(
        QT_TRANSLATE_NOOP("wording", "This is text, not a checkpoint: {detail}"),
        QT_TRANSLATE_NOOP("wording", "The bytes of the checkpoint were written as letters, as for a mail."),
        QT_TRANSLATE_NOOP("wording", "Decode it, for one by: base64 --decode"),
    ),
    "kind-text-python": Words(
        QT_TRANSLATE_NOOP("wording", "This is Python source, not a checkpoint"),
        AS_BYTES,
        QT_TRANSLATE_NOOP("wording", "A program like this makes or loads a checkpoint: look for that file."),
    ),
    "kind-torch-export": Words(
        QT_TRANSLATE_NOOP("wording", "This is a program of torch.export"),
        QT_TRANSLATE_NOOP(
            "wording", "Its weights, constants and example inputs are read. Its graph is listed in Contents."
        ),
        QT_TRANSLATE_NOOP("wording", "torch.export.load reads it."),
    ),
    "kind-torch-export-compiled": Words(
        QT_TRANSLATE_NOOP("wording", "This is a package of AOTInductor"),
        QT_TRANSLATE_NOOP("wording", "It holds code that was compiled for one kind of machine, and no graph."),
        QT_TRANSLATE_NOOP("wording", "torch._inductor.aoti_load_package reads it, and runs its machine code."),
    ),
    "kind-torch-export-json": Words(
        QT_TRANSLATE_NOOP("wording", "This is a program of torch.export from torch 2.1 to 2.6"),
        QT_TRANSLATE_NOOP("wording", "Its weights and constants are read. Its graph is listed in Contents."),
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
    "kind-xml-said": Words(
        QT_TRANSLATE_NOOP("wording", "This is an answer in XML, not a checkpoint: {detail}"),
        QT_TRANSLATE_NOOP("wording", "Servers often answer so when a download was refused."),
        FETCH,
    ),
    "kind-zeros": Words(
        QT_TRANSLATE_NOOP("wording", "The first {count} of {size} bytes are zero"),
        QT_TRANSLATE_NOOP(
            "wording",
            "No format that is known here begins so. Probably the room was kept for a download that did not finish; what follows is shown as bytes.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "kind-zeros-all": Words(
        QT_TRANSLATE_NOOP("wording", "All {count} bytes of this file are zero"),
        QT_TRANSLATE_NOOP("wording", "The room was kept for a download or a copy, and the data never came."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "kind-zip": Words(
        QT_TRANSLATE_NOOP("wording", "This is a zip archive, but no checkpoint of torch"), AS_RECORDS, UNPACK
    ),
    "kind-zip-empty": Words(
        QT_TRANSLATE_NOOP("wording", "This zip archive is empty"),
        QT_TRANSLATE_NOOP("wording", "It has an end record and nothing else."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again, or look at the program that packed it."),
    ),
}
