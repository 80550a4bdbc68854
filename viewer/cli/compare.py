"""`picklescope compare`: two files, or two branches of one, as text or as one JSON object."""

from __future__ import annotations

import argparse
from typing import ClassVar

from typing_extensions import override

from viewer.cli.base import DONE, PROBLEMS, Command, add_reading_arguments, reading_options
from viewer.cli.export import ProgressLine
from viewer.cli.export_wanted import add_name_arguments
from viewer.cli.output import write_json, write_text
from viewer.core.collector import collector_paused
from viewer.core.comparing.comparison import compare, lay_out
from viewer.core.comparing.names import By, Rules
from viewer.core.comparing.report import report_json, report_text
from viewer.core.comparing.sides import Part, sides_of
from viewer.core.opening import open_document


class Compare(Command):
    """Exit codes: 0 equal, as far as was looked; 1 they differ or a tensor was not compared; 2 nothing was done."""

    name: ClassVar[str] = "compare"
    summary: ClassVar[str] = "say in what two files, or two branches of one file, differ"

    @override
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("a", metavar="A", help="a file, a folder or an index; the state_dict of load_state_dict")
        parser.add_argument(
            "b", metavar="B", nargs="?", help="the other one, as the model; A again where it is left out"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
        parser.add_argument("--values", action="store_true", help="list the plain values that differ, one by one")
        parser.add_argument(
            "--no-elements", action="store_true", help="names, shapes, types and plain values only: no element is read"
        )
        parser.add_argument("--root-a", default="", metavar="NODE", help="the branch of A, as state_dict or models/a")
        parser.add_argument("--root-b", default="", metavar="NODE", help="the branch of B")
        for side in ("a", "b"):
            words = f"names of {side.upper()} to take, as 'ema_*'"
            parser.add_argument(f"--only-{side}", action="append", default=[], metavar="GLOB", help=words)
        add_name_arguments(parser, "names of A become others, as export --rename does it")
        parser.add_argument(
            "--by",
            type=By,
            choices=list(By),
            default=By.NAME,
            help="tensors meet by equal names, by names in which . and _ are alike, or by their order",
        )
        add_reading_arguments(parser)

    @override
    def run(self, arguments: argparse.Namespace) -> int:
        options = reading_options(arguments)
        rules = Rules(tuple(arguments.strip), tuple(arguments.rename), arguments.by)
        parts = (
            Part(arguments.root_a, tuple(arguments.only_a), arguments.encoding),
            Part(arguments.root_b, tuple(arguments.only_b), arguments.encoding),
        )
        with ProgressLine() as line, collector_paused():
            first = open_document(arguments.a, line.progress, options)
            try:
                second = first if arguments.b is None else open_document(arguments.b, line.progress, options)
                try:
                    sides = sides_of(first, second, parts, line.progress)
                    work = lay_out if arguments.no_elements else compare
                    found = work(*sides, rules, line.progress)
                finally:
                    if second is not first:
                        second.close()
            finally:
                first.close()
        if arguments.json:
            write_json(report_json(found, values=arguments.values))
        else:
            write_text("".join(report_text(found, values=arguments.values)))
        return DONE if found.verdict in ("equal", "alike") else PROBLEMS
