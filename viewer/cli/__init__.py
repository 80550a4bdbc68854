"""The commands without a window: `picklescope inspect`, `export`, `rescue`, `render`. One file each, in COMMANDS.

Their names stand in viewer/starting.py too, where the program's own start asks; everything else is the window's.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from viewer import __version__
from viewer.cli.base import FAILED, Command
from viewer.cli.compare import Compare
from viewer.cli.export import Export
from viewer.cli.inspect import Inspect
from viewer.cli.output import OutputError, say
from viewer.cli.render import Render
from viewer.cli.rescue import Rescue
from viewer.core.errors import ViewerError
from viewer.starting import INSTALL, NEW_WINDOW, UNINSTALL

COMMANDS: Final[tuple[Command, ...]] = (Inspect(), Export(), Compare(), Rescue(), Render())
PROGRAM: Final = "picklescope"


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands; its help is what `--help` prints."""
    parser = argparse.ArgumentParser(
        PROGRAM,
        f"{PROGRAM} [{NEW_WINDOW}] [FILE[#OFFSET[+LENGTH]] ...]\n       {PROGRAM} COMMAND ...\n"
        f"       {PROGRAM} {INSTALL} | {UNINSTALL}",
        "A viewer for PyTorch checkpoints. Without a command it opens the files in the window that is open, or in a "
        f"new one where none is, or with {NEW_WINDOW}. {INSTALL} makes its files known to the desktop of this person.",
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(prog=PROGRAM, dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        made = commands.add_parser(command.name, help=command.summary, description=command.summary)
        command.add_arguments(made)
        made.set_defaults(run=command.run)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run one command; gives the exit code of design 6. `argv` without the program's name."""
    try:
        arguments = make_parser().parse_args(argv)
    except SystemExit as stopped:
        return stopped.code if isinstance(stopped.code, int) else FAILED
    try:
        code: int = arguments.run(arguments)
    except ViewerError as failure:
        say(f"{PROGRAM}: {failure}")
        return FAILED
    except OutputError as failure:
        say(f"{PROGRAM}: the output could not be written: {failure}.")
        return FAILED
    except KeyboardInterrupt:
        say(f"{PROGRAM}: stopped.")
        return FAILED
    return code
