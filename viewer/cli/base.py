"""Command: one thing that the program does without a window.

To add one: a new file in this folder with a class that derives from Command, and a line in the tuple of
`cli/__init__.py`. Exit codes: DONE, DONE with an error Problem left (PROBLEMS), FAILED when nothing could be done or
a choice is needed. Messages go to stderr; what was asked for goes to stdout.
"""

from __future__ import annotations

import argparse
import codecs
from abc import ABC, abstractmethod
from typing import ClassVar, Final

from viewer.core.archive.inflated import LIMIT
from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.problem import Severity
from viewer.wording.amounts import typed

DONE: Final = 0
PROBLEMS: Final = 1
FAILED: Final = 2


class Command(ABC):
    """One sub-command: `name` as it is typed, `summary` for the list of commands."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare what it takes."""

    @abstractmethod
    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; gives the exit code. May raise ViewerError: its sentence is printed, the exit code is FAILED."""


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    """The choices of reading that all commands share."""
    parser.add_argument("--byteorder", choices=("little", "big"), help="byte order of the stored elements")
    parser.add_argument("--encoding", default="", type=encoding_name, help="text encoding of Python 2 strings")
    parser.add_argument(
        "--max-unpacked",
        default=LIMIT,
        type=byte_count,
        metavar="BYTES",
        help="how much compressed files and records may unpack to, as 500M or 4G; 1G when not given",
    )


def reading_options(arguments: argparse.Namespace) -> Options:
    """What `add_reading_arguments` asked for."""
    return Options(arguments.byteorder, arguments.encoding, arguments.max_unpacked)


def byte_count(text: str) -> int:
    """A number of bytes: 2G and 2GiB are powers of 1,024, 2GB those of 1,000. Raises ArgumentTypeError."""
    count = typed(text)
    if count is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of bytes such as 4G")
    return count


def some_bytes(text: str) -> int:
    """The same, at least one. Raises ArgumentTypeError."""
    count = byte_count(text)
    if not count:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of bytes such as 2GB")
    return count


def encoding_name(name: str) -> str:
    """The name of a text encoding that is known; "" stays so. Raises ArgumentTypeError."""
    if not name:
        return name
    try:
        found = codecs.lookup(name).name
        "".encode(found)
    except (LookupError, UnicodeError, ValueError) as failure:
        raise argparse.ArgumentTypeError(f"{name!r} is no known text encoding") from failure
    return found


def exit_code(document: Document) -> int:
    """DONE, or PROBLEMS when a Problem of severity error remains in the document or below it."""
    problems = (problem for part in document.walk() for problem in part.problems)
    return PROBLEMS if any(problem.severity is Severity.ERROR for problem in problems) else DONE
