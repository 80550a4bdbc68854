"""Sentences on what is wrong inside pickles, legacy streams, torch zips, npy and npz files."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, RAISE, Words

BEFORE: Final = QT_TRANSLATE_NOOP("wording", "All that was read before this place is shown.")
BINARY: Final = QT_TRANSLATE_NOOP("wording", "Fetch the file again in binary mode.")
AGAIN: Final = QT_TRANSLATE_NOOP("wording", "Fetch the file again, or export what is whole.")

DAMAGE: Final[dict[str, Words]] = {
    "file-as-text-line-ends": Words(
        QT_TRANSLATE_NOOP("wording", "This archive was spoilt: its line ends were changed as if it were text"),
        QT_TRANSLATE_NOOP("wording", "A byte was put before each line feed, so that places and lengths no longer fit."),
        BINARY,
    ),
    "file-as-text-replaced": Words(
        QT_TRANSLATE_NOOP("wording", "This file was spoilt: it was read as text and written anew"),
        QT_TRANSLATE_NOOP("wording", "Each byte that is no text became a replacement character. What it was is lost."),
        BINARY,
    ),
    "file-as-text-utf-8": Words(
        QT_TRANSLATE_NOOP("wording", "This archive was spoilt: it was written anew as UTF-8 text"),
        QT_TRANSLATE_NOOP("wording", "Each byte above 127 became several, so that places and lengths no longer fit."),
        BINARY,
    ),
    "file-ends-early": Words(
        QT_TRANSLATE_NOOP("wording", "This file ends early"),
        QT_TRANSLATE_NOOP(
            "wording",
            "{size} bytes are here; at least {expected} were expected. {whole} of {count} tensors are whole.",
        ),
        AGAIN,
    ),
    "legacy-as-text-line-ends": Words(
        QT_TRANSLATE_NOOP("wording", "This legacy stream was spoilt: its line ends were changed as if it were text"),
        QT_TRANSLATE_NOOP(
            "wording", "A byte was put before each line feed, so that lengths and numbers no longer fit."
        ),
        BINARY,
    ),
    "legacy-as-text-utf-8": Words(
        QT_TRANSLATE_NOOP("wording", "This legacy stream was spoilt: it was written anew as UTF-8 text"),
        QT_TRANSLATE_NOOP("wording", "Each byte above 127 became two, so that lengths and numbers no longer fit."),
        BINARY,
    ),
    "legacy-keys": Words(
        QT_TRANSLATE_NOOP("wording", "Storages that the list of keys does not name: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {key}. torch.load does not miss them: it gives their tensors whatever stands in memory, without a word.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again, or export what is whole."),
    ),
    "legacy-keys-settled": Words(
        QT_TRANSLATE_NOOP("wording", "The list of storage keys is damaged"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The {count} storages that the object names fit what stands from {offset:x} on, in their usual order, and so they are read here. torch does not find them.",
        ),
        QT_TRANSLATE_NOOP("wording", "Export what is needed: the new file has a sound list."),
    ),
    "legacy-keys-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The list of storage keys cannot be read to its end"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The bytes of the storages should follow it: {whole} of {count} storages have data. Names, shapes and types of the tensors are shown.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "legacy-parts-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The file ends before the {part}"),
        QT_TRANSLATE_NOOP(
            "wording", "A legacy stream has five pickles and then the storages; {count} pickles are there."
        ),
        AGAIN,
    ),
    "legacy-save-failed": Words(
        QT_TRANSLATE_NOOP("wording", "The file ends before the {part}: nothing was saved in it"),
        QT_TRANSLATE_NOOP(
            "wording",
            "{count} pickles are there that torch.save writes first. Such a file remains where saving stops with an error.",
        ),
        QT_TRANSLATE_NOOP("wording", "Look for an earlier checkpoint, or save again."),
    ),
    "legacy-version": Words(
        QT_TRANSLATE_NOOP("wording", "The legacy stream states protocol version {version}"),
        QT_TRANSLATE_NOOP(
            "wording", "Only 1001 is known, and torch refuses any other. It was read as if it were 1001."
        ),
    ),
    "npy-data-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The array {name} is cut"),
        QT_TRANSLATE_NOOP("wording", "{present} of {stated} bytes are there."),
        AGAIN,
    ),
    "npy-dtype": Words(
        QT_TRANSLATE_NOOP("wording", "The array's type {dtype} is unknown"),
        QT_TRANSLATE_NOOP("wording", "Its elements cannot be read."),
    ),
    "npy-header-broken": Words(
        QT_TRANSLATE_NOOP("wording", "The header of the array cannot be read: {text}"),
        QT_TRANSLATE_NOOP("wording", "It should be a Python dict with descr, fortran_order and shape."),
    ),
    "npy-header-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The file ends within the header of the array"),
        QT_TRANSLATE_NOOP("wording", "{present} bytes of it are there."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "npy-header-long": Words(
        QT_TRANSLATE_NOOP("wording", "The header of the array is said to have {stated} bytes"),
        QT_TRANSLATE_NOOP("wording", "Real ones have a few hundred. It was not read."),
    ),
    "npy-shape": Words(
        QT_TRANSLATE_NOOP("wording", "The shape {shape} is not possible"),
        QT_TRANSLATE_NOOP("wording", "It should be a tuple of integers, none below 0 and not too large together."),
    ),
    "npy-trailing": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes follow the array"),
        QT_TRANSLATE_NOOP("wording", "numpy passes over them."),
    ),
    "npy-type-lost": Words(
        QT_TRANSLATE_NOOP("wording", "The array states {dtype}: {size} bytes for an element, and no type"),
        QT_TRANSLATE_NOOP(
            "wording",
            "numpy writes so what it has no name for, as the types of ml_dtypes: bfloat16 has 2 bytes, float8 has 1. numpy.load gives raw bytes.",
        ),
        QT_TRANSLATE_NOOP("wording", "Its bytes are shown. view() with the right type gives the numbers."),
    ),
    "npy-version": Words(
        QT_TRANSLATE_NOOP("wording", "The npy version {version} is unknown"),
        QT_TRANSLATE_NOOP("wording", "Only 1.0, 2.0 and 3.0 are known, to numpy as well."),
    ),
    "pickle-bad-argument": Words(
        QT_TRANSLATE_NOOP("wording", "The argument of the opcode at {offset:x} cannot be read: {detail}"),
        BEFORE,
    ),
    "pickle-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The pickle ends within the argument of {detail} at {offset:x}"),
        QT_TRANSLATE_NOOP(
            "wording", "{missing} more bytes were stated than the file has. What was read before is shown."
        ),
        AGAIN,
    ),
    "pickle-cut-line": Words(
        QT_TRANSLATE_NOOP("wording", "The pickle ends within the line of {detail} at {offset:x}"),
        BEFORE,
        AGAIN,
    ),
    "pickle-empty-memo": Words(
        QT_TRANSLATE_NOOP("wording", "Memo slot {detail} is read at {offset:x} and was never stored"),
        BEFORE,
    ),
    "pickle-frame-crossed": Words(
        QT_TRANSLATE_NOOP("wording", "An opcode crosses the end of the frame at {offset:x}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Of Python's two unpicklers, the one in Python refuses the stream; the one in C, which pickle.load uses, reads on, and from a file it may take other bytes than those that are shown.",
        ),
    ),
    "pickle-frame-inside": Words(
        QT_TRANSLATE_NOOP("wording", "The frame at {offset:x} begins within another frame"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Of Python's two unpicklers, the one in C, which pickle.load uses, reads the stream, and the one in Python refuses it.",
        ),
    ),
    "pickle-frame-long": Words(
        QT_TRANSLATE_NOOP("wording", "The frame at {offset:x} reaches {count} bytes beyond the end of the pickle"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Of Python's two unpicklers, the one in C, which pickle.load uses, refuses the stream unless as many bytes follow; the one in Python reads it.",
        ),
    ),
    "pickle-key-twice": Words(
        QT_TRANSLATE_NOOP("wording", "Keys that stand more than once in a mapping: {count}"),
        QT_TRANSLATE_NOOP("wording", "The first is {key}. Python and torch keep the value that comes last."),
        QT_TRANSLATE_NOOP("wording", "Look at the opcodes to see all values."),
    ),
    "pickle-left-over": Words(
        QT_TRANSLATE_NOOP("wording", "At STOP {count} values are left on the stack"),
        QT_TRANSLATE_NOOP("wording", "Python gives the topmost and drops the others."),
    ),
    "pickle-memo-index": Words(
        QT_TRANSLATE_NOOP("wording", "Memo slot {value} is stored to, and {count} slots are in use"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Of Python's two unpicklers, the one in C, which pickle.load uses, makes room for all slots below it and may run out of memory; the one in Python does not.",
        ),
    ),
    "pickle-memory": Words(
        QT_TRANSLATE_NOOP("wording", "The pickle has more opcodes than the memory limit allows"),
        QT_TRANSLATE_NOOP("wording", "{count} opcodes were read, up to {offset:x}; what stands behind is not shown."),
        RAISE,
    ),
    "pickle-no-mark": Words(
        QT_TRANSLATE_NOOP("wording", "{detail} at {offset:x} needs a mark, and there is none on the stack"),
        BEFORE,
    ),
    "pickle-no-stop": Words(
        QT_TRANSLATE_NOOP("wording", "The pickle has no STOP: it ends too early, at {offset:x}"),
        BEFORE,
        AGAIN,
    ),
    "pickle-opcode-newer": Words(
        QT_TRANSLATE_NOOP("wording", "Opcodes of a later protocol than the stated one: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Protocol {protocol} is stated. The first is {name}, and they need {needed}. Python and torch do not compare the two.",
        ),
    ),
    "pickle-protocol": Words(
        QT_TRANSLATE_NOOP("wording", "Pickle protocol {protocol} is unknown"),
        QT_TRANSLATE_NOOP("wording", "Python reads 0 to 5 and refuses this one. It was read as if it were 5."),
    ),
    "pickle-second-proto": Words(
        QT_TRANSLATE_NOOP("wording", "PROTO stands again within the pickle, at {offset:x}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It should stand once, at the beginning: {count} are too many. Python and torch take the new number without a word.",
        ),
    ),
    "pickle-trailing": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes follow the pickle"),
        QT_TRANSLATE_NOOP("wording", "Python passes over them."),
    ),
    "pickle-underflow": Words(
        QT_TRANSLATE_NOOP("wording", "{detail} at {offset:x} takes more values than the stack holds"),
        BEFORE,
    ),
    "pickle-unknown-opcode": Words(
        QT_TRANSLATE_NOOP("wording", "Byte {detail} at offset {offset:x} is no opcode"),
        BEFORE,
    ),
    "record-empty": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} is empty"),
        QT_TRANSLATE_NOOP("wording", "It should hold a pickle."),
    ),
    "record-unreadable": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} cannot be read"),
        QT_TRANSLATE_NOOP("wording", "{reason}"),
    ),
    "regions-overlap": Words(
        QT_TRANSLATE_NOOP("wording", "Two parts of the file share bytes: {what} begins before another part ends"),
        QT_TRANSLATE_NOOP("wording", "The shared bytes are shown as the part that begins first."),
    ),
    "storage-count": Words(
        QT_TRANSLATE_NOOP("wording", "Storage {key} states {found} elements; {expected} were expected"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It is storage {number} of {total}. Tensors in it: {names}. torch refuses this file: the storage has the wrong size.",
        ),
        QT_TRANSLATE_NOOP("wording", "Compare its values with another copy before you use them."),
    ),
    "storage-count-alone": Words(
        QT_TRANSLATE_NOOP("wording", "Storage {key} states {found} elements; {expected} were expected"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It is storage {number} of {total}. Tensors in it: {names}. torch refuses this file. With {expected} elements all that follows stands where it should, so that only the number seems to be wrong.",
        ),
        QT_TRANSLATE_NOOP("wording", "Its values are shown. Compare them with another copy before you use them."),
    ),
    "storage-cut": Words(
        QT_TRANSLATE_NOOP("wording", "Storage {key} is cut: {present} of {stated} bytes are there"),
        QT_TRANSLATE_NOOP("wording", "{missing} bytes are missing. Tensors in it: {names}."),
        AGAIN,
    ),
    "storage-unreferenced": Words(
        QT_TRANSLATE_NOOP("wording", "Storage {key} is listed, but no tensor uses it"),
        QT_TRANSLATE_NOOP("wording", "Its element size is not stated, and torch refuses the file."),
    ),
    "streams-more": Words(
        QT_TRANSLATE_NOOP("wording", "More than {limit} streams follow one another"),
        QT_TRANSLATE_NOOP("wording", "The first {limit} are read; {count} bytes follow."),
    ),
    "torch-byteorder": Words(
        QT_TRANSLATE_NOOP("wording", "The byte order is stated as {value}"),
        QT_TRANSLATE_NOOP("wording", "It should be exactly little or big; torch refuses the file. {used} was assumed."),
    ),
    "torch-no-object": Words(
        QT_TRANSLATE_NOOP("wording", "The archive has {count} records, and no data.pkl among them"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Names and shapes of the tensors stood there, so that none is known. The records are listed, and the storages shown as bytes.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again, or look for another copy."),
    ),
    "torch-trailing": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes follow the last storage"),
        QT_TRANSLATE_NOOP("wording", "torch passes over them."),
    ),
}
