"""Sentences on sets of files: an index and the files that it names, the files of several ranks."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, RAISE, Words

BESIDE: Final = QT_TRANSLATE_NOOP("wording", "Put it into the same folder and open the model again.")
ALL_BESIDE: Final = QT_TRANSLATE_NOOP("wording", "Put all of them into the same folder.")
WHOLE: Final = QT_TRANSLATE_NOOP("wording", "Open the folder or {index} to see the whole model.")

SETS: Final[dict[str, Words]] = {
    "set-contradiction": Words(
        QT_TRANSLATE_NOOP("wording", "{name} is {first} in {file} and {second} in {other}"),
        QT_TRANSLATE_NOOP("wording", "The two files are not of the same model, or of different states of it."),
        QT_TRANSLATE_NOOP("wording", "Shown is the one in {file}, as the index says."),
    ),
    "set-file-single": Words(
        QT_TRANSLATE_NOOP("wording", "{name} stands in the same folder"),
        QT_TRANSLATE_NOOP("wording", "transformers reads it and passes over the index."),
        QT_TRANSLATE_NOOP("wording", "Move one of the two elsewhere, so that it is clear which model is meant."),
    ),
    "set-files-extra": Words(
        QT_TRANSLATE_NOOP("wording", "Files in the folder that belong to the model by their names only: {count}"),
        QT_TRANSLATE_NOOP("wording", "The index does not name them: {files}."),
        QT_TRANSLATE_NOOP("wording", "Look for another index, or open them one by one."),
    ),
    "set-files-stale": Words(
        QT_TRANSLATE_NOOP("wording", "Files in the folder that are parts of {of}, not of {expected}: {count}"),
        QT_TRANSLATE_NOOP("wording", "They are left from another way to divide the model: {files}."),
    ),
    "set-index-entry": Words(
        QT_TRANSLATE_NOOP("wording", "The index names no file for {name}"),
        QT_TRANSLATE_NOOP("wording", "There should be the name of a file, and there is {found}."),
        QT_TRANSLATE_NOOP("wording", "If a file holds it, it is shown all the same."),
    ),
    "set-index-itself": Words(
        QT_TRANSLATE_NOOP("wording", "The index names itself as a file with tensors"),
        QT_TRANSLATE_NOOP("wording", "It is text and holds none; {count} names are placed in it."),
    ),
    "set-index-json": Words(
        QT_TRANSLATE_NOOP("wording", "The index is no JSON from {offset:x} on"),
        QT_TRANSLATE_NOOP("wording", "Expected there: {expected}. The names before it are used: {count}."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "set-index-large": Words(
        QT_TRANSLATE_NOOP("wording", "The index has {size} bytes"),
        QT_TRANSLATE_NOOP("wording", "More than {limit} are not read."),
    ),
    "set-index-memory": Words(
        QT_TRANSLATE_NOOP("wording", "The index has {size} bytes"),
        QT_TRANSLATE_NOOP("wording", "More than {limit} are not read under the memory limit."),
        RAISE,
    ),
    "set-index-map": Words(
        QT_TRANSLATE_NOOP("wording", "The weight_map of the index is no object"),
        QT_TRANSLATE_NOOP("wording", "It should give the name of a file for the name of each tensor."),
    ),
    "set-index-map-twice": Words(
        QT_TRANSLATE_NOOP("wording", "The index has more than one weight_map"),
        QT_TRANSLATE_NOOP("wording", "The last one counts, as for every reader of JSON."),
    ),
    "set-index-name-twice": Words(
        QT_TRANSLATE_NOOP("wording", "{name} stands {count} times in the index"),
        QT_TRANSLATE_NOOP("wording", "The last one counts, as for every reader of JSON: {file}."),
    ),
    "set-index-other": Words(
        QT_TRANSLATE_NOOP("wording", "There is more than one index in the folder"),
        QT_TRANSLATE_NOOP("wording", "This is {name}. The others: {files}."),
        QT_TRANSLATE_NOOP("wording", "Open one of them to see its model."),
    ),
    "set-index-utf-8": Words(
        QT_TRANSLATE_NOOP("wording", "The index is no UTF-8 text: byte {offset}"),
        QT_TRANSLATE_NOOP("wording", "Names are shown with what can be read of them."),
    ),
    "set-name-elsewhere": Words(
        QT_TRANSLATE_NOOP("wording", "{name} stands in {file}, not in {other}"),
        QT_TRANSLATE_NOOP("wording", "The index says {other}. Readers that look only there miss it."),
        QT_TRANSLATE_NOOP("wording", "The tensor is shown. Export the model to make an index that is right."),
    ),
    "set-name-missing": Words(
        QT_TRANSLATE_NOOP("wording", "{name} is not in {file}"),
        QT_TRANSLATE_NOOP("wording", "The index places it there, and no other file has it."),
        QT_TRANSLATE_NOOP("wording", "Fetch {file} and the index again, so that both are of the same state."),
    ),
    "set-name-two-files": Words(
        QT_TRANSLATE_NOOP("wording", "{name} stands in two files: {file} and {other}"),
        QT_TRANSLATE_NOOP("wording", "Shown is the one in {file}."),
    ),
    "set-name-unlisted": Words(
        QT_TRANSLATE_NOOP("wording", "{name} stands in {file}, but not in the index"),
        QT_TRANSLATE_NOOP("wording", "Readers that go by the index miss it."),
        QT_TRANSLATE_NOOP("wording", "The tensor is shown. Export the model to make an index that is right."),
    ),
    "set-numbers": Words(
        QT_TRANSLATE_NOOP("wording", "The names of the files say that there are {of}; the index names {found}"),
        QT_TRANSLATE_NOOP("wording", "Numbers that it does not name: {listed}."),
    ),
    "set-part": Words(
        QT_TRANSLATE_NOOP("wording", "This is part {part} of the {of} files of one model"),
        QT_TRANSLATE_NOOP("wording", "{index} places {count} of {total} tensors in it. The other files are here too."),
        WHOLE,
    ),
    "set-part-alone": Words(
        QT_TRANSLATE_NOOP("wording", "By its name this is part {part} of the {of} files of one model"),
        QT_TRANSLATE_NOOP("wording", "The other files are here too, but no index that names them."),
        QT_TRANSLATE_NOOP("wording", "Fetch the index as well: a file whose name ends in .index.json."),
    ),
    "set-part-incomplete": Words(
        QT_TRANSLATE_NOOP("wording", "This is part {part} of the {of} files of one model, and not all are here"),
        QT_TRANSLATE_NOOP(
            "wording",
            "{index} places {count} of {total} tensors in it. Missing is {files}, with {missing} tensors: {names}.",
        ),
        ALL_BESIDE,
    ),
    "set-part-lost": Words(
        QT_TRANSLATE_NOOP("wording", "By its name this is part {part} of the {of} files of one model"),
        QT_TRANSLATE_NOOP("wording", "Not here: {files}. There is no index either that says what they hold."),
        ALL_BESIDE,
    ),
    "set-part-other": Words(
        QT_TRANSLATE_NOOP("wording", "The index in this folder does not name this file"),
        QT_TRANSLATE_NOOP("wording", "By its name it is part {part} of {of}. {index} names other files: {files}."),
        QT_TRANSLATE_NOOP("wording", "It is left from another way to divide the model, or its index is missing."),
    ),
    "set-path-outside": Words(
        QT_TRANSLATE_NOOP("wording", "The index names a file outside of its folder: {file}"),
        QT_TRANSLATE_NOOP("wording", "Such a file is never opened. Names that are placed there: {count}."),
        QT_TRANSLATE_NOOP("wording", "Put the file beside the index and correct its name there."),
    ),
    "set-shard-form": Words(
        QT_TRANSLATE_NOOP("wording", "{file} is no file of the form that its name says"),
        QT_TRANSLATE_NOOP("wording", "It is of the form {kind}. Readers that go by the name refuse it."),
        QT_TRANSLATE_NOOP("wording", "Its tensors are shown. Rename it, or export the model."),
    ),
    "set-shard-kind": Words(
        QT_TRANSLATE_NOOP("wording", "{file} holds no tensors that the index could mean"),
        QT_TRANSLATE_NOOP("wording", "It is: {kind}. Names that are placed in it: {count}."),
        QT_TRANSLATE_NOOP("wording", "Fetch {file} again."),
    ),
    "set-shard-missing": Words(
        QT_TRANSLATE_NOOP("wording", "{file} is missing"),
        QT_TRANSLATE_NOOP("wording", "{count} of {total} tensors stand in it: {names}."),
        BESIDE,
    ),
    "set-shard-unreadable": Words(
        QT_TRANSLATE_NOOP("wording", "{file} cannot be read: {reason}"),
        QT_TRANSLATE_NOOP("wording", "{count} of {total} tensors stand in it: {names}."),
        QT_TRANSLATE_NOOP("wording", "All other files are shown."),
    ),
    "set-too-many-files": Words(
        QT_TRANSLATE_NOOP("wording", "The set names {count} files"),
        QT_TRANSLATE_NOOP("wording", "Only the first {limit} are looked for."),
    ),
    "set-total-size": Words(
        QT_TRANSLATE_NOOP("wording", "The index states {stated} bytes of tensors; the files have {found}"),
        QT_TRANSLATE_NOOP("wording", "total_size counts the elements of all tensors. Readers do not check it."),
        QT_TRANSLATE_NOOP("wording", "The index may be of another state of the model. Fetch it again."),
    ),
}
"""By codes that begin with `set-`."""
