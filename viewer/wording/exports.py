"""Sentences about exports: why an entry is left out, what the second reader said, the lines of the report."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

DROPPED: Final[dict[str, str]] = {
    "attribute": QT_TRANSLATE_NOOP(
        "wording", "it is a Python attribute of the tensor, and tensors are written without"
    ),
    "dtype": QT_TRANSLATE_NOOP("wording", "{form} has no element type for {dtype}"),
    "local-part": QT_TRANSLATE_NOOP("wording", "only a part of it stands in this file: {found} of {whole}"),
    "grad": QT_TRANSLATE_NOOP("wording", "torch lets no quantised tensor require a gradient"),
    "mask": QT_TRANSLATE_NOOP("wording", "it is a mask: elements are written whether they are masked or not"),
    "meta": QT_TRANSLATE_NOOP("wording", "it is on the meta device, which keeps no values"),
    "missing-bytes": QT_TRANSLATE_NOOP("wording", "{missing} of its {nbytes} bytes are missing"),
    "no-values": QT_TRANSLATE_NOOP("wording", "its values are not stored as plain elements ({note})"),
    "not-in-file": QT_TRANSLATE_NOOP("wording", "{file} does not hold it or is missing, and no other file has it"),
    "not-plain": QT_TRANSLATE_NOOP("wording", "it is an object that loading with weights_only refuses"),
    "not-text": QT_TRANSLATE_NOOP("wording", "safetensors holds tensors and texts only"),
    "not-tensor": QT_TRANSLATE_NOOP("wording", "it is no tensor"),
    "parts-misfit": QT_TRANSLATE_NOOP("wording", "the tensors that it is made of do not fit each other"),
    "parts-names": QT_TRANSLATE_NOOP("wording", "other entries have the names that its parts would get: {names}"),
    "quantizer": QT_TRANSLATE_NOOP("wording", "nothing that fits says which numbers its elements stand for"),
    "recovery-class": QT_TRANSLATE_NOOP("wording", "the class {what} is not in the checkpoint"),
    "recovery-hook": QT_TRANSLATE_NOOP("wording", "the hook {what} ({kind}) is not rebuilt"),
    "recovery-name": QT_TRANSLATE_NOOP("wording", "the checkpoint holds only the name {what}, not its code"),
    "recovery-object": QT_TRANSLATE_NOOP("wording", "objects of {what} are not rebuilt"),
    "recovery-value": QT_TRANSLATE_NOOP("wording", "the kit cannot hold a value of this kind"),
    "replaced": QT_TRANSLATE_NOOP("wording", "a later entry has the same name"),
    "source-long": QT_TRANSLATE_NOOP("wording", "the text is too long to be read as Python"),
    "source-name-taken": QT_TRANSLATE_NOOP("wording", "another class stands under the name {name} there"),
    "source-nested": QT_TRANSLATE_NOOP("wording", "its parts are nested too deeply to be read as Python"),
    "source-no-class": QT_TRANSLATE_NOOP("wording", "the text has no class {name}"),
    "source-none": QT_TRANSLATE_NOOP("wording", "its text is not in the file"),
    "source-not-text": QT_TRANSLATE_NOOP("wording", "it holds characters that Python does not read"),
    "source-other-text": QT_TRANSLATE_NOOP("wording", "the class has another text too, which is used"),
    "source-part": QT_TRANSLATE_NOOP("wording", "the text is only a part of the class; it breaks off in line {line}"),
    "source-python-2": QT_TRANSLATE_NOOP("wording", "the text is Python 2 (line {line})"),
    "source-syntax": QT_TRANSLATE_NOOP("wording", "Python does not read the text (line {line}: {reason})"),
    "wrapper": QT_TRANSLATE_NOOP("wording", "only its class knows what the tensors in it come to"),
}

VERDICTS: Final[dict[str, str]] = {
    "numpy-differs": QT_TRANSLATE_NOOP("wording", "numpy reads other values than were written: {reason}."),
    "numpy-verified": QT_TRANSLATE_NOOP("wording", "Verified: numpy reads the same arrays ({count})."),
    "safetensors-differs": QT_TRANSLATE_NOOP(
        "wording", "safetensors {version} reads other values than were written: {reason}."
    ),
    "safetensors-verified": QT_TRANSLATE_NOOP(
        "wording", "Verified: safetensors {version} opens it, and the tensors are the same ({count})."
    ),
    "source-differs": QT_TRANSLATE_NOOP("wording", "{name} is not as it was written: {reason}."),
    "source-lacking": QT_TRANSLATE_NOOP(
        "wording",
        "Verified: Python reads all files ({count}); nothing was run. They use names that are not found: {names}.",
    ),
    "source-verified": QT_TRANSLATE_NOOP(
        "wording", "Verified: Python reads all files ({count}), and all names that they use are found; nothing was run."
    ),
    "text-differs": QT_TRANSLATE_NOOP("wording", "The file is not as it was written."),
    "text-unread": QT_TRANSLATE_NOOP("wording", "What was written cannot be read back: {reason}."),
    "text-verified": QT_TRANSLATE_NOOP("wording", "Verified: it reads back as it was written."),
    "torch-absent": QT_TRANSLATE_NOOP("wording", "Not verified: torch is not installed here."),
    "torch-broken": QT_TRANSLATE_NOOP("wording", "Not verified: torch could not be started ({reason})."),
    "torch-died": QT_TRANSLATE_NOOP("wording", "Not verified: the torch process ended before it answered ({reason})."),
    "torch-differs": QT_TRANSLATE_NOOP("wording", "torch {version} reads other values than were written: {reason}."),
    "torch-memory": QT_TRANSLATE_NOOP("wording", "Not verified: torch needed more than {limit} bytes of memory."),
    "torch-old": QT_TRANSLATE_NOOP(
        "wording", "Not verified: torch {version} is installed here; safe loading needs {needed} or later."
    ),
    "torch-refuses": QT_TRANSLATE_NOOP("wording", "torch {version} does not load the file: {reason}."),
    "torch-silent": QT_TRANSLATE_NOOP("wording", "Not verified: torch gave no answer for {seconds} seconds."),
    "torch-verified": QT_TRANSLATE_NOOP(
        "wording", "Verified: torch {version} loads it with weights_only=True and reads the same tensors ({count})."
    ),
}

LINES: Final[dict[str, str]] = {
    "became-infinite": QT_TRANSLATE_NOOP(
        "wording", "Too large for {dtype}, and infinite now: {count} numbers. Write a wider type to keep them."
    ),
    "became-zero": QT_TRANSLATE_NOOP("wording", "Too small for {dtype}, and zero now: {count} numbers."),
    "bytes-at": QT_TRANSLATE_NOOP("wording", "Bytes: {count}, from {offset:x} on."),
    "bytes-of": QT_TRANSLATE_NOOP("wording", "Bytes: {count}, all of the record {name}."),
    "converted": QT_TRANSLATE_NOOP("wording", "Converted {name}: {source} is written as {result}."),
    "converted-all": QT_TRANSLATE_NOOP("wording", "Converted from {source} to {result}: {count} ({names})."),
    "dropped": QT_TRANSLATE_NOOP("wording", "Left out {name}: {reason}."),
    "dropped-more": QT_TRANSLATE_NOOP("wording", "Left out too, for such reasons: {count}."),
    "files": QT_TRANSLATE_NOOP("wording", "Files: {names}."),
    "from": QT_TRANSLATE_NOOP("wording", "From {title}: tensors {count}, left out {dropped}."),
    "from-file": QT_TRANSLATE_NOOP("wording", "From the whole file: tensors {count}, left out {dropped}."),
    "from-set": QT_TRANSLATE_NOOP("wording", "From all files of the set: tensors {count}, left out {dropped}."),
    "imports-report": QT_TRANSLATE_NOOP(
        "wording", "Names that loading would import: {count}; dangerous {dangerous}, unknown {unknown}, known {known}."
    ),
    "kept": QT_TRANSLATE_NOOP("wording", "Kept, though no tensors: {count} ({names})."),
    "listing": QT_TRANSLATE_NOOP(
        "wording", "Pickles: {count}, with opcodes: {opcodes}. The listing is for reading; it is no program to run."
    ),
    "loses-nothing": QT_TRANSLATE_NOOP("wording", "{dtype} holds every number: none is too large or too small for it."),
    "lost-in": QT_TRANSLATE_NOOP("wording", "They are in: {names}."),
    "may-lose": QT_TRANSLATE_NOOP(
        "wording",
        "Numbers that are too large or too small for {dtype} are counted as they are written; --dry-run counts them first.",
    ),
    "more": QT_TRANSLATE_NOOP("wording", "Changed and left out too, for such reasons: {count}."),
    "names-table": QT_TRANSLATE_NOOP(
        "wording", "Written too: {path}, the table of names and types, because names had to change: {count}."
    ),
    "names-table-asked": QT_TRANSLATE_NOOP("wording", "Written too: {path}, the table of names and types, as asked."),
    "names-table-gone": QT_TRANSLATE_NOOP(
        "wording", "Taken away: {path}, the table of names of the export that stood there: this one needs none."
    ),
    "needs": QT_TRANSLATE_NOOP("wording", "It loads in {needs} and later."),
    "recovery-classes": QT_TRANSLATE_NOOP(
        "wording", "Classes with their text: {stored}; classes whose text is derived: {derived}."
    ),
    "recovery-supplied": QT_TRANSLATE_NOOP("wording", "Taken from {file}: {names}."),
    "recovery-tensors": QT_TRANSLATE_NOOP(
        "wording", "From {title}: tensors of the state_dict {count}, other tensors and arrays {extra}."
    ),
    "recovery-tensors-file": QT_TRANSLATE_NOOP(
        "wording", "Tensors of the state_dict: {count}; other tensors and arrays: {extra}."
    ),
    "recovery-unused": QT_TRANSLATE_NOOP("wording", "No class is taken from {file}."),
    "renamed": QT_TRANSLATE_NOOP("wording", "Renamed {name} to {result}: the first name cannot be used there."),
    "renamed-asked": QT_TRANSLATE_NOOP("wording", "Renamed as asked: {count} ({names})."),
    "rescue-cut": QT_TRANSLATE_NOOP("wording", "Cut: {name}: {missing} of its {nbytes} bytes are missing."),
    "rescue-missing": QT_TRANSLATE_NOOP("wording", "Missing: {name}: none of its {nbytes} bytes is there."),
    "rescue-outside": QT_TRANSLATE_NOOP(
        "wording", "Whole, and no part of what is written: {count} ({names}). `picklescope export` writes them."
    ),
    "rescue-tensors": QT_TRANSLATE_NOOP("wording", "Tensors that are written: {count}."),
    "rescue-unknown": QT_TRANSLATE_NOOP("wording", "Unknown: {name}: its type or its shape cannot be read."),
    "rescue-whole": QT_TRANSLATE_NOOP("wording", "Whole tensors: {whole} of {count}."),
    "shards": QT_TRANSLATE_NOOP(
        "wording",
        "Tensors: {count}, left out {dropped}, in files of at most {size} bytes of tensors: {shards}.",
    ),
    "sums": QT_TRANSLATE_NOOP(
        "wording", "Records that fit their checksums: {good}; records that state none: {unstated}."
    ),
    "source-classes": QT_TRANSLATE_NOOP("wording", "Classes with source: {count}, in Python files: {files}."),
    "source-kept": QT_TRANSLATE_NOOP("wording", "Kept as text in {path}, {name}: {reason}."),
    "source-lacks": QT_TRANSLATE_NOOP("wording", "{name} uses names that are not found: {names}."),
    "source-torch": QT_TRANSLATE_NOOP("wording", "Texts of torch itself, kept as stored: {count}, in {folder}."),
    "structure": QT_TRANSLATE_NOOP("wording", "Documents: {documents}, pickles: {pickles}, tensors: {tensors}."),
    "unverified": QT_TRANSLATE_NOOP("wording", "Not verified, as asked."),
    "written": QT_TRANSLATE_NOOP("wording", "Written: {path} (tensors {count}, bytes {nbytes})."),
    "written-file": QT_TRANSLATE_NOOP("wording", "Written: {path} (bytes {nbytes})."),
    "written-folder": QT_TRANSLATE_NOOP("wording", "Written: {path} (files {count}, bytes {nbytes})."),
    "too-large": QT_TRANSLATE_NOOP("wording", "Too large for {dtype}: {count} numbers, which would become infinite."),
    "too-small": QT_TRANSLATE_NOOP("wording", "Too small for {dtype}: {count} numbers, which would become zero."),
}
