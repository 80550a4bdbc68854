"""Sentences on checkpoints of torch.distributed.checkpoint: what `.metadata` states, and what the files hold."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

AGAIN: Final = QT_TRANSLATE_NOOP("wording", "Fetch {file} again, or export what is whole.")
SAVED: Final = QT_TRANSLATE_NOOP("wording", "Look for another checkpoint of the same run, saved before.")

CHECKPOINTS: Final[dict[str, Words]] = {
    "set-copies-differ": Words(
        QT_TRANSLATE_NOOP("wording", "Names under which ranks saved different values: {count}"),
        QT_TRANSLATE_NOOP("wording", "torch reads on each rank its own. The value of each is shown by it: {names}."),
    ),
    "set-copies-unchecked": Words(
        QT_TRANSLATE_NOOP("wording", "{count} of {total} copies of several ranks were compared"),
        QT_TRANSLATE_NOOP("wording", "Of the others that of the first rank is shown."),
    ),
    "set-file-extra": Words(
        QT_TRANSLATE_NOOP("wording", "Files of items in the folder that .metadata does not name: {count}"),
        QT_TRANSLATE_NOOP("wording", "They are left from another save, or .metadata is: {files}."),
        QT_TRANSLATE_NOOP("wording", "Open them one by one to see what they hold."),
    ),
    "set-file-gap": Words(
        QT_TRANSLATE_NOOP("wording", "{count} bytes of {file} belong to no item"),
        QT_TRANSLATE_NOOP("wording", "The first of them is byte {offset}. Items follow one another without a gap."),
        QT_TRANSLATE_NOOP("wording", "The file may be of another save than .metadata."),
    ),
    "set-file-lost": Words(
        QT_TRANSLATE_NOOP("wording", "{file} is missing"),
        QT_TRANSLATE_NOOP("wording", "Items that .metadata places in it: {count}. They are of: {names}."),
        QT_TRANSLATE_NOOP("wording", "Put it into the same folder and open the checkpoint again."),
    ),
    "set-file-outside": Words(
        QT_TRANSLATE_NOOP("wording", "A file outside of the folder is named: {file}"),
        QT_TRANSLATE_NOOP("wording", "Such a file is never opened. Items that are placed in it: {count}."),
        QT_TRANSLATE_NOOP("wording", "Put the file beside .metadata and open it by itself."),
    ),
    "set-file-unreadable": Words(
        QT_TRANSLATE_NOOP("wording", "{file} cannot be read: {reason}"),
        QT_TRANSLATE_NOOP("wording", "Items that .metadata places in it: {count}. They are of: {names}."),
        QT_TRANSLATE_NOOP("wording", "All other files are shown."),
    ),
    "set-item-beyond": Words(
        QT_TRANSLATE_NOOP("wording", "The item of {name} reaches beyond the end of {file}"),
        QT_TRANSLATE_NOOP("wording", "It ends at byte {expected}; the file has {size} bytes."),
        AGAIN,
    ),
    "set-item-differs": Words(
        QT_TRANSLATE_NOOP("wording", "The item of {name} in {file} is another tensor than stated"),
        QT_TRANSLATE_NOOP("wording", "Stated is {expected}; it holds {found}. No values are shown for it."),
        QT_TRANSLATE_NOOP("wording", "Open {file} by itself to see the tensor that is there."),
    ),
    "set-item-entry": Words(
        QT_TRANSLATE_NOOP("wording", "Entries of storage_data that cannot be read: {count}"),
        QT_TRANSLATE_NOOP("wording", "Each needs a name, a file, an offset and a length."),
    ),
    "set-item-overlap": Words(
        QT_TRANSLATE_NOOP("wording", "Items of {file} share bytes: {count}"),
        QT_TRANSLATE_NOOP("wording", "The first of them is that of {name}. Items follow one another."),
        QT_TRANSLATE_NOOP("wording", "Compare their values before you use them."),
    ),
    "set-item-unreadable": Words(
        QT_TRANSLATE_NOOP("wording", "The item of {name} in {file} cannot be read: {reason}"),
        QT_TRANSLATE_NOOP("wording", "It should be a torch.save archive of one tensor."),
        AGAIN,
    ),
    "set-item-unused": Words(
        QT_TRANSLATE_NOOP("wording", "The item of {name} in {file} belongs to no tensor"),
        QT_TRANSLATE_NOOP("wording", "storage_data lists it, state_dict_metadata has no chunk at its place."),
    ),
    "set-items-more": Words(
        QT_TRANSLATE_NOOP("wording", "{count} items of this file are not read"),
        QT_TRANSLATE_NOOP("wording", "The first {limit} are. Their bytes are shown."),
        QT_TRANSLATE_NOOP("wording", "Open the folder with its .metadata to see all tensors."),
    ),
    "set-items-unchecked": Words(
        QT_TRANSLATE_NOOP("wording", "{count} of {total} items were held against .metadata"),
        QT_TRANSLATE_NOOP("wording", "Each of the others is when its values are read."),
    ),
    "set-metadata-entry": Words(
        QT_TRANSLATE_NOOP("wording", "The entry of {name} cannot be read: {reason}"),
        QT_TRANSLATE_NOOP("wording", "A tensor needs a dtype, a size and its chunks."),
        QT_TRANSLATE_NOOP("wording", "All other entries are shown."),
    ),
    "set-metadata-incomplete": Words(
        QT_TRANSLATE_NOOP("wording", "What stands before the end of .metadata is shown: {count} tensors"),
        QT_TRANSLATE_NOOP("wording", "More may have been behind it. Places of items that are known: {present}."),
        SAVED,
    ),
    "set-metadata-joined": Words(
        QT_TRANSLATE_NOOP("wording", "Each rank saved by itself: the metadata of {count} ranks is read as one"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch reads on each rank what that rank saved. What several have alike is shown once; "
            "of long ones both ends were compared.",
        ),
    ),
    "set-metadata-lost": Words(
        QT_TRANSLATE_NOOP("wording", "The file .metadata is missing"),
        QT_TRANSLATE_NOOP("wording", "It alone knows the names of the tensors and how their pieces lie together."),
        QT_TRANSLATE_NOOP("wording", "The items of the files are shown without names. Look for .metadata."),
    ),
    "set-metadata-passed": Words(
        QT_TRANSLATE_NOOP("wording", "Metadata of single ranks is passed over"),
        QT_TRANSLATE_NOOP("wording", "torch reads {file} where it stands. It is left from another save: {files}."),
        QT_TRANSLATE_NOOP("wording", "Open one of them by itself to see what its rank saved."),
    ),
    "set-metadata-rank-lost": Words(
        QT_TRANSLATE_NOOP("wording", "Ranks whose metadata is missing: {count}"),
        QT_TRANSLATE_NOOP("wording", "By the numbers of the others there should be that of ranks {ranks}."),
        QT_TRANSLATE_NOOP("wording", "Put all files of the checkpoint into one folder."),
    ),
    "set-metadata-ranks": Words(
        QT_TRANSLATE_NOOP("wording", "This is what one rank saved: the metadata of other ranks is beside it"),
        QT_TRANSLATE_NOOP("wording", "Each rank saved by itself and knows its own pieces only: {files}."),
        QT_TRANSLATE_NOOP("wording", "Open the folder to see what all of them saved together."),
    ),
    "set-metadata-shared": Words(
        QT_TRANSLATE_NOOP("wording", "Entries of the metadata share lists that are longer than the file itself"),
        QT_TRANSLATE_NOOP(
            "wording", "They are not read for each entry: it would take all memory. Tensors read: {count}."
        ),
        QT_TRANSLATE_NOOP("wording", "torch writes no such file. Do not trust it."),
    ),
    "set-metadata-temporary": Words(
        QT_TRANSLATE_NOOP("wording", "The save did not end: there is {file} and no .metadata"),
        QT_TRANSLATE_NOOP("wording", "torch gives the file its name when all is written. Items may be missing."),
        QT_TRANSLATE_NOOP("wording", "Hold its tensors against another checkpoint before you use them."),
    ),
    "set-metadata-unreadable": Words(
        QT_TRANSLATE_NOOP("wording", "{file} cannot be read: {reason}"),
        QT_TRANSLATE_NOOP("wording", "What its rank saved is not shown."),
        QT_TRANSLATE_NOOP("wording", "All other files are shown."),
    ),
    "set-part-of-checkpoint": Words(
        QT_TRANSLATE_NOOP("wording", "This file holds items of a distributed checkpoint"),
        QT_TRANSLATE_NOOP("wording", "Their names stand in {file} beside it. Items in this file: {count}."),
        QT_TRANSLATE_NOOP("wording", "Open the folder to see the whole checkpoint."),
    ),
    "set-part-of-nothing": Words(
        QT_TRANSLATE_NOOP("wording", "This file holds items of a distributed checkpoint"),
        QT_TRANSLATE_NOOP("wording", "Their names stand in .metadata, which is not beside it. Items: {count}."),
        QT_TRANSLATE_NOOP("wording", "Fetch .metadata and the other files of the folder."),
    ),
    "set-piece-lost": Words(
        QT_TRANSLATE_NOOP("wording", "No item holds the piece of {name} at {offset}"),
        QT_TRANSLATE_NOOP("wording", "storage_data does not list it."),
        SAVED,
    ),
    "set-piece-outside": Words(
        QT_TRANSLATE_NOOP("wording", "A piece of {name} lies outside of the tensor"),
        QT_TRANSLATE_NOOP("wording", "It is {found} at {offset}, the tensor is {expected}. It is left out."),
    ),
    "set-pieces-hole": Words(
        QT_TRANSLATE_NOOP("wording", "The pieces of {name} leave {missing} of its {count} elements out"),
        QT_TRANSLATE_NOOP("wording", "torch leaves what was in memory there."),
        QT_TRANSLATE_NOOP("wording", "A rank of the save may be missing, or .metadata is of a part of them."),
    ),
    "set-pieces-overlap": Words(
        QT_TRANSLATE_NOOP("wording", "Pieces of {name} share elements"),
        QT_TRANSLATE_NOOP("wording", "torch takes them in the order of its reads; here the later one counts."),
        QT_TRANSLATE_NOOP("wording", "Compare the pieces before you use the tensor."),
    ),
    "set-pieces-unchecked": Words(
        QT_TRANSLATE_NOOP("wording", "Of {total} tensors in pieces {count} were looked at for pieces that overlap"),
        QT_TRANSLATE_NOOP("wording", "Only tensors that are cut along several axes, or out of order, are counted."),
    ),
    "set-sharding-differs": Words(
        QT_TRANSLATE_NOOP("wording", "The piece of {name} in {file} does not fit the others"),
        QT_TRANSLATE_NOOP("wording", "It is {found}; the others are {expected}. It is left out."),
    ),
    "set-sharding-info": Words(
        QT_TRANSLATE_NOOP("wording", "{file} does not say where its piece of {name} lies"),
        QT_TRANSLATE_NOOP("wording", "DCP_SHARDING_INFO should give saved_offsets for each name."),
        QT_TRANSLATE_NOOP("wording", "It is taken to begin at the first element."),
    ),
    "set-value-lost": Words(
        QT_TRANSLATE_NOOP("wording", "No item holds the value {name}"),
        QT_TRANSLATE_NOOP("wording", "storage_data does not list it."),
        SAVED,
    ),
    "set-values-more": Words(
        QT_TRANSLATE_NOOP("wording", "{count} values that are no tensors are not read"),
        QT_TRANSLATE_NOOP("wording", "The first {limit} are. Their bytes are shown."),
    ),
}
"""By codes that begin with `set-`."""
