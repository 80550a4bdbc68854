"""Sentences on archives that can be read and are not as their writer left them, or that readers see differently."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

WHOLE: Final = QT_TRANSLATE_NOOP("wording", "The data is complete. Export it to make a file that loads.")

ARCHIVES: Final[dict[str, Words]] = {
    "record-checksum": Words(
        QT_TRANSLATE_NOOP("wording", "The bytes of the record {name} do not fit its checksum"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The archive states {stated:x}, its bytes give {found:x}: they were changed after the checksum was made. torch does not check it; Python's zipfile refuses the record.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again, or compare it with another copy."),
    ),
    "storage-zeros": Words(
        QT_TRANSLATE_NOOP("wording", "Storages that were saved without their data: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Tensors in them: {names}. All their bytes are zero and no checksum is stated, as torch writes it under skip_data(). torch loads zeros.",
        ),
        QT_TRANSLATE_NOOP("wording", "Ask for the file that was filled in later."),
    ),
    "tensor-checksum": Words(
        QT_TRANSLATE_NOOP("wording", "The bytes of {tensors} do not fit their checksum"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The record {name} states {stated:x}, its bytes give {found:x}: they were changed after the checksum was made. torch does not check it and loads what is there.",
        ),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again, or compare it with another copy."),
    ),
    "torch-alignment": Words(
        QT_TRANSLATE_NOOP("wording", "Records that do not begin at a multiple of {alignment}: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {name}. The archive states this alignment, so another program packed it. torch loads it, but with mmap=True and calculate_storage_offsets it takes other bytes for the values.",
        ),
    ),
    "torch-alignment-usual": Words(
        QT_TRANSLATE_NOOP("wording", "Records that do not begin at a multiple of {alignment}: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {name}. torch writes all records so, and another program packed this archive. torch loads it.",
        ),
    ),
    "torch-data-skipped": Words(
        QT_TRANSLATE_NOOP("wording", "Storages without a checksum, though other records have one: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {name}. torch leaves it out under skip_data(), where the bytes are to be filled in later. torch loads what is there; Python's zipfile refuses these records.",
        ),
        QT_TRANSLATE_NOOP("wording", "Check the checksums to see whether they hold only zeros."),
    ),
    "torch-deeper": Words(
        QT_TRANSLATE_NOOP("wording", "The checkpoint lies deeper in the archive than torch looks"),
        QT_TRANSLATE_NOOP("wording", "Its object is {name}. torch looks for data.pkl in the first folder only."),
        WHOLE,
    ),
    "torch-deflated": Words(
        QT_TRANSLATE_NOOP("wording", "Storages that are compressed: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {name}. torch.load unpacks them, but with mmap=True it takes the compressed bytes for the values.",
        ),
        QT_TRANSLATE_NOOP("wording", "Export them to make a file that can be mapped."),
    ),
    "torch-folders": Words(
        QT_TRANSLATE_NOOP("wording", "The records do not lie in one folder"),
        QT_TRANSLATE_NOOP("wording", "{name} lies outside of {root}. torch of today refuses such an archive."),
        WHOLE,
    ),
    "torch-order": Words(
        QT_TRANSLATE_NOOP("wording", "The records stand in another order than torch writes them"),
        QT_TRANSLATE_NOOP(
            "wording",
            "{name} is the first that is out of place. torch does not mind; another program packed the archive.",
        ),
    ),
    "torch-records-other": Words(
        QT_TRANSLATE_NOOP("wording", "Records that torch.load does not look at: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {name}. Together they have {nbytes} bytes. torch.save writes no such records; Python's zipfile lists them.",
        ),
        QT_TRANSLATE_NOOP("wording", "An export leaves them out."),
    ),
    "torch-seal": Words(
        QT_TRANSLATE_NOOP("wording", "This archive was changed or packed again since torch saved it"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Its serialization id was made of other checksums than the records have now. torch does not compare them.",
        ),
        QT_TRANSLATE_NOOP("wording", "Ask who changed it, where that matters."),
    ),
    "torch-seal-form": Words(
        QT_TRANSLATE_NOOP("wording", "The serialization id has another form than torch writes"),
        QT_TRANSLATE_NOOP("wording", "It should be 40 digits, so that nothing can be told from it."),
    ),
    "torch-tensors-folder": Words(
        QT_TRANSLATE_NOOP("wording", "This archive has the form of torch 1.4"),
        QT_TRANSLATE_NOOP(
            "wording", "Its storages lie in the folder tensors; torch of today looks in data and refuses the file."
        ),
        WHOLE,
    ),
    "torch-unreferenced": Words(
        QT_TRANSLATE_NOOP("wording", "Storages that no tensor uses: {count}"),
        QT_TRANSLATE_NOOP("wording", "The first is {name}. Together they have {nbytes} bytes, and torch skips them."),
        QT_TRANSLATE_NOOP("wording", "An export leaves them out."),
    ),
    "torch-version": Words(
        QT_TRANSLATE_NOOP("wording", "The record version says {value}"),
        QT_TRANSLATE_NOOP("wording", "torch of today takes 1 to 10 and refuses any other."),
        WHOLE,
    ),
    "torch-version-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The archive has no record version"),
        QT_TRANSLATE_NOOP("wording", "torch of today refuses such an archive."),
        WHOLE,
    ),
    "zip-descriptor": Words(
        QT_TRANSLATE_NOOP("wording", "What stands behind the record {name} differs from the directory"),
        QT_TRANSLATE_NOOP(
            "wording", "Its data descriptor should repeat the checksum and both sizes. torch and Python pass over it."
        ),
    ),
    "zip-end-in-comment": Words(
        QT_TRANSLATE_NOOP("wording", "The archive's comment looks like the end of another archive"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The signature of an end record stands at {offset:x}. torch reads the archive; Python's zipfile takes that place for the end and refuses the file.",
        ),
    ),
    "zip-local-facts": Words(
        QT_TRANSLATE_NOOP("wording", "The record {name} has another {fact} in its local header"),
        QT_TRANSLATE_NOOP(
            "wording",
            "There it is {local}, in the directory {listed}. torch and Python's zipfile go by the directory, programs that unpack a stream by the header.",
        ),
    ),
    "zip-name-outside": Words(
        QT_TRANSLATE_NOOP("wording", "Names that lead out of a folder: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {name}. torch passes over such a record, Python's zipfile takes off what leads out when it unpacks, and other programs may write there.",
        ),
        QT_TRANSLATE_NOOP("wording", "Nothing is unpacked here."),
    ),
    "zip-no-checksums": Words(
        QT_TRANSLATE_NOOP("wording", "Records without a checksum: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {name}. A checksum of 0 is stated, as torch writes it when it is told to make none. torch loads the file; Python's zipfile refuses these records.",
        ),
        QT_TRANSLATE_NOOP("wording", "Changed bytes in them cannot be noticed."),
    ),
    "zip-padding": Words(
        QT_TRANSLATE_NOOP("wording", "The padding before the record {name} is not as torch writes it"),
        QT_TRANSLATE_NOOP("wording", "It should be the letter Z, {count} times. torch passes over it."),
    ),
}
