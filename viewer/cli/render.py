"""`picklescope render`: the window as a picture, for documentation and bug reports.

Commands know no Qt, so the drawing is done by a process of its own (viewer/ui/rendering.py).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from typing import ClassVar, Final

from typing_extensions import override

from viewer.cli.base import FAILED, Command
from viewer.cli.output import say
from viewer.starting import RENDER
from viewer.torch_python import child_environment

LANGUAGES: Final = ("en", "zh_CN", "ja", "fa")
COLOURS: Final = ("usual", "distinct")
CONTRASTS: Final = ("usual", "high")
SIZE: Final = re.compile(r"(\d{3,4})[xX](\d{3,4})")


class Render(Command):
    """Draws one file."""

    name: ClassVar[str] = "render"
    summary: ClassVar[str] = "draw the window with a file as a PNG picture"

    @override
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help='the file to show; "" for the page without a file')
        parser.add_argument("picture", metavar="OUT.png")
        parser.add_argument("--theme", choices=("light", "dark"), default="light")
        parser.add_argument("--colours", choices=COLOURS, default="usual", help="distinct: for colour-blind readers")
        parser.add_argument("--contrast", choices=CONTRASTS, default="usual", help="high: black and white, seen lines")
        parser.add_argument("--size", type=size, default=(1440, 900), metavar="WxH", help="1440x900 when not given")
        parser.add_argument("--language", choices=LANGUAGES, default="en", help="of the window; English when not given")
        parser.add_argument("--select", default="", metavar="NAME|OFFSET", help="a tensor or a byte to select")

    @override
    def run(self, arguments: argparse.Namespace) -> int:
        width, height = arguments.size
        words = [arguments.file, arguments.picture, "--theme", arguments.theme, f"--select={arguments.select}"]
        words += [
            "--colours",
            arguments.colours,
            "--contrast",
            arguments.contrast,
            "--language",
            arguments.language,
            "--width",
            str(width),
            "--height",
            str(height),
        ]
        environment = child_environment() | {"QT_QPA_PLATFORM": "offscreen"}
        code = subprocess.run([*program(), *words], env=environment, check=False).returncode
        if code < 0:
            say("picklescope: the drawing process ended early. Qt may lack libraries; the README lists them.")
        return code if code >= 0 else FAILED


def program() -> list[str]:
    """How the drawing process is started: by the same interpreter."""
    if getattr(sys, "frozen", False):
        return [sys.executable, RENDER]
    return [sys.executable, "-P", "-m", "viewer.ui.rendering"]


def size(text: str) -> tuple[int, int]:
    """Width and height out of `1440x900`. Raises ArgumentTypeError."""
    match = SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 1440x900")
    return int(match[1]), int(match[2])
