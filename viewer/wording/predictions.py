"""Sentences on what torch.load would do with a file: a title without a full stop, then what follows from it."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

PREDICTIONS: Final[dict[str, Words]] = {
    "classes-missing": Words(
        QT_TRANSLATE_NOOP("wording", "Classes and functions that torch does not bring: {count}"),
        QT_TRANSLATE_NOOP(
            "wording", "torch.load stops where they cannot be imported: {names}. They are not needed for reading here."
        ),
    ),
    "damaged": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load stops at this file, because it is damaged"),
        QT_TRANSLATE_NOOP(
            "wording", "Errors found: {count}. Problems lists them; what is whole can be read and exported here."
        ),
    ),
    "device-backend": Words(
        QT_TRANSLATE_NOOP("wording", "On {location}: {count} of {all} storages"),
        QT_TRANSLATE_NOOP(
            "wording",
            'torch.load stops on a computer without that device. map_location="{map_location}" reads them anywhere.',
        ),
    ),
    "device-cuda": Words(
        QT_TRANSLATE_NOOP("wording", "On {location}: {count} of {all} storages"),
        QT_TRANSLATE_NOOP(
            "wording",
            'torch.load stops on a computer without that GPU. map_location="{map_location}" reads them anywhere, '
            'map_location="cuda:0" puts them on the first GPU.',
        ),
    ),
    "device-meta": Words(
        QT_TRANSLATE_NOOP("wording", "On {location}: {count} of {all} storages"),
        QT_TRANSLATE_NOOP("wording", "Tensors on the meta device have shapes and no numbers."),
    ),
    "device-more": Words(
        QT_TRANSLATE_NOOP("wording", "On other locations: {count} of {all} storages"),
        QT_TRANSLATE_NOOP("wording", 'map_location="{map_location}" reads them anywhere.'),
    ),
    "device-mps": Words(
        QT_TRANSLATE_NOOP("wording", "On {location}: {count} of {all} storages"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch.load stops on a computer without the GPU of an Apple chip. "
            'map_location="{map_location}" reads them anywhere.',
        ),
    ),
    "device-privateuseone": Words(
        QT_TRANSLATE_NOOP("wording", "On {location}: {count} of {all} storages"),
        QT_TRANSLATE_NOOP(
            "wording",
            "A device that another package adds to torch, DirectML for one: torch.load stops without that package. "
            'map_location="{map_location}" reads them anywhere.',
        ),
    ),
    "device-unknown": Words(
        QT_TRANSLATE_NOOP("wording", "On {location}: {count} of {all} storages"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch does not know this location, so torch.load stops. "
            'map_location="{map_location}" reads them anywhere.',
        ),
    ),
    "device-xla": Words(
        QT_TRANSLATE_NOOP("wording", "On {location}: {count} of {all} storages"),
        QT_TRANSLATE_NOOP(
            "wording",
            'torch.load stops without the package torch_xla. map_location="{map_location}" reads them anywhere.',
        ),
    ),
    "loads": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load reads this file as it is"),
        QT_TRANSLATE_NOOP("wording", "Also with weights_only=True, the default since torch 2.6."),
    ),
    "loads-by-name": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load of today reads this file by the ending of its name"),
        QT_TRANSLATE_NOOP("wording", "It hands it to the package safetensors. Under another name it does not read it."),
    ),
    "needs-numpy": Words(
        QT_TRANSLATE_NOOP("wording", "Its arrays were written by numpy 2 or later"),
        QT_TRANSLATE_NOOP(
            "wording", "They name numpy._core. Where numpy is older than 1.26.1, loading stops: no such module."
        ),
    ),
    "needs-torch": Words(
        QT_TRANSLATE_NOOP("wording", "It needs torch 1.6 or later"),
        QT_TRANSLATE_NOOP("wording", "It is a zip archive; torch before 1.6 saved and reads the legacy form."),
    ),
    "needs-torch-version": Words(
        QT_TRANSLATE_NOOP("wording", "It needs torch 1.6 or later"),
        QT_TRANSLATE_NOOP(
            "wording", "It is a zip archive of version {version}; torch before 1.6 saved and reads the legacy form."
        ),
    ),
    "not-torch": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read this kind of file"),
        QT_TRANSLATE_NOOP("wording", "It is recognised as: {format}."),
    ),
    "not-torch-checkpoint": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read checkpoints of several files"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch.distributed.checkpoint.load does, into a state_dict of the same shapes. The code "
            "makes one file of it; an export here does that too.",
        ),
    ),
    "not-torch-each-rank": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read checkpoints of several files"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch.distributed.checkpoint.load reads what the rank that calls it saved. The code joins all ranks; "
            "of what several saved it takes the first. An export here keeps all.",
        ),
    ),
    "not-torch-index": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load reads one file at a time, not the index"),
        QT_TRANSLATE_NOOP(
            "wording", "The code joins the files that the index names. from_pretrained of transformers reads it too."
        ),
    ),
    "not-torch-inside": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load stops at the bytes before the checkpoint"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Open the file, pass over {count} bytes with seek, and give torch.load the open file. "
            "What is in it can be exported here.",
        ),
    ),
    "not-torch-items": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read files of items as one"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Where all items are of one size it gives the first without a word, else it stops. "
            "torch.distributed.checkpoint reads whole folders, with the .metadata beside their files. "
            "What is in this file can be exported here.",
        ),
    ),
    "not-torch-nameless": Words(
        QT_TRANSLATE_NOOP("wording", "Nothing of torch reads these files"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The names and shapes stood in .metadata, which is missing. What is in the items can be exported here.",
        ),
    ),
    "not-torch-old": Words(
        QT_TRANSLATE_NOOP("wording", "torch of today does not read this kind of file"),
        QT_TRANSLATE_NOOP(
            "wording",
            "{loader} of torch 1.x does, and runs the code that the file holds. What is in it can be exported here.",
        ),
    ),
    "not-torch-packed": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read packed files"),
        QT_TRANSLATE_NOOP("wording", "Unpack it first: {format}."),
    ),
    "not-torch-pickle": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read this kind of file"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It is a plain pickle, not made by torch.save. {loader} reads it, and runs what the file asks for; so does "
            "torch.load(weights_only=False), before it refuses the file.",
        ),
    ),
    "not-torch-pieces": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not put the pieces together"),
        QT_TRANSLATE_NOOP(
            "wording",
            "HuggingFaceStorageReader of torch.distributed.checkpoint does, as in the code; safetensors reads each "
            "file by itself. An export here writes the tensors whole.",
        ),
    ),
    "not-torch-ranks": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load reads the file of one rank at a time"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Each holds a part of the model: joining them by names would lose parts. An export here "
            "writes the tensors whole.",
        ),
    ),
    "not-torch-reader": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read this kind of file"),
        QT_TRANSLATE_NOOP("wording", "{loader} does."),
    ),
    "not-torch-runner": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read this kind of file"),
        QT_TRANSLATE_NOOP("wording", "{loader} does, and runs the code that the file holds."),
    ),
    "not-torch-set-stops": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read several files as one"),
        QT_TRANSLATE_NOOP(
            "wording",
            "What does stops here. Errors found: {count}, all under Problems; what is whole can be "
            "read and exported here.",
        ),
    ),
    "not-torch-stops": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load does not read this kind of file"),
        QT_TRANSLATE_NOOP(
            "wording", "{loader} does, but stops at what Problems lists; what is whole can be read and exported here."
        ),
    ),
    "not-torch-zero": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load reads the file of one rank at a time"),
        QT_TRANSLATE_NOOP(
            "wording", "DeepSpeed puts the float32 weights of all ranks together; an export here does that too."
        ),
    ),
    "odd": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load stops at this file"),
        QT_TRANSLATE_NOOP("wording", "It does not take what Problems lists as {names}; the rest can be exported here."),
    ),
    "reaching-names": Words(
        QT_TRANSLATE_NOOP("wording", "Loading it with weights_only=False reaches beyond the file: {names}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The code keeps weights_only=True, which refuses that. Nothing of it runs here: export the weights instead.",
        ),
    ),
    "refused-built": Words(
        QT_TRANSLATE_NOOP("wording", "weights_only=True gives a state to objects of few classes only"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It refuses that of {names}; no list of safe names changes that. An exported state_dict loads with it.",
        ),
    ),
    "refused-computed": Words(
        QT_TRANSLATE_NOOP("wording", "weights_only=True refuses calls of what the file computes"),
        QT_TRANSLATE_NOOP("wording", "No list of safe names changes that. An exported state_dict loads with it."),
    ),
    "refused-filled": Words(
        QT_TRANSLATE_NOOP("wording", "weights_only=True fills plain dicts and lists only"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It refuses entries of {names}; no list of safe names changes that. An exported state_dict loads with it.",
        ),
    ),
    "refused-names": Words(
        QT_TRANSLATE_NOOP("wording", "Names that weights_only=True refuses: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Loading takes weights_only=False, which runs what the file asks for: {names}. "
            "An exported state_dict loads without that.",
        ),
    ),
    "refused-names-allowed": Words(
        QT_TRANSLATE_NOOP("wording", "Names that weights_only=True refuses: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch.serialization.safe_globals lets it take them where they can be imported: {names}.",
        ),
    ),
    "refused-names-kept": Words(
        QT_TRANSLATE_NOOP("wording", "Names that weights_only=True refuses: {count}"),
        QT_TRANSLATE_NOOP("wording", "It stops at them, and should: {names}. An exported state_dict loads with it."),
    ),
    "refused-opcodes": Words(
        QT_TRANSLATE_NOOP("wording", "weights_only=True refuses opcodes of protocol {protocol}: {names}"),
        QT_TRANSLATE_NOOP("wording", "No list of safe names changes that. An exported state_dict loads with it."),
    ),
    "refused-stored": Words(
        QT_TRANSLATE_NOOP("wording", "weights_only=True refuses modules in the legacy form"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Their classes stand beside their source, which no list of safe names lets through. "
            "An exported state_dict loads with it.",
        ),
    ),
    "runs-names": Words(
        QT_TRANSLATE_NOOP("wording", "Loading it reaches beyond the file: {names}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "A pickle runs what it names. Nothing of it runs here; do not load it from people you do not trust.",
        ),
    ),
    "script": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load reads it with weights_only=False only"),
        QT_TRANSLATE_NOOP("wording", "It hands the file to {loader}, which runs the code that the file holds."),
    ),
    "sharded": Words(
        QT_TRANSLATE_NOOP("wording", "Tensors of which it holds some shards: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch.load makes a ShardedTensor only in a process group, on the rank that saved it. "
            "Here the shards are read as they stand.",
        ),
    ),
    "source-compared": Words(
        QT_TRANSLATE_NOOP("wording", "Classes that torch compares with their stored source: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Where the imported code differs it gives a SourceChangeWarning and loads all the same: {names}.",
        ),
    ),
    "strings-latin": Words(
        QT_TRANSLATE_NOOP("wording", "Strings of Python 2 that are no UTF-8"),
        QT_TRANSLATE_NOOP("wording", 'torch.load stops at them without encoding="latin1".'),
    ),
    "tar": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load reads it with weights_only=False only"),
        QT_TRANSLATE_NOOP(
            "wording", "That runs what the file asks for; weights_only=True refuses every tar checkpoint."
        ),
    ),
    "uninitialised": Words(
        QT_TRANSLATE_NOOP("wording", "Storages without bytes in the file: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "torch.load says nothing, and fills their tensors with whatever is in memory. The others can be exported here.",
        ),
    ),
    "untyped-legacy": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load stops at untyped storages in the legacy form"),
        QT_TRANSLATE_NOOP("wording", "torch writes them so and cannot read them back; export the weights instead."),
    ),
    "untyped-order": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load gives wrong numbers without a word: {count} tensors"),
        QT_TRANSLATE_NOOP(
            "wording",
            "It leaves the big-endian bytes of untyped storages as they are: {names}. They are right here and in exports.",
        ),
    ),
    "version-absent": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load stops: the archive has no record version"),
        QT_TRANSLATE_NOOP("wording", "Every zip that torch saves has one; what is in it can be exported here."),
    ),
    "version-unread": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load stops at the archive version {version}"),
        QT_TRANSLATE_NOOP("wording", "It reads the versions 1 to {last}."),
    ),
    "zip-folders": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load stops: the records do not stand in one folder"),
        QT_TRANSLATE_NOOP(
            "wording", "One that stands apart: {name}. This is how archives look that were packed again by hand."
        ),
    ),
    "zip-prefix": Words(
        QT_TRANSLATE_NOOP("wording", "torch.load stops at the bytes before the archive"),
        QT_TRANSLATE_NOOP("wording", "It looks for a zip at the first byte; what is in it can be exported here."),
    ),
}
