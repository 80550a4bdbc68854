"""`picklescope rescue`: the whole tensors of a damaged file as a state_dict, with a report of the rest on stderr."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from typing_extensions import override

from viewer.cli.base import PROBLEMS, Command, add_reading_arguments, exit_code, reading_options
from viewer.cli.export import ProgressLine, plan_lines, report_lines, some, verify
from viewer.core.document import Document
from viewer.core.export.plan import Line, Plan
from viewer.core.export.rescue import FORM, State, left_behind, plan_rescue, remains
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.summary.sums import check_document_sums
from viewer.core.tensors.path import shown
from viewer.core.tensors.tensor import Tensor
from viewer.wording import fill
from viewer.wording.exports import LINES


class Rescue(Command):
    """Writes what no byte is missing of; names what is cut and what is missing, and bytes that were changed."""

    name: ClassVar[str] = "rescue"
    summary: ClassVar[str] = "write the whole tensors of a damaged file as a state_dict"

    @override
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("target", metavar="TARGET", help="the state_dict to write, as whole.pt")
        parser.add_argument("--overwrite", action="store_true", help="replace a file of that name")
        parser.add_argument("--no-verify", action="store_true", help="do not read the result back")
        add_reading_arguments(parser)

    @override
    def run(self, arguments: argparse.Namespace) -> int:
        with ProgressLine() as line:
            document = open_document(arguments.file, line.progress, reading_options(arguments))
            try:
                add_sums(document, line.progress)
                line.say_all(remains_lines(document))
                plan = plan_rescue(document, Wanted(encoding=arguments.encoding))
                line.say_all(rest_lines(document, plan))
                report = FORM.write(plan, Path(arguments.target), line.progress, arguments.overwrite)
                line.say_all(report_lines(report, plan))
                good = verify(report, line, asked=not arguments.no_verify)
            finally:
                document.source.close()
        return exit_code(document) if good else PROBLEMS


def rest_lines(document: Document, plan: Plan) -> Iterator[str]:
    """What is written, and what is left out for other reasons than missing bytes, which were told before."""
    others = tuple(dropped for dropped in plan.dropped if dropped.reason != "missing-bytes")
    written = Line("rescue-tensors", {"count": len(plan.items)})
    yield from plan_lines(replace(plan, dropped=others, lines=(written,)))
    named = {dropped.name for dropped in plan.dropped}
    outside = [title for title in map(title_of, left_behind(document, plan)) if title not in named]
    if outside:
        yield fill(LINES["rescue-outside"], {"count": len(outside), "names": some(outside)})


def title_of(tensor: Tensor) -> str:
    """What to call a tensor: its name, else its path."""
    return tensor.name or shown(tensor.path) or "root"


def add_sums(document: Document, progress: Progress) -> tuple[int, int]:
    """Check all checksums; what does not fit becomes a Problem. Gives the records that fit, and those without one."""
    good = unstated = 0
    for part in document.walk():
        sums = check_document_sums(part, progress)
        part.problems += sums.problems
        good, unstated = good + sums.good, unstated + sums.unstated
    return good, unstated


def remains_lines(document: Document) -> Iterator[str]:
    """How many tensors are whole, each that is not, and those whose bytes were changed."""
    every = list(remains(document))
    whole = sum(left.state is State.WHOLE for left in every)
    yield fill(LINES["rescue-whole"], {"whole": whole, "count": len(every)})
    for left in every:
        if left.state is not State.WHOLE:
            facts = {"name": title_of(left.tensor), "missing": left.missing, "nbytes": left.nbytes}
            yield fill(LINES[f"rescue-{left.state}"], facts)
    for part in document.walk():
        yield from (problem.text for problem in part.problems if problem.code.endswith("-checksum"))
