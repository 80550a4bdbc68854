"""Sentences on tar archives, tar checkpoints, safetensors files and compressed files."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

AGAIN: Final = QT_TRANSLATE_NOOP("wording", "Fetch the file again, or export what is whole.")

CONTAINERS: Final[dict[str, Words]] = {
    "tar-checksum": Words(
        QT_TRANSLATE_NOOP("wording", "The header of {name} at {offset:x} does not fit its checksum"),
        QT_TRANSLATE_NOOP(
            "wording",
            "A byte of it was changed. The next header stands where it says, so the record is shown. Python's tarfile ends before it.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
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
    "tar-name-twice": Words(
        QT_TRANSLATE_NOOP("wording", "The name {name} stands {count} times in the archive"),
        QT_TRANSLATE_NOOP("wording", "torch and Python read the last one and pass over the others."),
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
    "tar-trailing": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes follow the end blocks of the tar"),
        QT_TRANSLATE_NOOP("wording", "torch and Python pass over them."),
    ),
}
