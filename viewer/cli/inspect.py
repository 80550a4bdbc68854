"""`picklescope inspect`: what a file is and holds, for people or as one JSON object."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from typing_extensions import override

from viewer import torch_client
from viewer.cli.base import Command, add_reading_arguments, exit_code, reading_options
from viewer.cli.export import ProgressLine
from viewer.cli.output import on_screen, say, write_json, write_text
from viewer.cli.rescue import add_sums
from viewer.cli.text_report import report
from viewer.core.code.supplied import read_supplied
from viewer.core.collector import collector_paused
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.summary.rows.inspection import Wanted, facts
from viewer.core.summary.torch_answer import TorchAnswer
from viewer.core.tensors.health import Health, scan
from viewer.wording import fill
from viewer.wording.exports import LINES


class Inspect(Command):
    """Opens one file and says everything that is known about it."""

    name: ClassVar[str] = "inspect"
    summary: ClassVar[str] = "say what a file is and what it holds"

    @override
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
        parser.add_argument("--hash", action="store_true", help="the SHA-256 of each tensor")
        parser.add_argument("--opcodes", action="store_true", help="every opcode of every pickle")
        parser.add_argument("--regions", action="store_true", help="what every byte of the file belongs to")
        parser.add_argument("--values", action="store_true", help="all values that are no tensors and no containers")
        parser.add_argument(
            "--source", action="append", default=[], metavar="PY", help="its classes are held against the objects"
        )
        parser.add_argument("--check", action="store_true", help="read all records and check their checksums")
        parser.add_argument("--health", action="store_true", help="look at all values: NaN, infinities, zeros, copies")
        parser.add_argument("--space", action="store_true", help="with --json: where the bytes of the file go")
        parser.add_argument(
            "--ask-torch",
            action="store_true",
            help="let torch load the file with weights_only=True in a process of its own, and say what it says",
        )
        add_reading_arguments(parser)

    @override
    def run(self, arguments: argparse.Namespace) -> int:
        supplied = tuple(read_supplied(Path(name)) for name in arguments.source)
        parts = (arguments.hash, arguments.opcodes, arguments.regions, arguments.values)
        wanted = Wanted(*parts, arguments.encoding, supplied)
        with collector_paused():
            with ProgressLine() as line:
                document = open_document(arguments.file, line.progress, reading_options(arguments))
            try:
                if arguments.check:
                    check(document)
                if arguments.health:
                    wanted = replace(wanted, health=scanned(document))
                if arguments.space:
                    wanted = replace(wanted, space=True)
                if arguments.ask_torch:
                    wanted = replace(wanted, torch=asked(document))
                if arguments.json:
                    with ProgressLine(shown=not on_screen()) as line:
                        write_json(facts(document, wanted, line.progress))
                else:
                    write_text(report(document, wanted))
            finally:
                document.source.close()
        return exit_code(document)


def check(document: Document) -> None:
    """Hold all records against their checksums, with progress; how many fit is said on stderr."""
    with ProgressLine() as line:
        good, unstated = add_sums(document, line.progress)
    say(fill(LINES["sums"], {"good": good, "unstated": unstated}))


def scanned(document: Document) -> tuple[Health, ...]:
    """What the values of each document are, with progress."""
    with ProgressLine() as line:
        return tuple(scan(part.tensors, line.progress) for part in document.holders())


def asked(document: Document) -> TorchAnswer:
    """What torch says of the file, with progress."""
    mapped = document.format == "torch-zip" and document.source.size > torch_client.MAPPED_FROM
    with ProgressLine() as line:
        return torch_client.ask_torch(document.path or Path(), mapped, line.progress)
