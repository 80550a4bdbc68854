"""What the listing of a pickle says besides its statements: its comments."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

COMMENTS: Final[dict[str, str]] = {
    "broken": QT_TRANSLATE_NOOP("wording", "the stream breaks here, at offset {offset:x}"),
    "gap": QT_TRANSLATE_NOOP("wording", "the {count} bytes of an array follow"),
    "inst": QT_TRANSLATE_NOOP("wording", "imported by INST"),
    "inst-bare": QT_TRANSLATE_NOOP(
        "wording", "imported by INST; of a class without __getinitargs__ only __new__ is called"
    ),
    "obj-bare": QT_TRANSLATE_NOOP("wording", "by OBJ; of a class without __getinitargs__ only __new__ is called"),
    "pickle": QT_TRANSLATE_NOOP(
        "wording", "pickle {number} of {total}: {record}offset {offset:x}, protocol {protocol}"
    ),
    "written": QT_TRANSLATE_NOOP("wording", "written as {name}"),
}
"""By what they are about. `{record}`: the name of the record and a comma, or nothing."""

HEADER: Final[tuple[str, ...]] = (
    QT_TRANSLATE_NOOP(
        "wording", "{name}: what its pickles ask for, as statements. For reading: this is not a program to run."
    ),
    QT_TRANSLATE_NOOP(
        "wording", "The statements stand in the order in which Python would do them. None of them was done."
    ),
    QT_TRANSLATE_NOOP(
        "wording", "v1, v2, ...: values that are long, are used again, or are changed after they were made"
    ),
    QT_TRANSLATE_NOOP(
        "wording", "build(x, state): x.__setstate__(state), or where x has none, its attributes are set from the state"
    ),
    QT_TRANSLATE_NOOP("wording", "persistent_load(id): what the loading program gives for an id, a storage most often"),
    QT_TRANSLATE_NOOP(
        "wording", "import_module(name): a name that no import statement can hold, or that would look like another"
    ),
    QT_TRANSLATE_NOOP("wording", "cut(x, bytes=n): the beginning of a text, of bytes or of a number that has n bytes"),
    QT_TRANSLATE_NOOP(
        "wording",
        "extension(n): what is registered under a number; next_buffer(), readonly(x): bytes that came beside the pickle",
    ),
)
"""The head of a listing that is saved."""
