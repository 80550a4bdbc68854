"""Sentences of the recovery kit: why something is not rebuilt, and the paragraphs of its README.txt."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

REASONS: Final[dict[str, str]] = {
    "class": QT_TRANSLATE_NOOP("wording", "the class is not in the checkpoint"),
    "name": QT_TRANSLATE_NOOP("wording", "the checkpoint holds only its name, not its code"),
    "object": QT_TRANSLATE_NOOP("wording", "objects of this class are not rebuilt"),
    "value": QT_TRANSLATE_NOOP("wording", "the kit cannot hold a value of this kind"),
}

README: Final[dict[str, str]] = {
    "title": QT_TRANSLATE_NOOP("wording", "Recovery kit of {file}"),
    "about": QT_TRANSLATE_NOOP(
        "wording", "Made by Picklescope {version} from the module {root}. It needs numpy and torch 1.13 or later."
    ),
    "about-at": QT_TRANSLATE_NOOP(
        "wording",
        "Made by Picklescope {version} from the module {root} at {title}. It needs numpy and torch 1.13 or later.",
    ),
    "read-first": QT_TRANSLATE_NOOP(
        "wording",
        "Read the files in source/ before you run load.py: they came out of the checkpoint, and it runs them.",
    ),
    "use": QT_TRANSLATE_NOOP("wording", "How to use it"),
    "use-load": QT_TRANSLATE_NOOP(
        "wording", "from load import load_model; model = load_model() gives the module, on the CPU, in eval mode."
    ),
    "use-script": QT_TRANSLATE_NOOP("wording", "python load.py prints it."),
    "use-filled": QT_TRANSLATE_NOOP(
        "wording",
        "Afterwards load_model.filled lists what was filled by torch's defaults, load_model.notes what did not work.",
    ),
    "use-weights": QT_TRANSLATE_NOOP(
        "wording",
        "weights.pt is its state_dict: torch.load('weights.pt', weights_only=True) reads it ({needs} or later).",
    ),
    "certain": QT_TRANSLATE_NOOP("wording", "Certain: as the checkpoint states it"),
    "certain-weights": QT_TRANSLATE_NOOP("wording", "Tensors of the state_dict: {count}, in weights.pt."),
    "certain-extra": QT_TRANSLATE_NOOP(
        "wording", "Other tensors and arrays of the objects: {count}, in extra_tensors.npz."
    ),
    "certain-objects": QT_TRANSLATE_NOOP("wording", "Objects with their attributes: {count}, in model.json."),
    "certain-source": QT_TRANSLATE_NOOP(
        "wording", "The text of {name}, in source/{path}: what was on disk when the model was saved."
    ),
    "derived": QT_TRANSLATE_NOOP("wording", "Derived: worked out, so look at it"),
    "derived-class": QT_TRANSLATE_NOOP(
        "wording",
        "{name} (objects: {count}) has no usable text, so source/{path} holds one that its attributes give.",
    ),
    "derived-default": QT_TRANSLATE_NOOP(
        "wording", "{name} (objects: {count}) lacks {attribute}, which is newer than the checkpoint: it gets {default}."
    ),
    "derived-private": QT_TRANSLATE_NOOP(
        "wording",
        "{name} (objects: {count}) lacks {attribute}, which is newer than the checkpoint: torch works it out.",
    ),
    "derived-supplied": QT_TRANSLATE_NOOP("wording", "The text of {name}, in source/{path}, is from a file of yours."),
    "derived-device": QT_TRANSLATE_NOOP("wording", "{name} named another device; it is cpu now."),
    "derived-hook": QT_TRANSLATE_NOOP(
        "wording", "The weight of {name} is computed by a hook of torch, which is rebuilt."
    ),
    "derived-parallel": QT_TRANSLATE_NOOP("wording", "{name} spread the work over devices; here it calls its module."),
    "derived-python-2": QT_TRANSLATE_NOOP(
        "wording", "The text of {name} uses names of Python 2: {names}. load.py gives it what Python 3 has for them."
    ),
    "missing": QT_TRANSLATE_NOOP("wording", "Missing: not in the checkpoint, or not rebuilt"),
    "missing-none": QT_TRANSLATE_NOOP("wording", "Nothing that was noticed."),
    "missing-forward": QT_TRANSLATE_NOOP(
        "wording", "The code of {name}: its forward fails until you write it. All else of it is there."
    ),
    "missing-import": QT_TRANSLATE_NOOP(
        "wording", "To import the text of {name}, load.py puts a placeholder for {names}; write it in source/{path}."
    ),
    "missing-name": QT_TRANSLATE_NOOP("wording", "The text of {name} uses {names}, which nobody has."),
    "missing-line": QT_TRANSLATE_NOOP(
        "wording", "The text of {name} uses {names} in its line {line}, which nobody has."
    ),
    "missing-text": QT_TRANSLATE_NOOP(
        "wording", "The stored text of {name} cannot be used: {reason}. It is in source/{path}."
    ),
    "missing-value": QT_TRANSLATE_NOOP(
        "wording", "{where} is {name}: {reason}. It is a placeholder that fails when it is used."
    ),
    "missing-unnamed": QT_TRANSLATE_NOOP(
        "wording", "{where}: {reason}. It is a placeholder that fails when it is used."
    ),
    "missing-hook": QT_TRANSLATE_NOOP("wording", "The hook {name} of {where} ({kind}) is dropped."),
    "missing-tensor": QT_TRANSLATE_NOOP("wording", "The tensor {name} is not in the kit: {reason}."),
    "missing-extra": QT_TRANSLATE_NOOP(
        "wording", "Tensors whose elements are not in the kit: {count}. They are nan or 0."
    ),
    "more": QT_TRANSLATE_NOOP("wording", "{count} more of this kind."),
    "root": QT_TRANSLATE_NOOP("wording", "the model"),
}
