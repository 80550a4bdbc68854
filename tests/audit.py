"""Opens files in a process of its own and fails on whatever a pickle could make a program do.

`python -m tests.audit FILE...` prints how many files were opened; the first forbidden event ends it with its name.
`--ask` asks a stand-in of torch about each file, too: the program's own side of that is watched.
`--slip EVENT` does one forbidden thing on purpose, to prove that it would be seen.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, full, module
from tests.builders.torch_zip import torch_zip
from viewer.cli.output import write_json
from viewer.cli.text_report import report
from viewer.core.export import exporter_of
from viewer.core.export.imports import Imports
from viewer.core.export.selection import Wanted as Chosen
from viewer.core.export.text_form import TextPlan
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.summary.rows.inspection import Wanted, facts
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.window import nbytes
from viewer.torch_client import ask_torch

# Everything that runs code, starts a program, loads a library, talks to a network or changes the file system.
FORBIDDEN: Final = frozenset(
    {
        *("pickle.find_class", "marshal.load", "code.__new__", "function.__new__", "builtins.input", "mmap.__new__"),
        *("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "os.startfile", "pty.spawn"),
        *(
            "os.rename",
            "os.mkdir",
            "os.rmdir",
            "os.chmod",
            "os.chown",
            "os.link",
            "os.symlink",
            "os.truncate",
            "os.kill",
        ),
        *("os.utime", "os.putenv", "os.unsetenv", "os.chdir", "subprocess.Popen", "webbrowser.open", "code.interact"),
        *("shutil.rmtree", "shutil.move", "shutil.copyfile", "shutil.copytree", "sys.settrace", "sys.setprofile"),
        *("ctypes.dlopen", "ctypes.dlsym", "urllib.Request", "ftplib.connect", "smtplib.connect"),
    }
)
# Codecs are looked up by name when a text is first decoded; only modules of the standard library have such names.
LARGEST: Final = 64 * 1024 * 1024
CODECS: Final = "encodings."
STAND_IN: Final = [
    sys.executable,
    "-I",
    "-c",
    'import sys; sys.stdin.readline(); print(\'{"answer":"loaded","version":"9.1"}\', flush=True)',
]
"""The only program that may be started: it answers as the torch child would."""
TEMPORARY: Final = os.path.realpath(tempfile.gettempdir())
active = False


def hook(event: str, arguments: tuple[object, ...]) -> None:
    """Ends the process at the first forbidden event."""
    if not active or not is_forbidden(event, arguments):
        return
    sys.stdout.flush()
    os.write(2, f"forbidden: {event} {arguments!r:.300}\n".encode("utf-8", "backslashreplace"))
    os._exit(3)


def is_forbidden(event: str, arguments: tuple[object, ...]) -> bool:
    if event == "import":
        return not str(arguments[0]).startswith(CODECS)
    if event == "exec":
        return f"{os.sep}encodings{os.sep}" not in getattr(arguments[0], "co_filename", "")
    if event == "compile":
        return arguments[0] is not None and not is_parsing()
    if event == "subprocess.Popen":
        return arguments[1] != STAND_IN
    if event == "os.kill":
        return not is_child(arguments[0])
    if event == "os.remove":
        return not is_temporary(arguments[0])
    if event == "open":
        return is_writing(arguments) and not is_harmless(arguments[0])
    return event in FORBIDDEN or event.startswith(("socket.", "winreg."))


def is_parsing() -> bool:
    """True when `ast.parse` asks: that gives a syntax tree, and no code that could run."""
    # from here: is_forbidden, hook, and who called compile
    return sys._getframe(3).f_code is ast.parse.__code__


def is_writing(arguments: tuple[object, ...]) -> bool:
    flags = arguments[2]
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))


def is_harmless(path: object) -> bool:
    """True for what is no file of anyone: temporary ones, the null device, a descriptor whose opening was seen."""
    return isinstance(path, int) or path == os.devnull or is_temporary(path)


def is_child(process: object) -> bool:
    """True for a process that this one has started: the stand-in is ended once it has answered."""
    try:
        facts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return int(facts[1]) == os.getpid()


def is_temporary(path: object) -> bool:
    """True for the unlinked files that records are inflated into."""
    return isinstance(path, str | bytes) and os.path.realpath(os.fsdecode(path)).startswith(TEMPORARY + os.sep)


def read(path: Path | MemorySource) -> None:
    """All that the program knows to say about a file."""
    document = open_document(path)
    wanted = Wanted(opcodes=True, regions=True, values=True)
    write_json(facts(document, wanted))
    report(document, wanted)
    exporter = exporter_of("imports")
    plan = exporter.plan(document, Chosen())
    assert isinstance(exporter, Imports)
    assert isinstance(plan, TextPlan)
    for suffix in exporter.suffixes:
        for _ in exporter.texts(plan, suffix, Progress()):
            pass
    for part in document.walk():
        for tensor in part.tensors:
            # An expanded tensor may have more elements than anyone wants to wait for.
            if nbytes(tensor) <= LARGEST:
                sha256(tensor)
    document.source.close()


def ask(path: Path) -> None:
    """The program's side of asking torch."""
    said = ask_torch(path, False, Progress(), STAND_IN)
    assert said.code == "loads", said


def warm() -> None:
    """Let what is imported on first use be imported before anything is watched."""
    for data in (
        torch_zip({"w": full("float32", (2,), [1, 2])}, deflated=True),
        legacy([full("int8", (1,), [3])]),
        legacy(module(ModuleClass("nets", "Net", "/nets.py", "class Net(nn.Linear):\n    def f(self): self.x\n"))),
        b"text",
    ):
        read(MemorySource(data))
    ask(Path(__file__))


SLIPS: Final[dict[str, Callable[[], object]]] = {
    "compile": lambda: compile("1 + 1", "nowhere", "eval"),
    "exec": lambda: eval("1 + 1"),
    "import": lambda: __import__("antigravity_of_nobody"),
    "os.system": lambda: os.system("true"),
    "open": lambda: Path("slipped").write_text("x"),
    "os.mkdir": lambda: Path("slipped").mkdir(),
    "subprocess.Popen": lambda: subprocess.Popen([sys.executable, "-c", ""]),
}


def main(arguments: Sequence[str]) -> int:
    """Open the files under watch."""
    global active
    warm()
    sys.addaudithook(hook)
    active = True
    if arguments[:1] == ["--slip"]:
        SLIPS[arguments[1]]()
        return 0
    asks = arguments[:1] == ["--ask"]
    names = arguments[1:] if asks else arguments
    for name in names:
        read(Path(name))
        if asks:
            ask(Path(name))
    active = False
    print(f"\n{len(names)} files opened", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
