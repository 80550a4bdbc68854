"""Try a built bundle as a person would, in a real window: `python packaging/smoke.py BUNDLE` or `... --deb PACKAGE`.

BUNDLE: the folder of build.py. Opens a file by xdg-open, hands it a second one, drops a third from a file manager,
exports, reads the export back, quits. Needs Xvfb, openbox, xdotool, pcmanfm, xdg-utils, gio, and numpy here.

--deb: makes a bare Debian by debootstrap, installs the package with only what it declares, does the same in there, so
that nothing of this machine can help; then removes the package and looks for what is left. Needs root and debootstrap.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.desktop import Desktop, wait_until  # noqa: E402  # found in ROOT

SAMPLES: Final = ROOT / "resources" / "samples"
FIRST: Final = "whole_model_legacy.pth"
SECOND: Final = "checkpoint_adam.pt"
THIRD: Final = "half_download.pth"
HOSTILE: Final = "runs_a_command.pkl"
RAN: Final = "A program that trusts this file has just run a command."
"""What the command of that file would print."""
CLASS: Final = "picklescope"
MANAGER: Final = ("pcmanfm", "dbus-daemon", "dbus-x11", "shared-mime-info", "desktop-file-utils", "xdg-utils")
"""What a desktop has and a bare system has not; comes only after the window was up without it."""
A_DROP: Final = 15.0
OPEN: Final = ("env", "XDG_CURRENT_DESKTOP=GNOME", "xdg-open")
"""Without a desktop's name xdg-open asks file(1) for the type, which knows no types of programs."""
ICON: Final = ("205", "98")
SUITE: Final = "bookworm"
PROGRAM: Final = "/usr/bin/picklescope"


class Trial:
    """One bundle on one desktop. `inside`: the words before each command of the program, such as chroot's."""

    def __init__(self, desktop: Desktop, program: str, files: Path, inside: Sequence[str] = (), root: str = "") -> None:
        self.desktop = desktop
        self.program = program
        self.files = files
        self.inside = tuple(inside)
        self.root = root

    def tell(self, *words: str, code: int = 0) -> str:
        """Run a command of the program; gives what it printed."""
        command = [*self.inside, self.program, *words]
        done = subprocess.run(command, env=self.desktop.environment, capture_output=True, text=True, check=False)
        if done.returncode != code:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def path(self, name: str) -> str:
        """A file as the program sees it."""
        return str(self.files / name).removeprefix(self.root)

    def commands(self) -> None:
        """Without a window."""
        say("version", self.tell("--version").strip())
        self.tell("inspect", self.path(FIRST), "--json")
        self.tell("export", self.path(SECOND), self.path("out.npz"), "--root", "model_state_dict")
        with np.load(self.files / "out.npz") as arrays:
            say("npz read back by numpy", f"{len(arrays.files)} arrays")
        self.tell("export", self.path(SECOND), self.path("out.pt"), "--root", "model_state_dict")
        say("state_dict", (self.files / "out.pt").stat().st_size)
        told = self.tell("inspect", self.path(HOSTILE))
        if RAN in told.splitlines():
            sys.exit("a command of a file was run.")
        (found,) = json.loads(self.tell("inspect", self.path(HOSTILE), "--json"))["imports"]
        if (found["severity"], found["reason"]) != ("dangerous", "listed-module"):
            sys.exit(f"{HOSTILE}: the lists of dangerous names are not there: {found}")
        say("a file that would run a command", found["reasons"][0]["text"])

    def title(self) -> str:
        """Of the window."""
        windows = self.desktop.windows(CLASS)
        return self.desktop.xdotool("getwindowname", windows[0]) if windows else ""

    def shows(self, name: str) -> None:
        """Wait until a file is looked at, in one window."""
        wait_until(lambda: name in self.title(), f"{name} was not opened")
        if len(self.desktop.windows(CLASS)) != 1:
            sys.exit(f"{name} was opened in a window of its own.")

    def leave(self, program: subprocess.Popen[bytes] | None) -> None:
        """Quit by the keyboard."""
        window = self.desktop.window(CLASS)
        self.desktop.xdotool("windowactivate", "--sync", window)
        self.desktop.xdotool("key", "--window", window, "ctrl+q")
        wait_until(lambda: not self.desktop.windows(CLASS), "the window did not close")
        if program is not None and program.wait(30):
            sys.exit(f"the program ended with {program.returncode}")


def say(what: str, fact: object) -> None:
    """One line of the outcome."""
    print(f"{what}: {fact}", flush=True)


def with_files(folder: Path) -> Path:
    """A folder with samples."""
    for name in (FIRST, SECOND, THIRD, HOSTILE):
        shutil.copy(SAMPLES / name, folder / name)
    return folder


