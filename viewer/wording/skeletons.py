"""Sentences of derived classes: comments in their text, and what their forward says."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

# Beside a value in the text.
CUT: Final = QT_TRANSLATE_NOOP("wording", "only the first {kept} of {count} are written here")
LEFT_OUT: Final = QT_TRANSLATE_NOOP("wording", "the file holds here: {what}")
STAND_IN: Final = QT_TRANSLATE_NOOP("wording", "stands for {name}, which cannot be made from its state")
TOO_LARGE: Final = QT_TRANSLATE_NOOP("wording", "{name} is too large or too deep to be written here")

# At the head of a class.
DERIVED: Final = QT_TRANSLATE_NOOP(
    "wording", "Derived from the state of {count} in the file, which holds no source of this class."
)
ONE_OBJECT: Final = QT_TRANSLATE_NOOP("wording", "one object")
OBJECTS: Final = QT_TRANSLATE_NOOP("wording", "{count} objects")
PLACES: Final = QT_TRANSLATE_NOOP("wording", "Seen at: {places}.")
PLACES_MORE: Final = QT_TRANSLATE_NOOP("wording", "Seen at: {places} and {more} more places.")
ROOT: Final = QT_TRANSLATE_NOOP("wording", "the root of the file")
DIFFERS: Final = QT_TRANSLATE_NOOP("wording", "{name} differs: {values}.")
DIFFERS_MORE: Final = QT_TRANSLATE_NOOP("wording", "{name} differs: {values} and {more} more values.")
TAKEN: Final = QT_TRANSLATE_NOOP("wording", "{name} is taken as it is: an object of {classes}.")
WITHOUT: Final = QT_TRANSLATE_NOOP("wording", "Not every object has {name}.")
MADE: Final = QT_TRANSLATE_NOOP("wording", "The first one is made by: {call}")
LOOKS_LIKE: Final = QT_TRANSLATE_NOOP(
    "wording", "It looks like {alias}: it has exactly its attributes. That its forward is the same is not certain."
)
COULD_BE: Final = QT_TRANSLATE_NOOP(
    "wording", "Its attributes fit: it could be a subclass of {alias}. What its forward does is not in the file."
)
NUMBERED: Final = QT_TRANSLATE_NOOP(
    "wording",
    "It could be an nn.Sequential or an nn.ModuleList, whose submodules are numbered too. The file does not tell which.",
)
CONTENT: Final = QT_TRANSLATE_NOOP("wording", "It holds elements or entries of its own, so it could be a {alias}.")
ARGUMENTS: Final = QT_TRANSLATE_NOOP(
    "wording", "The file makes it by a call with these arguments; what they mean is not stored."
)
TIED: Final = QT_TRANSLATE_NOOP("wording", "One object under two names.")

# In the text itself.
FORWARD: Final = QT_TRANSLATE_NOOP(
    "wording", "The file does not hold the source of {name}: its forward has to be written first."
)
HELPER: Final = QT_TRANSLATE_NOOP("wording", "Puts what the file holds in the place of what the constructor made.")
