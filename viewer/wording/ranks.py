"""Sentences on checkpoints that every rank wrote a file of."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

RANKS: Final[dict[str, Words]] = {
    "ranks-file-unreadable": Words(
        QT_TRANSLATE_NOOP("wording", "{file} cannot be read: {reason}"),
        QT_TRANSLATE_NOOP("wording", "What only this file holds is not shown."),
        QT_TRANSLATE_NOOP("wording", "Fetch it again. All other files are shown."),
    ),
    "ranks-holes": Words(
        QT_TRANSLATE_NOOP("wording", "Tensors of which no file has some of the elements: {count}"),
        QT_TRANSLATE_NOOP(
            "wording", "The files say where the pieces of these lie, and some are in none of them: {names}."
        ),
        QT_TRANSLATE_NOOP("wording", "Look for files of more ranks, or of the same save."),
    ),
    "ranks-kind": Words(
        QT_TRANSLATE_NOOP("wording", "This is a checkpoint of several ranks ({kind}), in files: {count}"),
        QT_TRANSLATE_NOOP("wording", "Folder: {folder}."),
    ),
    "ranks-latest": Words(
        QT_TRANSLATE_NOOP("wording", "{file} names the folder {tag}, which holds no such checkpoint"),
        QT_TRANSLATE_NOOP("wording", "Shown is the one in {found}."),
        QT_TRANSLATE_NOOP("wording", "Fetch the folder that is named, or correct {file}."),
    ),
    "ranks-lone-part": Words(
        QT_TRANSLATE_NOOP("wording", "This is a part of a model that was cut into parts ({kind}), one of {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The others hold other pieces of the same tensors: {files}. Merging them by names keeps one piece of each.",
        ),
        QT_TRANSLATE_NOOP("wording", "Open the folder to see the tensors whole, and export them from there."),
    ),
    "ranks-lone-rank": Words(
        QT_TRANSLATE_NOOP("wording", "This is the file of one rank of {count} ({kind})"),
        QT_TRANSLATE_NOOP("wording", "What it holds may be a part only. The others: {files}."),
        QT_TRANSLATE_NOOP("wording", "Open the folder to see what all of them hold together."),
    ),
    "ranks-missing": Words(
        QT_TRANSLATE_NOOP("wording", "Files of ranks that are missing: {count}"),
        QT_TRANSLATE_NOOP("wording", "By the numbers of the others there should be files of {ranks}."),
        QT_TRANSLATE_NOOP("wording", "Put all files of the checkpoint into one folder."),
    ),
    "ranks-none": Words(
        QT_TRANSLATE_NOOP("wording", "No files of ranks are in this folder ({kind})"),
        QT_TRANSLATE_NOOP("wording", "They were expected here or in a folder below it."),
        QT_TRANSLATE_NOOP("wording", "Open the folder that holds them."),
    ),
    "ranks-open": Words(
        QT_TRANSLATE_NOOP("wording", "Tensors whose pieces nothing tells how to join: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "They stand in several files under one name. Their elements differ, or are too many to compare: {names}.",
        ),
        QT_TRANSLATE_NOOP("wording", "Each piece is shown by itself. Merging the files by names loses the others."),
    ),
    "ranks-others": Words(
        QT_TRANSLATE_NOOP("wording", "Other checkpoints stand in the same folder: {count}"),
        QT_TRANSLATE_NOOP("wording", "They are in {folders}."),
        QT_TRANSLATE_NOOP("wording", "Open one of these folders to see its checkpoint."),
    ),
    "ranks-pieces": Words(
        QT_TRANSLATE_NOOP("wording", "Tensors that were put together from pieces in several files: {count}"),
        QT_TRANSLATE_NOOP("wording", "Merging the files by names would keep one piece of each. Among them: {names}."),
        QT_TRANSLATE_NOOP("wording", "An export writes them whole."),
    ),
}
"""By codes that begin with `ranks-`."""
