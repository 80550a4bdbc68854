"""`picklescope export`: what a file holds, written in another form. The report for people goes to stderr."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

from typing_extensions import override

from viewer import torch_client
from viewer.cli.base import PROBLEMS, Command, add_reading_arguments, exit_code, reading_options
from viewer.cli.export_wanted import add_wanted_arguments, asked_for, wanted_of
from viewer.cli.output import say
from viewer.core.export import EXPORTERS, losses
from viewer.core.export.plan import Converted, Plan, Report
from viewer.core.opening import open_document
from viewer.core.progress import Pace, Progress, Step, how_far
from viewer.core.source import one_line, printable
from viewer.wording import fill
from viewer.wording.amounts import size
from viewer.wording.exports import LINES
from viewer.wording.steps import STEPS

FEW: Final = 3
MOST: Final = 1000


class Export(Command):
    """Writes one file or folder; says before that what is left out, and afterwards what a second reader reads."""

    name: ClassVar[str] = "export"
    summary: ClassVar[str] = (
        "write what a file holds as a state_dict, npz, safetensors, source files, recovery kit or report"
    )

    @override
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        suffixes = ", ".join(suffix for exporter in EXPORTERS if exporter.by_suffix for suffix in exporter.suffixes)
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "target", metavar="TARGET", help=f"its suffix chooses the form: {suffixes}; a folder takes the source files"
        )
        parser.add_argument("--as", dest="form", choices=[exporter.form for exporter in EXPORTERS], help="the form")
        add_wanted_arguments(parser)
        parser.add_argument("--overwrite", action="store_true", help="replace a file or export of that name")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="write nothing: say what would be written, and what --dtype would lose",
        )
        parser.add_argument("--no-verify", action="store_true", help="do not read the result back")
        add_reading_arguments(parser)

    @override
    def run(self, arguments: argparse.Namespace) -> int:
        target = Path(arguments.target)
        exporter = asked_for(arguments)
        wanted = wanted_of(arguments, exporter)
        with ProgressLine() as line:
            options = reading_options(arguments)
            document = open_document(arguments.file, line.progress, options)
            try:
                plan = exporter.plan(document, replace(wanted, progress=line.progress))
                line.say_all(plan_lines(plan))
                if arguments.dry_run:
                    line.say_all(one.text for one in losses.count(plan, line.progress))
                    return exit_code(document)
                if losses.may_lose(plan):
                    line.say(fill(LINES["may-lose"], {"dtype": wanted.dtype}))
                report = exporter.write(plan, target, line.progress, arguments.overwrite)
                line.say_all(report_lines(report, plan))
                good = verify(report, line, asked=not arguments.no_verify)
            finally:
                document.source.close()
        return exit_code(document) if good else PROBLEMS


def verify(report: Report, line: ProgressLine, asked: bool) -> bool:
    """False when the second reader reads something else, or failed itself."""
    if not asked:
        line.say(LINES["unverified"])
        return True
    verdict = torch_client.verify(report, line.progress)
    line.say(verdict.text)
    return not verdict.is_fault


def plan_lines(plan: Plan) -> Iterator[str]:
    """What is going to be written and what is not."""
    facts = {"title": plan.title, "count": len(plan.items), "dropped": len(plan.dropped)}
    yield from (line.text for line in plan.lines)
    if not plan.lines:
        yield fill(LINES["from" if plan.title else "from-set" if plan.document.files else "from-file"], facts)
    for dropped in plan.dropped[:MOST]:
        yield fill(LINES["dropped"], {"name": dropped.name, "reason": dropped.text})
    if len(plan.dropped) > MOST:
        yield fill(LINES["dropped-more"], {"count": len(plan.dropped) - MOST})
    if plan.kept:
        yield fill(LINES["kept"], {"count": len(plan.kept), "names": some(plan.kept)})
    if plan.content.asked:
        names = some(f"{renamed.name} \u2192 {renamed.result}" for renamed in plan.content.asked)
        yield fill(LINES["renamed-asked"], {"count": len(plan.content.asked), "names": names})
    for renamed in plan.renamed:
        yield fill(LINES["renamed"], {"name": renamed.name, "result": renamed.result})
    yield from converted_lines(plan.converted)


def converted_lines(converted: Iterable[Converted]) -> Iterator[str]:
    """One line for each pair of types."""
    names: dict[tuple[str, str], list[str]] = {}
    for each in converted:
        names.setdefault((each.source, each.result), []).append(each.name)
    for (source, result), found in names.items():
        facts = {"count": len(found), "source": source, "result": result, "names": some(found)}
        yield fill(LINES["converted-all"], facts)


def report_lines(report: Report, plan: Plan) -> Iterator[str]:
    """What was written, and what reading took out of the plan."""
    for dropped in report.plan.dropped[len(plan.dropped) :]:
        yield fill(LINES["dropped"], {"name": dropped.name, "reason": dropped.text})
    written, count = ("written-folder", len(plan.files)) if plan.files else ("written", len(report.plan.items))
    written = written if plan.files or plan.items or plan.kept else "written-file"
    yield fill(LINES[written], {"path": printable(str(report.path)), "count": count, "nbytes": report.nbytes})
    yield from (line.text for line in report.lines)
    if report.plan.needs:
        yield fill(LINES["needs"], {"needs": report.plan.needs})


def some(names: Iterable[str]) -> str:
    """The first names of a list."""
    every = list(names)
    return ", ".join(every[:FEW]) + (", \u2026" if len(every) > FEW else "")


class ProgressLine:
    """The last line of a terminal, rewritten as the work goes on; nothing where stderr is none, or `shown` is off."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, shown: bool = True) -> None:
        self._shown = 0
        self._pace = Pace(clock)
        self.progress = Progress(self._show if shown and sys.stderr is not None and sys.stderr.isatty() else None)

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *failure: object) -> None:
        self._clear()

    def say(self, text: str) -> None:
        """A sentence that stays."""
        self._clear()
        say(one_line(text))

    def say_all(self, lines: Iterable[str]) -> None:
        """Several of them."""
        for line in lines:
            self.say(line)

    def _show(self, step: Step) -> None:
        self._pace.take(step)
        self._print(f"{STEPS[step.what][0]}: {how_far(step, self._pace, fill, size)}")

    def _clear(self) -> None:
        if self._shown:
            self._print("")

    def _print(self, text: str) -> None:
        print(f"\r{text:{self._shown}}\r{text}", end="", file=sys.stderr, flush=True)
        self._shown = len(text)
