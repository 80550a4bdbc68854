"""Sentences on modules whose state_dict() may give other entries than their pickle shows."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

AS_IT_IS: Final = QT_TRANSLATE_NOOP("wording", "Listed are the parameters and buffers as they stand in the file.")

MODULES: Final[dict[str, Words]] = {
    "state-dict-compiled": Words(
        QT_TRANSLATE_NOOP("wording", "A module was saved as torch.compile returns it: {modules}"),
        QT_TRANSLATE_NOOP("wording", "Its state_dict() has the prefix _orig_mod. in front of all names."),
        QT_TRANSLATE_NOOP("wording", "Listed are the names of the module itself, which fit it without torch.compile."),
    ),
    "state-dict-extra": Words(
        QT_TRANSLATE_NOOP("wording", "{names} adds an entry _extra_state to the state_dict of its module"),
        QT_TRANSLATE_NOOP(
            "wording", "Its method get_extra_state() makes the value when the state_dict is taken. Modules: {modules}."
        ),
        QT_TRANSLATE_NOOP("wording", "The entry is left out here. Load the model with its code to get it."),
    ),
    "state-dict-hooks": Words(
        QT_TRANSLATE_NOOP("wording", "Hooks take part in the state_dict of modules: {names}"),
        QT_TRANSLATE_NOOP("wording", "They may rename, add or drop entries when they run. Modules: {modules}."),
        AS_IT_IS,
    ),
    "state-dict-own": Words(
        QT_TRANSLATE_NOOP("wording", "torch writes the state_dict of {names} in a way of its own"),
        QT_TRANSLATE_NOOP("wording", "It may have more entries, or others. Modules: {modules}."),
        AS_IT_IS,
    ),
    "state-dict-packed": Words(
        QT_TRANSLATE_NOOP(
            "wording", "Weight and bias of {count} quantised linear layers are pairs in their state_dict"
        ),
        QT_TRANSLATE_NOOP("wording", "torch has one entry _packed_params for both. Modules: {modules}."),
        QT_TRANSLATE_NOOP("wording", "They are listed one by one, as .0 and .1 of that entry."),
    ),
    "state-dict-text": Words(
        QT_TRANSLATE_NOOP("wording", "{names} has a state_dict of its own"),
        QT_TRANSLATE_NOOP(
            "wording", "Its stored source has {methods}, which may give other entries. Modules: {modules}."
        ),
        AS_IT_IS,
    ),
}
