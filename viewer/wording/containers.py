"""Sentences on tar archives, tar checkpoints, safetensors files and compressed files."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, RAISE, Words

AGAIN: Final = QT_TRANSLATE_NOOP("wording", "Fetch the file again, or export what is whole.")

MORE: Final = QT_TRANSLATE_NOOP(
    "wording", "Allow more: by the button in the window, or with --max-unpacked. Or unpack it with another program."
)

CONTAINERS: Final[dict[str, Words]] = {
    "archive-of-files": Words(
        QT_TRANSLATE_NOOP("wording", "This is a {kind} archive, and no checkpoint itself"),
        QT_TRANSLATE_NOOP("wording", "Files in it that can be opened: {count}. torch.load takes each of them alone."),
        QT_TRANSLATE_NOOP("wording", "Each stands in Contents as a document of its own."),
    ),
    "inflate-limit": Words(
        QT_TRANSLATE_NOOP("wording", "Records that stay packed, because they are too large: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The largest, {name}, would unpack to {size} bytes, {ratio} for each compressed one; {limit} are allowed.",
        ),
        MORE,
    ),
    "safetensors-dtype": Words(
        QT_TRANSLATE_NOOP("wording", "The type {dtype} of {name} is unknown"),
        QT_TRANSLATE_NOOP("wording", "safetensors refuses the whole file."),
        QT_TRANSLATE_NOOP("wording", "Its bytes are shown as they are."),
    ),
    "safetensors-entry": Words(
        QT_TRANSLATE_NOOP("wording", "The entry of {name} cannot be read: {reason}"),
        QT_TRANSLATE_NOOP(
            "wording", "It should have dtype, shape and data_offsets. safetensors refuses the whole file."
        ),
    ),
    "safetensors-header-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The file ends within the header"),
        QT_TRANSLATE_NOOP("wording", "The header has {length} bytes as stated; {present} are there."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "safetensors-header-long": Words(
        QT_TRANSLATE_NOOP("wording", "The header is said to have {length} bytes"),
        QT_TRANSLATE_NOOP("wording", "safetensors allows {limit}, and only so many are read."),
    ),
    "safetensors-hole": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes before {name} belong to no tensor"),
        QT_TRANSLATE_NOOP(
            "wording", "Tensors must follow one another without a gap; safetensors refuses the whole file."
        ),
        QT_TRANSLATE_NOOP("wording", "All tensors are shown. Export them to make a file that loads."),
    ),
    "safetensors-json": Words(
        QT_TRANSLATE_NOOP("wording", "The header breaks off at byte {offset} of it: {expected} was expected"),
        QT_TRANSLATE_NOOP("wording", "It should be one JSON object. Entries before this place are shown."),
        AGAIN,
    ),
    "safetensors-metadata": Words(
        QT_TRANSLATE_NOOP("wording", "__metadata__ holds something that is no text"),
        QT_TRANSLATE_NOOP("wording", "It should give a text for each key. safetensors refuses the whole file."),
    ),
    "safetensors-name-twice": Words(
        QT_TRANSLATE_NOOP("wording", "The name {name} stands {count} times in the header"),
        QT_TRANSLATE_NOOP("wording", "The last entry has the name; safetensors refuses the whole file."),
        QT_TRANSLATE_NOOP("wording", "The others are listed without it."),
    ),
    "safetensors-overlap": Words(
        QT_TRANSLATE_NOOP("wording", "{name} shares {count} bytes with {other}"),
        QT_TRANSLATE_NOOP("wording", "Each tensor must have bytes of its own; safetensors refuses the whole file."),
        QT_TRANSLATE_NOOP("wording", "Both are shown as they are stated."),
    ),
    "safetensors-raw": Words(
        QT_TRANSLATE_NOOP("wording", "Tensors of the type {dtype}, of which no numbers are made: {count}"),
        QT_TRANSLATE_NOOP("wording", "Several of its elements share a byte. Their bytes are shown as they are."),
    ),
    "safetensors-reverse": Words(
        QT_TRANSLATE_NOOP("wording", "The bytes of {name} end before they begin"),
        QT_TRANSLATE_NOOP(
            "wording", "They are said to begin at {begin} and to end at {end}. safetensors refuses the whole file."
        ),
    ),
    "safetensors-shape": Words(
        QT_TRANSLATE_NOOP("wording", "The shape {shape} of {name} is not possible"),
        QT_TRANSLATE_NOOP(
            "wording",
            "No length may be below 0, and their product must fit 64 bits. safetensors refuses the whole file.",
        ),
        QT_TRANSLATE_NOOP("wording", "Its bytes are shown as they are."),
    ),
    "safetensors-size": Words(
        QT_TRANSLATE_NOOP("wording", "{name} has {found} bytes; its shape and type need {expected}"),
        QT_TRANSLATE_NOOP("wording", "It is stated as {dtype} {shape}. safetensors refuses the whole file."),
        QT_TRANSLATE_NOOP("wording", "The elements that are there are shown."),
    ),
    "safetensors-trailing": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes follow the last tensor"),
        QT_TRANSLATE_NOOP("wording", "The file must end with it; safetensors refuses the whole file."),
        QT_TRANSLATE_NOOP("wording", "The tensors of the header are shown. Export them to make a file that loads."),
    ),
    "safetensors-utf-8": Words(
        QT_TRANSLATE_NOOP("wording", "The header is no UTF-8 text: byte {offset} of it"),
        QT_TRANSLATE_NOOP(
            "wording", "Names are shown with what can be read of them. safetensors refuses the whole file."
        ),
    ),
    "tar-checksum": Words(
        QT_TRANSLATE_NOOP("wording", "The header of {name} at {offset:x} does not fit its checksum"),
        QT_TRANSLATE_NOOP(
            "wording",
            "A byte of it was changed. The next header stands where it says, so the record is shown. Python's tarfile ends before it.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "tar-count": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} does not say how many entries it has"),
        QT_TRANSLATE_NOOP("wording", "It should begin with their number. Nothing behind it can be read."),
    ),
    "tar-early": Words(
        QT_TRANSLATE_NOOP("wording", "This tar checkpoint has the form of 2016"),
        QT_TRANSLATE_NOOP(
            "wording", "Its entries are shorter than those of torch 0.1.9, and no torch of today loads it."
        ),
        QT_TRANSLATE_NOOP("wording", "It is whole. Export the tensors in a form that loads."),
    ),
    "tar-entry": Words(
        QT_TRANSLATE_NOOP("wording", "An entry of the record {name} has another form than is known"),
        QT_TRANSLATE_NOOP("wording", "It should be a tuple of a key, a class and where it belongs."),
    ),
    "tar-extension-long": Words(
        QT_TRANSLATE_NOOP("wording", "A header of the tar has {size} bytes of additional facts"),
        QT_TRANSLATE_NOOP("wording", "More than {limit} are not read; names and sizes in it are not known."),
    ),
    "tar-header-broken": Words(
        QT_TRANSLATE_NOOP("wording", "There is no tar header at {offset:x}, where one should be"),
        QT_TRANSLATE_NOOP(
            "wording", "Its checksum does not fit. Reading goes on at the next good header; Python's tarfile ends here."
        ),
        AGAIN,
    ),
    "tar-header-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The file ends within the tar header at {offset:x}"),
        QT_TRANSLATE_NOOP("wording", "The record that begins there is missing, and all that followed it."),
        AGAIN,
    ),
    "tar-key-twice": Words(
        QT_TRANSLATE_NOOP("wording", "The storage {key} stands twice in the archive"),
        QT_TRANSLATE_NOOP("wording", "torch takes the last one, and so does this program."),
    ),
    "tar-layout": Words(
        QT_TRANSLATE_NOOP("wording", "A tensor of the archive states {axes} axes"),
        QT_TRANSLATE_NOOP("wording", "The layouts of the tensors that follow it cannot be found."),
        AGAIN,
    ),
    "tar-member-ends": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} ends too early"),
        QT_TRANSLATE_NOOP("wording", "Another part was expected there: {part}. All that stands before it is shown."),
        AGAIN,
    ),
    "tar-member-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The tar checkpoint has no record {name}"),
        QT_TRANSLATE_NOOP("wording", "torch needs the records pickle, tensors and storages."),
        AGAIN,
    ),
    "tar-name-twice": Words(
        QT_TRANSLATE_NOOP("wording", "The name {name} stands {count} times in the archive"),
        QT_TRANSLATE_NOOP("wording", "torch and Python read the last one and pass over the others."),
    ),
    "tar-names-dotted": Words(
        QT_TRANSLATE_NOOP("wording", "The names in this tar checkpoint begin with ./"),
        QT_TRANSLATE_NOOP("wording", "It was packed again. torch looks for the bare names and does not find them."),
        QT_TRANSLATE_NOOP("wording", "It is read all the same. Export the tensors in a form that loads."),
    ),
    "tar-no-end": Words(
        QT_TRANSLATE_NOOP("wording", "The tar has no end blocks"),
        QT_TRANSLATE_NOOP(
            "wording", "Two blocks of zeros should follow the last record. Python reads the tar all the same."
        ),
    ),
    "tar-pax": Words(
        QT_TRANSLATE_NOOP("wording", "The additional facts of a tar header cannot be read to their end"),
        QT_TRANSLATE_NOOP("wording", "Each should be a length, a key and a value. Those before the fault are used."),
    ),
    "tar-record-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} is cut"),
        QT_TRANSLATE_NOOP("wording", "{present} of {stated} bytes are there."),
        AGAIN,
    ),
    "tar-size": Words(
        QT_TRANSLATE_NOOP("wording", "The tar header of {name} states no possible size: {size}"),
        QT_TRANSLATE_NOOP("wording", "Reading goes on at the next good header."),
        AGAIN,
    ),
    "tar-sparse": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} is stored without its zeros"),
        QT_TRANSLATE_NOOP("wording", "Such sparse records are listed, but not read."),
        QT_TRANSLATE_NOOP("wording", "Unpack it with tar and open what was inside."),
    ),
    "tar-too-many-records": Words(
        QT_TRANSLATE_NOOP("wording", "The archive has more records than can be listed"),
        QT_TRANSLATE_NOOP("wording", "The first {limit} are shown."),
    ),
    "tar-without-storage": Words(
        QT_TRANSLATE_NOOP("wording", "Tensors that never had a storage: {count}"),
        QT_TRANSLATE_NOOP("wording", "They are shown as empty; torch of today refuses the file."),
    ),
    "tar-trailing": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes follow the end blocks of the tar"),
        QT_TRANSLATE_NOOP("wording", "torch and Python pass over them."),
    ),
    "unpack-broken": Words(
        QT_TRANSLATE_NOOP("wording", "The compressed bytes are damaged"),
        QT_TRANSLATE_NOOP("wording", "They unpack to {present} bytes, then fail: {reason}."),
        QT_TRANSLATE_NOOP("wording", "What could be unpacked is shown. Fetch the file again."),
    ),
    "unpack-checksum": Words(
        QT_TRANSLATE_NOOP("wording", "The content does not fit its checksum"),
        QT_TRANSLATE_NOOP("wording", "It unpacks, but bytes of it were changed, or the checksum was."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "unpack-cut": Words(
        QT_TRANSLATE_NOOP("wording", "The compressed file ends too early"),
        QT_TRANSLATE_NOOP("wording", "It unpacks to {present} bytes; more should follow."),
        QT_TRANSLATE_NOOP("wording", "What could be unpacked is shown. Fetch the file again."),
    ),
    "unpack-depth": Words(
        QT_TRANSLATE_NOOP("wording", "Too many files lie inside one another"),
        QT_TRANSLATE_NOOP("wording", "What is inside this one is not shown."),
        QT_TRANSLATE_NOOP("wording", "Unpack it with another program and open what was inside."),
    ),
    "unpack-failed": Words(
        QT_TRANSLATE_NOOP("wording", "The file could not be unpacked"),
        QT_TRANSLATE_NOOP("wording", "{reason}"),
    ),
    "unpack-memory": Words(
        QT_TRANSLATE_NOOP("wording", "Unpacking needs more memory than the limit allows"),
        QT_TRANSLATE_NOOP("wording", "{present} bytes were unpacked. The compressed bytes may be sound."),
        RAISE,
    ),
    "unpack-limit": Words(
        QT_TRANSLATE_NOOP("wording", "The file unpacks to more than {limit} bytes"),
        QT_TRANSLATE_NOOP(
            "wording",
            "That is over {ratio} for each compressed one. No more is unpacked unless you allow it; the file is shown as it is.",
        ),
        MORE,
    ),
    "unpack-trailing": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes follow the compressed ones"),
        QT_TRANSLATE_NOOP("wording", "Programs that unpack such files pass over them."),
    ),
    "unpacked": Words(
        QT_TRANSLATE_NOOP("wording", "This file is compressed with {kind}"),
        QT_TRANSLATE_NOOP(
            "wording", "It unpacks to {size} bytes, {ratio} for each compressed one. torch.load does not unpack it."
        ),
        QT_TRANSLATE_NOOP("wording", "What was inside is shown as a document of its own."),
    ),
}
