"""What cannot be read at all. Everything else is a Problem.

ViewerError
  SourceError           the file is missing, a folder, not permitted, or the device failed
    FolderChoiceError   a folder holds several models; `names` lists their files
  CancelledError        the person stopped the work
  ExportError           nothing was written; the sentence says why
    TargetExistsError   a target stands there and overwriting was not asked for
    ChoiceError         more than one root fits; `choices` lists them
    SpaceError          not enough room for the result
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from viewer.wording import Phrase
from viewer.wording.failures import FAILURES


class ViewerError(Exception):
    """An outcome to be told in one sentence: a code of `wording.failures` and its parameters."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params: Mapping[str, object] = params

    def __str__(self) -> str:
        return Phrase(FAILURES[self.code], self.params)


class SourceError(ViewerError):
    """The bytes themselves cannot be had."""


class FolderChoiceError(SourceError):
    """Several files of a folder can be opened; `names` are theirs, relative to it."""

    def __init__(self, names: Sequence[str], **params: object) -> None:
        super().__init__("folder-choice", **params)
        self.names = tuple(names)


class CancelledError(ViewerError):
    """The person stopped the work; nothing is left behind."""

    def __init__(self) -> None:
        super().__init__("cancelled")


class ExportError(ViewerError):
    """Nothing was written."""


class TargetExistsError(ExportError):
    """A file stands under the target's name."""


class SpaceError(ExportError):
    """The target's file system has not the room."""


class ChoiceError(ExportError):
    """Several branches fit; `choices` are their names."""

    def __init__(self, code: str, choices: Sequence[str], **params: object) -> None:
        super().__init__(code, choices=", ".join(choices), **params)
        self.choices = tuple(choices)
