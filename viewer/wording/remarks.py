"""Sentences on a file as a whole, and on what torch.load does not take though it can be read here."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

WHOLE: Final = QT_TRANSLATE_NOOP("wording", "The data is complete. Export it to make a file that loads.")

REMARKS: Final[dict[str, Words]] = {
    "checkpoint-further-on": Words(
        QT_TRANSLATE_NOOP("wording", "A checkpoint begins at byte {offset}, behind bytes that are none of it"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It is this: {kind}. torch.load reads it from a file object that stands at that byte, and not from the file's name.",
        ),
        QT_TRANSLATE_NOOP("wording", "It is shown as a document of its own."),
    ),
    "legacy-magic": Words(
        QT_TRANSLATE_NOOP("wording", "This pickle begins with the number {value}, not with the magic number of torch"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The parts that follow are those of a legacy stream. torch.load refuses the file: its first value should be 0x1950a86a20f9469cfc6c.",
        ),
        QT_TRANSLATE_NOOP("wording", "Each part is shown as a pickle of its own."),
    ),
    "name-no-packed-tar": Words(
        QT_TRANSLATE_NOOP("wording", "The name says that a tar archive is inside, and none is"),
        QT_TRANSLATE_NOOP("wording", "What was compressed is a checkpoint, not a tar: {kind}."),
        QT_TRANSLATE_NOOP("wording", "Unpack it with gunzip or a like program, and load what comes out."),
    ),
    "name-no-tar": Words(
        QT_TRANSLATE_NOOP("wording", "The name ends in .tar, but this is not a tar archive"),
        QT_TRANSLATE_NOOP("wording", "It is a checkpoint of torch.save: {kind}. Many scripts give such names."),
        QT_TRANSLATE_NOOP("wording", "Nothing has to be unpacked."),
    ),
    "name-other": Words(
        QT_TRANSLATE_NOOP("wording", "The name ends in {suffix}, but this is another kind of file: {kind}"),
        QT_TRANSLATE_NOOP("wording", "Only the name is wrong. Programs that go by it stop."),
        QT_TRANSLATE_NOOP("wording", "Rename it, or load it with the reader of that kind."),
    ),
    "persistent-form": Words(
        QT_TRANSLATE_NOOP("wording", "Ids of storages that cannot be read: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "In the first, the {part} is {found}. torch takes a class, a key, a location and a count of elements, and refuses anything else.",
        ),
        QT_TRANSLATE_NOOP("wording", "Their tensors are not listed. The rest can be exported."),
    ),
    "persistent-items": Words(
        QT_TRANSLATE_NOOP("wording", "Ids of storages with another number of items: {count}"),
        QT_TRANSLATE_NOOP("wording", "The first has {found}; in this container torch takes {expected} and no other."),
        WHOLE,
    ),
    "persistent-kind": Words(
        QT_TRANSLATE_NOOP("wording", "Persistent ids of a kind that torch does not know: {count}"),
        QT_TRANSLATE_NOOP("wording", "The first is of the kind {value}. torch refuses the file."),
        QT_TRANSLATE_NOOP("wording", "They are shown as ids. The rest can be exported."),
    ),
    "persistent-text": Words(
        QT_TRANSLATE_NOOP("wording", "Persistent ids that are written as text: {count}"),
        QT_TRANSLATE_NOOP("wording", "Protocol 0 makes them so, and torch cannot read its own ids back from it."),
        WHOLE,
    ),
    "pickle-code-object": Words(
        QT_TRANSLATE_NOOP("wording", "The pickle contains program code"),
        QT_TRANSLATE_NOOP("wording", "Functions are built of it where it is loaded: {names}. Nothing is built here."),
        QT_TRANSLATE_NOOP("wording", "Its parts are shown as they are stored. Weights can be exported without it."),
    ),
    "pickle-extension": Words(
        QT_TRANSLATE_NOOP("wording", "Names that are given as a number only: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is the extension code {value}. What it means stands in a table of the program that wrote the file (copyreg), not in the file.",
        ),
        QT_TRANSLATE_NOOP("wording", "Loading stops without that table. Each is shown by its number."),
    ),
    "pickle-paddle": Words(
        QT_TRANSLATE_NOOP("wording", "These are parameters of PaddlePaddle"),
        QT_TRANSLATE_NOOP("wording", "A pickle of arrays with the key {name}. torch.load does not read it."),
        QT_TRANSLATE_NOOP("wording", "paddle.load reads it; the arrays can be exported here."),
    ),
    "storage-class-gone": Words(
        QT_TRANSLATE_NOOP("wording", "The storage {key} is of a class that torch no longer has: {class_name}"),
        QT_TRANSLATE_NOOP("wording", "torch 1.11 and 1.12 wrote that name; torch of today cannot load the file."),
        WHOLE,
    ),
    "storage-record-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The record {record} is not in the archive"),
        QT_TRANSLATE_NOOP("wording", "It should hold {size} bytes. Tensors in it: {names}."),
        QT_TRANSLATE_NOOP("wording", "They are listed as missing. Fetch the file again, or export what is whole."),
    ),
    "tensors-all-empty": Words(
        QT_TRANSLATE_NOOP("wording", "No tensor in this file has any numbers: {count} tensors, 0 bytes"),
        QT_TRANSLATE_NOOP(
            "wording", "They are placeholders. Sharded training saves them where weights are not gathered."
        ),
        QT_TRANSLATE_NOOP("wording", "Gather the weights before saving, or look for the shards."),
    ),
    "torch-byteorder-swapped": Words(
        QT_TRANSLATE_NOOP("wording", "The numbers look as if their bytes were swapped"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The archive has no record byteorder, so the order cannot be known. Little-endian is read, as torch does; big-endian would make ordinary numbers of the {count} that were looked at.",
        ),
        QT_TRANSLATE_NOOP("wording", "Read it as big-endian: --byteorder big, or the switch in the window."),
    ),
}
