"""Sentences of the checks of objects against the text of their classes: one entry a code, in alphabetical order."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

CHECKS: Final[dict[str, Words]] = {
    "attribute-conditional": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} lacks {name}, which {setter} may set in line {line}"),
        QT_TRANSLATE_NOOP(
            "wording", "Whether it is set depends on a condition. {method} reads it in line {read_line} without asking."
        ),
    ),
    "attribute-missing": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} lacks {name}, which {setter} sets in line {line}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "{method} reads it in line {read_line} and will fail with an AttributeError: loading does not run __init__.",
        ),
    ),
    "attribute-missing-unread": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} lacks {name}, which {setter} sets in line {line}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Loading does not run __init__, so it stays missing. No method of this text reads it: nothing fails unless other code does.",
        ),
    ),
    "attributes-computed": Words(
        QT_TRANSLATE_NOOP("wording", "Which attributes {class_name} has cannot be told from its text"),
        QT_TRANSLATE_NOOP("wording", "It defines {name} in line {line}, which may answer for any name."),
    ),
    "attributes-missing-more": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} lacks {count} more attributes that its text sets"),
        QT_TRANSLATE_NOOP("wording", "Only the first ones are listed: the text is hardly that of the object."),
    ),
    "attributes-unknown": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} holds what its text does not set: {names}"),
        QT_TRANSLATE_NOOP("wording", "It was set from outside, or by another version of the class."),
    ),
    "base-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The text of {base} is not here, and {class_name} is derived from it"),
        QT_TRANSLATE_NOOP(
            "wording", "Without it the class cannot be defined, and what it adds to the object is not checked."
        ),
        QT_TRANSLATE_NOOP("wording", "Supply the .py file that has it."),
    ),
    "classes-missing": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} makes objects of classes whose text is not here: {names}"),
        QT_TRANSLATE_NOOP(
            "wording", "The first is made in line {line}. Loading does not need them; making a new {class_name} does."
        ),
    ),
    "forward-missing": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} has no forward"),
        QT_TRANSLATE_NOOP("wording", "Neither its text nor its bases define it, so calling the object fails."),
    ),
    "hooks-held": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} holds hooks: {names}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "They run whenever the object is called or its state is read, and loading needs the code that they name.",
        ),
    ),
    "method-missing": Words(
        QT_TRANSLATE_NOOP(
            "wording", "{method} of {class_name} calls self.{name} in line {line}, which nothing defines"
        ),
        QT_TRANSLATE_NOOP(
            "wording",
            "No such method stands in the text or its bases, and the object holds none: the call fails unless other code sets it.",
        ),
    ),
    "module-base-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The object is a module, but the text of {class_name} has no base nn.Module"),
        QT_TRANSLATE_NOOP("wording", "With this text it has no parameters() and cannot be called."),
    ),
    "name-missing": Words(
        QT_TRANSLATE_NOOP("wording", "{method} of {class_name} reads self.{name} in line {line}, which nothing sets"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Neither the text nor the object has it: the line fails with an AttributeError unless other code sets it.",
        ),
    ),
    "objects-unchecked": Words(
        QT_TRANSLATE_NOOP("wording", "{count} more objects of {class_name} were not checked"),
        QT_TRANSLATE_NOOP("wording", "They hold ever other attributes; the first {limit} kinds were checked."),
    ),
    "text-no-class": Words(
        QT_TRANSLATE_NOOP("wording", "The text of {class_name} holds no class"),
        QT_TRANSLATE_NOOP("wording", "It may be a part of a file only, so the object cannot be held against it."),
    ),
    "text-not-text": Words(
        QT_TRANSLATE_NOOP("wording", "The text of {class_name} holds characters that no Python source has"),
        QT_TRANSLATE_NOOP("wording", "The first stands in line {line}. The object cannot be held against it."),
    ),
    "text-python-2": Words(
        QT_TRANSLATE_NOOP("wording", "The text of {class_name} is written for Python 2"),
        QT_TRANSLATE_NOOP("wording", "Python 3 stops at line {line}, so the object cannot be held against it."),
        QT_TRANSLATE_NOOP("wording", "Convert the text with 2to3."),
    ),
    "text-syntax": Words(
        QT_TRANSLATE_NOOP("wording", "The text of {class_name} is no valid Python"),
        QT_TRANSLATE_NOOP("wording", "Line {line}: {reason}. The object cannot be held against it."),
    ),
    "text-too-deep": Words(
        QT_TRANSLATE_NOOP("wording", "The text of {class_name} is nested too deep to be checked"),
    ),
    "text-too-large": Words(
        QT_TRANSLATE_NOOP("wording", "The text of {class_name} is too long to be checked"),
        QT_TRANSLATE_NOOP("wording", "It has {count} characters; {limit} are read."),
    ),
    "text-too-many": Words(
        QT_TRANSLATE_NOOP("wording", "The text of {class_name} was not checked"),
        QT_TRANSLATE_NOOP("wording", "The texts of the classes before it are too long together."),
    ),
    "torch-attribute-filled": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} lacks {name}, which torch has set since {since}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The object was made by an older torch. Today's torch sets it while it loads the object; a version that does not fails at the first use.",
        ),
        QT_TRANSLATE_NOOP("wording", "Where it is missing after loading, set it with the code below."),
    ),
    "torch-attribute-read": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} lacks {name}, which torch {version} sets"),
        QT_TRANSLATE_NOOP(
            "wording",
            "{method} reads it in line {read_line} of the installed text, which fails with an AttributeError where it runs.",
        ),
        QT_TRANSLATE_NOOP("wording", "Set it after loading with the code below; the value is torch's default."),
    ),
    "torch-attribute-since": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} lacks {name}, which torch has set since {since}"),
        QT_TRANSLATE_NOOP(
            "wording", "The object was made by an older torch. Loading does not set it, so the first use fails."
        ),
        QT_TRANSLATE_NOOP("wording", "Set it after loading with the code below; the value is torch's default."),
    ),
    "torch-attributes-missing": Words(
        QT_TRANSLATE_NOOP("wording", "{class_name} lacks what torch {version} sets: {names}"),
        QT_TRANSLATE_NOOP(
            "wording", "Another torch may have made the object. Where loading does not set it, its first use fails."
        ),
        QT_TRANSLATE_NOOP("wording", "Set it after loading with the code below; the values are torch's defaults."),
    ),
}

ORIGINS: Final[dict[str, str]] = {
    "stored": QT_TRANSLATE_NOOP(
        "wording",
        "The stored text is what was on disk when the model was saved, which may be newer than the code that made the object.",
    ),
    "supplied": QT_TRANSLATE_NOOP(
        "wording", "The object was made by other code than this file. Set {name} after loading, or use the older text."
    ),
}
"""What can be done about an attribute that the text sets and the object lacks, by where the text comes from."""

MORE: Final = QT_TRANSLATE_NOOP("wording", "{names} and {count} more")

TORCH_TEXTS: Final[dict[str, str]] = {
    "class-no-source": QT_TRANSLATE_NOOP("wording", "The text of {name} is not installed with torch {version}."),
    "class-unknown": QT_TRANSLATE_NOOP("wording", "The installed torch {version} has no module class {name}."),
    "torch-absent": QT_TRANSLATE_NOOP(
        "wording", "The texts of torch's own classes cannot be had: torch is not installed."
    ),
    "torch-broken": QT_TRANSLATE_NOOP(
        "wording", "The texts of torch's own classes cannot be had: torch could not be started ({reason})."
    ),
    "torch-died": QT_TRANSLATE_NOOP(
        "wording",
        "The texts of torch's own classes cannot be had: the torch process ended before it answered ({reason}).",
    ),
    "torch-old": QT_TRANSLATE_NOOP(
        "wording", "The texts of torch's own classes are not read from torch {version}; {needed} or later is needed."
    ),
    "torch-silent": QT_TRANSLATE_NOOP(
        "wording", "The texts of torch's own classes cannot be had: torch gave no answer for {seconds} seconds."
    ),
}
"""Why the installed text of a class, or of all, is not there."""

DIFFERENCES: Final[dict[str, str]] = {
    "cut": QT_TRANSLATE_NOOP("wording", "Only the first {lines} lines were compared."),
    "equal": QT_TRANSLATE_NOOP("wording", "The two texts are the same."),
    "last-line-end": QT_TRANSLATE_NOOP("wording", "Only one of the texts ends with a line break."),
    "line-ends": QT_TRANSLATE_NOOP(
        "wording", "The two texts end their lines in different ways (CR LF and LF); this is not shown line by line."
    ),
    "rough": QT_TRANSLATE_NOOP(
        "wording", "The texts differ too much to find all lines that they have in common; some may be shown as changed."
    ),
}
"""What is said above two texts that are compared, beside their lines."""
