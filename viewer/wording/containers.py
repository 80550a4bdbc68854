"""Sentences on tar archives, tar checkpoints, safetensors files and compressed files."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

AGAIN: Final = QT_TRANSLATE_NOOP("wording", "Fetch the file again, or export what is whole.")

CONTAINERS: Final[dict[str, Words]] = {
    "archive-of-files": Words(
        QT_TRANSLATE_NOOP("wording", "This is a {kind} archive, and no checkpoint itself"),
        QT_TRANSLATE_NOOP("wording", "Files in it that can be opened: {count}. torch.load takes each of them alone."),
        QT_TRANSLATE_NOOP("wording", "Each stands in Contents as a document of its own."),
    ),
    "tar-checksum": Words(
        QT_TRANSLATE_NOOP("wording", "The header of {name} at {offset:x} does not fit its checksum"),
        QT_TRANSLATE_NOOP(
            "wording",
            "A byte of it was changed. The next header stands where it says, so the record is shown. Python's tarfile ends before it.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
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
}
