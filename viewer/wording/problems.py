"""Sentences of Problems: one entry a code, in alphabetical order. Codes are stable, wordings are not.

Those on what a file is stand in `kinds`, those on damage inside pickles and their containers in `damage`,
those on tar, safetensors and compressed files in `containers`, those on what holds code beside weights in
`programs`, those on archives that were changed or that readers see differently in `archives`, and those on streams that
unpicklers refuse or read differently in `streams`.
"""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words
from viewer.wording.archives import ARCHIVES
from viewer.wording.checkpoints import CHECKPOINTS
from viewer.wording.containers import CONTAINERS
from viewer.wording.damage import DAMAGE
from viewer.wording.kinds import KINDS
from viewer.wording.modules import MODULES
from viewer.wording.programs import PROGRAMS
from viewer.wording.ranks import RANKS
from viewer.wording.remarks import REMARKS
from viewer.wording.sets import SETS
from viewer.wording.streams import STREAMS
from viewer.wording.tensors import TENSORS

PROBLEMS: Final[dict[str, Words]] = {
    **ARCHIVES,
    **CHECKPOINTS,
    **CONTAINERS,
    **DAMAGE,
    **KINDS,
    **MODULES,
    **PROGRAMS,
    **REMARKS,
    **RANKS,
    **SETS,
    **STREAMS,
    **TENSORS,
    "array-arguments": Words(
        QT_TRANSLATE_NOOP("wording", "An array cannot be read: {function} has arguments of another kind"),
        QT_TRANSLATE_NOOP("wording", "numpy gives it a shape, a dtype and the bytes."),
        QT_TRANSLATE_NOOP("wording", "It is shown as a call with its arguments."),
    ),
    "array-buffer-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The bytes of the array {name} are not in this file"),
        QT_TRANSLATE_NOOP("wording", "They were written to a buffer outside of the pickle (protocol 5): {size} bytes."),
        QT_TRANSLATE_NOOP("wording", "Ask for the file that the buffers were saved in."),
    ),
    "array-file-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The array file {file} is not beside this one"),
        QT_TRANSLATE_NOOP("wording", "joblib 0.9 and before kept each array in a file of its own."),
        QT_TRANSLATE_NOOP("wording", "Put the files of the model into one folder."),
    ),
    "array-mask-size": Words(
        QT_TRANSLATE_NOOP("wording", "The mask of the array {name} has {found} bytes for {expected} elements"),
        QT_TRANSLATE_NOOP("wording", "numpy.ma refuses a mask of another size."),
        QT_TRANSLATE_NOOP("wording", "The stored elements are shown."),
    ),
    "array-masked": Words(
        QT_TRANSLATE_NOOP("wording", "Elements of the array {name} are masked"),
        QT_TRANSLATE_NOOP("wording", "They count as absent where numpy.ma reads it. Shown are the stored values."),
    ),
    "array-size-differs": Words(
        QT_TRANSLATE_NOOP("wording", "The array {name} has {found} bytes, its shape and dtype need {expected}"),
        QT_TRANSLATE_NOOP("wording", "numpy refuses it."),
        QT_TRANSLATE_NOOP("wording", "The elements that are there are shown."),
    ),
    "buffers-missing": Words(
        QT_TRANSLATE_NOOP("wording", "Buffers that are not in this file: {count}"),
        QT_TRANSLATE_NOOP(
            "wording", "Their bytes were written outside of the pickle (protocol 5), and how many is not stated."
        ),
        QT_TRANSLATE_NOOP("wording", "Ask for the file that the buffers were saved in."),
    ),
    "file-empty": Words(
        QT_TRANSLATE_NOOP("wording", "This file is empty"),
        QT_TRANSLATE_NOOP("wording", "It has 0 bytes."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "held-depth": Words(
        QT_TRANSLATE_NOOP("wording", "A file stands in files that stand in one another, {count} deep"),
        QT_TRANSLATE_NOOP("wording", "It is not opened: names and calls in it are not in the report on imports."),
        QT_TRANSLATE_NOOP("wording", "Save its bytes to a file and open that."),
    ),
    "held-layers": Words(
        QT_TRANSLATE_NOOP("wording", "A value is encoded or compressed more than {count} times over"),
        QT_TRANSLATE_NOOP("wording", "No more layers are taken off. What they hold is not known."),
        QT_TRANSLATE_NOOP("wording", "Honest files are not made like this: do not load it unless you know why."),
    ),
    "held-limit": Words(
        QT_TRANSLATE_NOOP("wording", "A value unpacks to more than may be unpacked"),
        QT_TRANSLATE_NOOP(
            "wording", "All files inside this one may take {limit} bytes together. It is not looked into."
        ),
        QT_TRANSLATE_NOOP("wording", "Allow more, if you know the file."),
    ),
    "held-more": Words(
        QT_TRANSLATE_NOOP("wording", "Values that may hold another file and were not looked into: {count}"),
        QT_TRANSLATE_NOOP(
            "wording", "After {limit} the search ends. What stands in the others is not in any list here."
        ),
    ),
    "held-unreadable": Words(
        QT_TRANSLATE_NOOP("wording", "A pickle has values that could not be searched for files"),
        QT_TRANSLATE_NOOP("wording", "The system says: {reason}."),
    ),
    "inflate-broken": Words(
        QT_TRANSLATE_NOOP("wording", "The compressed bytes of {name} are damaged"),
        QT_TRANSLATE_NOOP("wording", "They unpack to {present} bytes, then fail ({reason}); {stated} are stated."),
        QT_TRANSLATE_NOOP("wording", "What was unpacked is shown."),
    ),
    "inflate-checksum": Words(
        QT_TRANSLATE_NOOP("wording", "The content of {name} does not fit its checksum"),
        QT_TRANSLATE_NOOP("wording", "It unpacks, but bytes of it were changed, or the checksum was."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "inflate-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The compressed bytes of {name} end too early"),
        QT_TRANSLATE_NOOP("wording", "They unpack to {present} bytes; {stated} are stated."),
        QT_TRANSLATE_NOOP("wording", "What was unpacked is shown."),
    ),
    "inflate-size": Words(
        QT_TRANSLATE_NOOP("wording", "{name} does not have the size that the archive states"),
        QT_TRANSLATE_NOOP("wording", "It unpacks to {present} bytes; {stated} are stated."),
        QT_TRANSLATE_NOOP("wording", "All that was unpacked is shown."),
    ),
    "more-of-a-kind": Words(
        QT_TRANSLATE_NOOP("wording", "{count} more problems of the kind {kind} were found"),
        QT_TRANSLATE_NOOP("wording", "Only the first ones are listed."),
    ),
    "source-direction": Words(
        QT_TRANSLATE_NOOP("wording", "Marks that turn the direction of writing stand in the source of {name}: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {character} in line {line}. Editors may show the text in another order than it runs.",
        ),
        QT_TRANSLATE_NOOP("wording", "Read it here, where the marks are shown, before you use it."),
    ),
    "source-hidden": Words(
        QT_TRANSLATE_NOOP("wording", "Hidden characters stand in the source of {name}: {count}"),
        QT_TRANSLATE_NOOP("wording", "The first is {character} in line {line}. Editors may not show it."),
        QT_TRANSLATE_NOOP("wording", "Read it here, where they are shown, before you use it."),
    ),
    "storage-class-unknown": Words(
        QT_TRANSLATE_NOOP("wording", "The storage {key} is of the unknown class {class_name}"),
        QT_TRANSLATE_NOOP("wording", "So the size of its elements is not known."),
        QT_TRANSLATE_NOOP("wording", "Its tensors are listed without values."),
    ),
    "storage-conflict": Words(
        QT_TRANSLATE_NOOP("wording", "The storage {key} is described in two ways"),
        QT_TRANSLATE_NOOP("wording", "First as {first}, later as {later}. torch goes by the first without a word."),
        QT_TRANSLATE_NOOP("wording", "Each tensor is shown with the type that its own id states."),
    ),
    "storage-count-negative": Words(
        QT_TRANSLATE_NOOP("wording", "The storage {key} states {count} elements"),
        QT_TRANSLATE_NOOP("wording", "A count is never negative; torch refuses it."),
    ),
    "storage-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The storage {key} is missing"),
        QT_TRANSLATE_NOOP("wording", "Its {size} bytes are not in this file. Tensors in it: {names}."),
        QT_TRANSLATE_NOOP("wording", "They are listed as missing. Fetch the file again, or export what is whole."),
    ),
    "storage-size-differs": Words(
        QT_TRANSLATE_NOOP("wording", "The storage {key} has {found} bytes, its id states {expected}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Tensors in it: {names}. torch.load refuses another size; with mmap=True it does not look, and takes as many bytes as the id states from where the record begins.",
        ),
        QT_TRANSLATE_NOOP("wording", "The bytes that are there are shown."),
    ),
    "tensor-arguments": Words(
        QT_TRANSLATE_NOOP("wording", "A tensor cannot be read: {function} has arguments of another kind"),
        QT_TRANSLATE_NOOP("wording", "torch gives it a storage, an offset, a size and a stride."),
        QT_TRANSLATE_NOOP("wording", "It is shown as a call with its arguments."),
    ),
    "tensor-gradient": Words(
        QT_TRANSLATE_NOOP("wording", "{name} requires a gradient, but its type is {dtype}"),
        QT_TRANSLATE_NOOP("wording", "Only floating-point and complex tensors can; torch refuses to load it."),
    ),
    "tensor-layout": Words(
        QT_TRANSLATE_NOOP("wording", "The size and stride of {name} do not fit together"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Size {shape}, stride {stride}, offset {start}: both need the same length, and no negative number.",
        ),
        QT_TRANSLATE_NOOP("wording", "It is listed without values."),
    ),
    "tensor-outside-storage": Words(
        QT_TRANSLATE_NOOP("wording", "{name} reaches beyond its storage"),
        QT_TRANSLATE_NOOP("wording", "It needs {needed} bytes of storage {key}, which has {size}. torch refuses it."),
        QT_TRANSLATE_NOOP("wording", "The elements that are there are shown."),
    ),
    "zip-bytes-lost": Words(
        QT_TRANSLATE_NOOP("wording", "Bytes of this archive are missing: {count} before its directory"),
        QT_TRANSLATE_NOOP("wording", "The records begin that much earlier than the directory says, or are not there."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again, or export what is whole."),
    ),
    "zip-directory-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The central directory of the archive is cut"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Entries that are there: {entries}; records that the local headers tell of: {count}. torch and Python need a whole directory.",
        ),
        QT_TRANSLATE_NOOP(
            "wording", "The records are shown by their local headers. Fetch the file again, or export what is whole."
        ),
    ),
    "zip-directory-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The central directory of the archive is missing"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The file ends before it, so it was probably cut. The local headers tell of {count} records. torch and Python need the directory.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again, or export what is whole."),
    ),
    "zip-encrypted": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} is marked as encrypted"),
        QT_TRANSLATE_NOOP("wording", "Its bytes are not read. torch refuses such an archive."),
    ),
    "zip-entry-count": Words(
        QT_TRANSLATE_NOOP("wording", "The archive states {stated} records, its directory lists {found}"),
        QT_TRANSLATE_NOOP("wording", "torch goes by the number, Python's zipfile by the directory's size."),
    ),
    "zip-entry-damaged": Words(
        QT_TRANSLATE_NOOP("wording", "The directory entry of {name} is damaged"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The record stands at {offset:x}, where its local header says what it is. torch does not find it.",
        ),
        QT_TRANSLATE_NOOP("wording", "Export what is needed: the new file has a sound directory."),
    ),
    "zip-gap": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes between the records belong to none"),
        QT_TRANSLATE_NOOP("wording", "torch leaves no such bytes, and its reader passes over them."),
    ),
    "zip-header-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The file ends within the local header at {offset:x}"),
        QT_TRANSLATE_NOOP("wording", "The record that begins there is missing."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "zip-header-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} is not where the directory says"),
        QT_TRANSLATE_NOOP("wording", "A local header was expected at {offset:x}, and none stands there."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "zip-header-outside": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} should begin outside of this file"),
        QT_TRANSLATE_NOOP("wording", "By its entry in the directory it stands before the first byte, or too far on."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "zip-header-signature": Words(
        QT_TRANSLATE_NOOP("wording", "The local header of {name} has a wrong signature"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Its first four bytes should be 50 4B 03 04; the rest is as expected, so that the record is shown. torch and Python's zipfile refuse it, but torch.load with mmap=True may not look.",
        ),
    ),
    "zip-local-name": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} is called {local} in its local header"),
        QT_TRANSLATE_NOOP(
            "wording", "torch goes by the directory, which says {name}. Python's zipfile refuses the record."
        ),
    ),
    "zip-method": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} is compressed with method {method}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Only stored records (0) and deflated ones (8) can be read, as in torch. Python's zipfile also reads bzip2 (12) and lzma (14).",
        ),
        QT_TRANSLATE_NOOP("wording", "Pack the archive again without compression."),
    ),
    "zip-name-case": Words(
        QT_TRANSLATE_NOOP("wording", "The names {name} and {other} differ only in capital letters"),
        QT_TRANSLATE_NOOP(
            "wording", "torch takes them for one name and reads {record}; Python's zipfile tells them apart."
        ),
        QT_TRANSLATE_NOOP("wording", "Look at each of them in Contents."),
    ),
    "zip-name-coding": Words(
        QT_TRANSLATE_NOOP("wording", "{count} names in the archive are not written in UTF-8"),
        QT_TRANSLATE_NOOP("wording", "The first is {name}. Other programs may show them with other letters."),
    ),
    "zip-name-twice": Words(
        QT_TRANSLATE_NOOP("wording", "The name {name} stands {count} times in the archive"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch takes number {first} of them, in the order of the directory; Python's zipfile takes the last.",
        ),
        QT_TRANSLATE_NOOP("wording", "Look at each of them in Contents."),
    ),
    "zip-name-twice-many": Words(
        QT_TRANSLATE_NOOP("wording", "The name {name} stands {count} times in the archive"),
        QT_TRANSLATE_NOOP("wording", "torch may take any of them, Python's zipfile takes the last. The last is shown."),
        QT_TRANSLATE_NOOP("wording", "Look at each of them in Contents."),
    ),
    "zip-overlap": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} shares bytes with {other}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It begins before the other one ends. torch does not look; newer versions of Python's zipfile refuse the record.",
        ),
    ),
    "zip-prefix": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes stand before the archive"),
        QT_TRANSLATE_NOOP(
            "wording", "Python's zipfile finds the archive behind them; torch needs the file opened at that place."
        ),
    ),
    "zip-record-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} is cut"),
        QT_TRANSLATE_NOOP("wording", "{present} of {stated} bytes are there."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again, or export what is whole."),
    ),
    "zip-record-cut-unknown": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} is cut"),
        QT_TRANSLATE_NOOP(
            "wording", "{present} bytes of it are there; how many it should have is not stated in the archive."
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again, or export what is whole."),
    ),
    "zip-record-settled": Words(
        QT_TRANSLATE_NOOP("wording", "The place or the size of the record {name} is stated wrongly"),
        QT_TRANSLATE_NOOP(
            "wording",
            "By the descriptor behind it, its {count} bytes begin at {offset:x}, and so they are read here. torch reads other ones.",
        ),
        QT_TRANSLATE_NOOP("wording", "Export what is needed: the new file states it rightly."),
    ),
    "zip-search-stopped": Words(
        QT_TRANSLATE_NOOP("wording", "The search for records was stopped after {limit} bytes"),
        QT_TRANSLATE_NOOP("wording", "The archive has no directory, and records may follow that are not listed."),
    ),
    "zip-stored-size": Words(
        QT_TRANSLATE_NOOP("wording", "The two sizes of the record {name} differ"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It is stored without compression, and still {packed} bytes are stated for the archive and {size} for the content. torch refuses the whole archive; Python's zipfile reads what is there.",
        ),
    ),
    "zip-too-many-records": Words(
        QT_TRANSLATE_NOOP("wording", "The archive has more records than can be listed"),
        QT_TRANSLATE_NOOP("wording", "The first {limit} are shown."),
    ),
    "zip-trailing": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes follow the archive"),
        QT_TRANSLATE_NOOP("wording", "torch and Python pass over them."),
    ),
    "zip-two-directories": Words(
        QT_TRANSLATE_NOOP("wording", "Two directories fit this archive"),
        QT_TRANSLATE_NOOP(
            "wording", "torch reads the one at {first:x}, which is shown here; Python's zipfile the one at {second:x}."
        ),
    ),
}