def open_by_desktop(trial: Trial, name: str) -> None:
    """Open a file as a link or another program does."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    trial.desktop.start([*OPEN, trial.path(name)], **quiet)


def manager_with(trial: Trial, name: str) -> str:
    """The window of a file manager that shows a folder with this one file."""
    desktop = trial.desktop
    alone = trial.files / "alone"
    alone.mkdir()
    shutil.copy(trial.files / name, alone / name)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    desktop.start([*trial.inside, "dbus-run-session", "--", "pcmanfm", trial.path("alone")], **quiet)
    manager = desktop.window("pcmanfm")
    wait_until(lambda: desktop.xdotool("getwindowname", manager) == "alone", "the folder was not shown")
    return manager


def double_click(trial: Trial, name: str) -> None:
    """Open a file from a file manager, by the mouse."""
    manager = manager_with(trial, name)
    trial.desktop.xdotool("windowactivate", "--sync", manager)
    twice = ("click", "--repeat", "2", "--delay", "60", "1")
    trial.desktop.xdotool("mousemove", "--sync", "--window", manager, *ICON, *twice)


def drag_from_manager(trial: Trial, name: str) -> None:
    """Drop a file from a file manager onto the window, by the mouse."""
    desktop = trial.desktop
    manager, window = manager_with(trial, name), desktop.window(CLASS)
    desktop.xdotool("windowmove", "--sync", manager, "0", "0")
    desktop.xdotool("windowsize", "--sync", window, "800", "600", "windowmove", "--sync", window, "640", "200")
    desktop.xdotool("windowraise", manager)

    def dropped() -> bool:
        """Drag it once; a folder that is still being read, or a busy window, takes none."""
        desktop.xdotool("mousemove", "--sync", "--window", manager, *ICON, "mousedown", "1")
        for x, y in ((260, 130), (500, 300), (800, 450), (1000, 500), (1010, 505)):
            desktop.xdotool("mousemove", "--sync", str(x), str(y))
        desktop.xdotool("mouseup", "1")
        end = time.monotonic() + A_DROP
        while name not in trial.title() and time.monotonic() < end:
            threading.Event().wait(0.1)
        return name in trial.title()

    wait_until(dropped, f"{name} was dropped in vain", 3 * A_DROP)


def try_bundle(bundle: Path) -> None:
    """A bundle that lies anywhere, made known to this person's desktop by itself."""
    with tempfile.TemporaryDirectory(prefix="smoke-") as name:
        folder = Path(name)
        (folder / "run").mkdir(mode=0o700)
        environment = os.environ | {
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "XDG_RUNTIME_DIR": str(folder / "run"),
        }
        (folder / "files").mkdir()
        desktop = Desktop(environment)
        try:
            trial = Trial(desktop, str((bundle / "picklescope").absolute()), with_files(folder / "files"))
            trial.commands()
            trial.tell("--install-desktop")
            open_by_desktop(trial, FIRST)
            trial.shows(FIRST)
            say("xdg-open", "opens it")
            open_by_desktop(trial, SECOND)
            trial.shows(SECOND)
            say("a second start", "hands over")
            open_by_desktop(trial, HOSTILE)
            trial.shows(HOSTILE)
            say("a pickle that would run a command", "is opened and does not")
            drag_from_manager(trial, THIRD)
            trial.shows(THIRD)
            say("a drop", "opens it")
            trial.leave(None)
            trial.tell("--uninstall-desktop")
        finally:
            desktop.close()


def try_package(package: Path) -> None:
    """A Debian package in a system that has nothing but what it declares."""
    with tempfile.TemporaryDirectory(prefix="smoke-root-") as name:
        root = Path(name)
        root.chmod(0o755)
        subprocess.run(["debootstrap", "--variant=minbase", SUITE, str(root)], check=True, stdout=subprocess.DEVNULL)
        before = files_of(root)
        shutil.copy(package, root / "tmp/picklescope.deb")
        inside = ["chroot", str(root)]
        apt = [*inside, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y", "--no-install-recommends"]
        subprocess.run([*apt, "install", "/tmp/picklescope.deb"], check=True, stdout=subprocess.DEVNULL)
        home = root / "root"
        desktop = Desktop(os.environ | {"HOME": "/root", "LC_ALL": "C.UTF-8"} | dict.fromkeys(XDG, ""))
        try:
            files = home / "files"
            files.mkdir()
            trial = Trial(desktop, PROGRAM, with_files(files), inside, str(root))
            trial.commands()
            program = desktop.start([*inside, PROGRAM, trial.path(FIRST)])
            trial.shows(FIRST)
            say("window in a bare system", "opens it")
            trial.leave(program)
            subprocess.run([*apt, "install", *MANAGER], check=True, stdout=subprocess.DEVNULL)
            double_click(trial, SECOND)
            trial.shows(SECOND)
            say("a double-click in a file manager", "opens it")
            trial.leave(None)
        finally:
            desktop.close()
        subprocess.run([*apt, "purge", "picklescope"], check=True, stdout=subprocess.DEVNULL)
        (root / "tmp/picklescope.deb").unlink()
        left = [path for path in files_of(root) - before if CLASS in path.lower() and not path.startswith("root/")]
        left = [path for path in left if not path.startswith(("var/lib/apt", "var/log", "tmp/", "var/cache"))]
        if left:
            sys.exit(f"removing left: {', '.join(sorted(left))}")
        say("removed", "without a trace")


XDG: Final = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")


def files_of(root: Path) -> set[str]:
    """Every path below a root, without those of the kernel."""
    found: set[str] = set()
    for above, folders, names in os.walk(root):
        here = Path(above).relative_to(root)
        if here == Path():
            folders[:] = [name for name in folders if name not in ("proc", "sys", "dev", "run")]
        found.update(str(here / name) for name in (*folders, *names))
    return found


def main() -> int:
    """Try what was named."""
    parser = argparse.ArgumentParser(description="Try a built bundle in a real window.")
    parser.add_argument("bundle", type=Path, nargs="?")
    parser.add_argument("--deb", type=Path)
    asked = parser.parse_args()
    if asked.bundle is None and asked.deb is None:
        parser.error("name a bundle or a package")
    if asked.bundle is not None:
        try_bundle(asked.bundle)
    if asked.deb is not None:
        try_package(asked.deb)
    return 0


if __name__ == "__main__":
    sys.exit(main())
