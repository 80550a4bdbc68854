"""Sentences of errors: what could not be done, why, and what to do."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

FAILURES: Final[dict[str, str]] = {
    "cancelled": QT_TRANSLATE_NOOP("wording", "Stopped before the end. Nothing was written."),
    "export-form-unknown": QT_TRANSLATE_NOOP("wording", "There is no form {form}. There are: {choices}."),
    "export-header-long": QT_TRANSLATE_NOOP(
        "wording",
        "The names and shapes need a header of {length} bytes, and safetensors reads {limit}. Write it in shards.",
    ),
    "export-name-empty": QT_TRANSLATE_NOOP("wording", "The rules leave nothing of a name: {names}."),
    "export-names-clash": QT_TRANSLATE_NOOP("wording", "Several entries would be called {name}: {names}."),
    "export-names-fixed": QT_TRANSLATE_NOOP("wording", "The form {form} keeps all names as they are."),
    "export-no-numbers": QT_TRANSLATE_NOOP("wording", "Elements of {dtype} are no numbers, which this form needs."),
    "export-no-patterns": QT_TRANSLATE_NOOP(
        "wording", "The form {form} takes no names of tensors: leave out --only and --skip."
    ),
    "export-none-left": QT_TRANSLATE_NOOP("wording", "None of the {count} entries can be written. {reason}."),
    "export-nothing": QT_TRANSLATE_NOOP("wording", "There are no tensors in this file, so there is nothing to export."),
    "export-one-tensor": QT_TRANSLATE_NOOP(
        "wording", "The form {form} holds one tensor, and {count} are there. Choose one of them: {names}."
    ),
    "export-all-left-out": QT_TRANSLATE_NOOP(
        "wording", "Patterns and single names together leave out all names: {count}. The first ones are: {names}."
    ),
    "export-only-empty": QT_TRANSLATE_NOOP("wording", "No name fits {patterns}. The first names are: {names}."),
    "export-option-unfit": QT_TRANSLATE_NOOP(
        "wording", "{option} does nothing for the form {form}. It is for: {forms}."
    ),
    "export-record-missing": QT_TRANSLATE_NOOP(
        "wording", "There is no record {root}. There are: {choices}. A region is OFFSET+LENGTH, as 0x1F4+64."
    ),
    "export-record-unreadable": QT_TRANSLATE_NOOP("wording", "The content of the record {root} cannot be read."),
    "export-region-form": QT_TRANSLATE_NOOP("wording", "{root} is no region: write OFFSET+LENGTH, as 0x1F4+64."),
    "export-region-outside": QT_TRANSLATE_NOOP(
        "wording", "{root} lies beyond the end of the file, which has {size} bytes."
    ),
    "export-root-choice": QT_TRANSLATE_NOOP(
        "wording", "This file holds several sets of tensors. Choose one: {choices}."
    ),
    "export-root-missing": QT_TRANSLATE_NOOP("wording", "There are no tensors under {root}. There are: {choices}."),
    "export-rule": QT_TRANSLATE_NOOP("wording", "The rule {rule} for names cannot be used: {reason}."),
    "export-rule-groups": QT_TRANSLATE_NOOP(
        "wording", "The rule {rule} has a switch between groups or the flag x. Write a choice as (a|b), and no flag."
    ),
    "export-rule-heavy": QT_TRANSLATE_NOOP(
        "wording", "The rule {rule} has so many repeats that it could take hours. Leave some of * and + out."
    ),
    "export-rule-long": QT_TRANSLATE_NOOP(
        "wording",
        "The rule {rule} could take hours on names of more than {limit} letters, and one has {length}: {name}. "
        "Leave some of its repeats out.",
    ),
    "export-rule-nested": QT_TRANSLATE_NOOP(
        "wording",
        "The rule {rule} has a repeat around a group that itself repeats or chooses: that could take hours. "
        "Write it without one of the repeats.",
    ),
    "export-rule-slow": QT_TRANSLATE_NOOP(
        "wording", "The rule {rule} was stopped after {seconds} s. Leave some of its repeats out."
    ),
    "export-skip-all": QT_TRANSLATE_NOOP("wording", "All names fit {patterns}. The first names are: {names}."),
    "export-suffix-unknown": QT_TRANSLATE_NOOP(
        "wording", "The suffix of {name} names no form. Use one of {choices}, or state the form."
    ),
    "export-without-all": QT_TRANSLATE_NOOP(
        "wording", "All names are left out one by one: {count}. Keep one of them. The first ones are: {names}."
    ),
    "export-no-single-names": QT_TRANSLATE_NOOP(
        "wording", "The form {form} takes no names of tensors, so that none of them can be left out."
    ),
    "export-whole-only": QT_TRANSLATE_NOOP(
        "wording", "The form {form} is of the whole file: leave out --root, --only and --skip."
    ),
    "file-missing": QT_TRANSLATE_NOOP("wording", "{path}: there is no such file."),
    "file-is-folder": QT_TRANSLATE_NOOP("wording", "{path} is a folder. Choose a file in it."),
    "file-not-permitted": QT_TRANSLATE_NOOP(
        "wording", "{path}: reading is not permitted. Ask its owner for the right to read it."
    ),
    "file-not-regular": QT_TRANSLATE_NOOP(
        "wording", "{path} is a device or a pipe, not a file. Copy its content to a file first."
    ),
    "file-replaced": QT_TRANSLATE_NOOP(
        "wording", "{path} is another file than when the set was opened. Open it again."
    ),
    "file-unreadable": QT_TRANSLATE_NOOP("wording", "{path} could not be read: {reason}."),
    "folder-choice": QT_TRANSLATE_NOOP("wording", "{path} is a folder. Choose a file in it: {choices}."),
    "inflated-too-large": QT_TRANSLATE_NOOP(
        "wording", "{name} would unpack to {size} bytes or more; {limit} are allowed. Allow more with --max-unpacked."
    ),
    "listing-nothing": QT_TRANSLATE_NOOP("wording", "There is no pickle in this file, so there is nothing to list."),
    "python-encoding": QT_TRANSLATE_NOOP(
        "wording", "{path} states the encoding {encoding}, which is not read here. Save it as UTF-8."
    ),
    "python-not-text": QT_TRANSLATE_NOOP(
        "wording", "{path} is no Python text: line {line} holds bytes that no source has. Choose a .py file."
    ),
    "python-python-2": QT_TRANSLATE_NOOP(
        "wording", "{path} is written for Python 2: Python 3 stops at line {line}. Convert it with 2to3."
    ),
    "python-syntax": QT_TRANSLATE_NOOP("wording", "{path} is no valid Python. Line {line}: {reason}."),
    "python-too-deep": QT_TRANSLATE_NOOP("wording", "{path} is nested too deep to be read."),
    "python-too-large": QT_TRANSLATE_NOOP(
        "wording", "{path} is too long to be read as source: {size}, and {limit} are allowed. Choose a .py file."
    ),
    "record-size-changed": QT_TRANSLATE_NOOP(
        "wording", "{name} gave {given} of {size} bytes. The source was changed while it was read; open it again."
    ),
    "recovery-choice": QT_TRANSLATE_NOOP("wording", "This file holds several modules. Choose one: {choices}."),
    "recovery-no-module": QT_TRANSLATE_NOOP(
        "wording",
        "This file holds no whole module, so there is no model to rebuild. Export its weights as a state_dict instead.",
    ),
    "recovery-root": QT_TRANSLATE_NOOP(
        "wording", "There is no module at {root}, so there is no model to rebuild. Export it as a state_dict instead."
    ),
    "recovery-script": QT_TRANSLATE_NOOP(
        "wording", "This is TorchScript, which holds its code: torch.jit.load gives the module back, no kit is needed."
    ),
    "recovery-whole": QT_TRANSLATE_NOOP("wording", "A recovery kit takes a whole module, not some of its tensors."),
    "select-unknown": QT_TRANSLATE_NOOP("wording", "There is no tensor and no byte {name} in this file."),
    "source-changed": QT_TRANSLATE_NOOP(
        "wording", "{path} was changed since it was opened. Nothing was written; open it again."
    ),
    "source-cut": QT_TRANSLATE_NOOP(
        "wording", "The open file was cut while it was read, at {offset:x} of a storage. Nothing was written."
    ),
    "source-none-fits": QT_TRANSLATE_NOOP("wording", "No class with source fits {patterns}. There are: {names}."),
    "source-not-stored": QT_TRANSLATE_NOOP(
        "wording",
        "The source of none of its {count} classes is in this file: they were saved without it. The recovery kit derives what it can.",
    ),
    "source-nothing": QT_TRANSLATE_NOOP(
        "wording",
        "There is no source in this file. Whole models in torch's legacy form hold it, TorchScript and torch.package too. For weights, give a name that ends in .pt or .npz.",
    ),
    "source-of-branch": QT_TRANSLATE_NOOP(
        "wording", "Source belongs to the whole file, not to {root}. Leave the branch out, or choose classes by name."
    ),
    "target-disk-full": QT_TRANSLATE_NOOP(
        "wording", "The disk of {path} is full. Nothing was left there; make room and try again."
    ),
    "target-exists": QT_TRANSLATE_NOOP("wording", "{path} exists. Choose another name, or ask for overwriting."),
    "target-folder-is-file": QT_TRANSLATE_NOOP("wording", "{folder} is a file, not a folder. Choose another folder."),
    "target-folder-missing": QT_TRANSLATE_NOOP(
        "wording", "There is no folder {folder}. Make it first, or choose another."
    ),
    "target-holds-others": QT_TRANSLATE_NOOP(
        "wording", "{path} holds {name}, which is not of such an export. Choose another folder, or an empty one."
    ),
    "target-is-file": QT_TRANSLATE_NOOP(
        "wording", "{path} is a file, and this form writes a folder. Choose the name of a folder."
    ),
    "target-is-folder": QT_TRANSLATE_NOOP("wording", "{path} is a folder. Choose the name of a file in it."),
    "target-is-source": QT_TRANSLATE_NOOP(
        "wording", "{path} is the open file, or one that it is made of. Choose another name."
    ),
    "target-name-too-long": QT_TRANSLATE_NOOP(
        "wording", "The name of {path} is too long for its file system. Choose a shorter one."
    ),
    "target-no-room": QT_TRANSLATE_NOOP(
        "wording", "{path} needs {needed} bytes, and {free} are free there. Nothing was written."
    ),
    "target-not-permitted": QT_TRANSLATE_NOOP(
        "wording", "Writing in {folder} is not permitted. Choose another folder."
    ),
    "target-not-regular": QT_TRANSLATE_NOOP(
        "wording", "{path} is a device or a pipe, not a file. Choose another name."
    ),
    "target-unwritable": QT_TRANSLATE_NOOP("wording", "{path} could not be written: {reason}. Nothing was left there."),
    "temporary-file-failed": QT_TRANSLATE_NOOP("wording", "A temporary file in {folder} failed: {reason}."),
    "tensor-incomplete": QT_TRANSLATE_NOOP("wording", "{name}: {missing} of {size} bytes are missing from the file."),
    "tensor-no-values": QT_TRANSLATE_NOOP(
        "wording", "{name} has no plain elements in this file, so there are no values to read."
    ),
    "transform-unknown": QT_TRANSLATE_NOOP("wording", "Its bytes were changed by {name}, which is not undone here."),
}
