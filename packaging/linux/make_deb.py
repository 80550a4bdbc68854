"""Make a Debian package of a bundle: `python packaging/linux/make_deb.py BUNDLE TARGET.deb`.

BUNDLE: the folder that `python packaging/build.py` made. Everything of the program lies in /usr/lib/picklescope, so
that removing the package takes all of it away; the rest are the files by which a desktop knows it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
NAME: Final = "io.github.picklescope.Picklescope"
RESOURCES: Final = ROOT / "resources"
PROGRAM: Final = "usr/lib/picklescope"
DEPENDS: Final = (
    "libc6 (>= 2.34)", "libdbus-1-3", "libegl1", "libfontconfig1", "libgl1", "libglib2.0-0", "libx11-xcb1",
    "libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-randr0", "libxcb-render-util0",
    "libxcb-shape0", "libxcb-shm0", "libwayland-client0", "libwayland-cursor0", "libwayland-egl1",
    "libxcb-sync1", "libxcb-xfixes0", "libxcb-xkb1", "libxkbcommon-x11-0",
    "libxkbcommon0", "fonts-dejavu-core",
)  # fmt: skip
MAINTAINER: Final = "Picklescope contributors <picklescope@example.org>"
CONTROL: Final = """\
Package: picklescope
Version: {version}
Architecture: amd64
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: shared-mime-info, desktop-file-utils
Section: science
Priority: optional
Description: viewer for PyTorch checkpoints
 Picklescope shows three readings of a PyTorch checkpoint side by side: its
 bytes, what they say (archive, pickle opcodes, objects) and what they mean
 (tensors, classes, source code), each linked to the others. It exports
 tensors as state_dict, npz or safetensors, and stored source as files.
 .
 Nothing of a file is ever run, and the file is never changed.
"""
# The bundle brings the libraries that it was tried with; Debian's own are of other versions.
OVERRIDES: Final = """\
picklescope: embedded-library
picklescope: sharedobject-in-library-directory-missing-soname
picklescope: shared-library-lacks-prerequisites
picklescope: unstripped-binary-or-object
picklescope: library-not-linked-against-libc
picklescope: custom-library-search-path
picklescope: hardening-no-pie
picklescope: initial-upload-closes-no-bugs
"""

sys.path.insert(0, str(ROOT))
from viewer import __version__  # noqa: E402  # the one place of the version


class Section:
    """The newest released section of the changelog: its version, its day, and its lines without their marks."""

    def __init__(self, text: str) -> None:
        found = re.search(
            r"^## \[(?P<version>\d[^\]]*)\](?: - (?P<day>[\d-]+))?\n(?P<body>.*?)(?=^## |\Z)", text, re.M | re.S
        )
        if found is None:
            sys.exit("CHANGELOG.md has no section of a version.")
        self.version = found["version"]
        self.day = found["day"] or datetime.now(UTC).date().isoformat()
        joined = re.sub(r"\n  +", " ", found["body"])
        self.lines = [line.removeprefix("- ").strip() for line in joined.splitlines() if line.startswith("- ")]


def metainfo(section: Section) -> str:
    """The AppStream file with the newest release in it."""
    rows = "\n".join(f"          <li>{escape(line.replace('`', ''))}</li>" for line in section.lines)
    release = (
        f'<releases>\n    <release version="{section.version}" date="{section.day}">\n'
        f"      <description>\n        <ul>\n"
        f"{rows}\n        </ul>\n      </description>\n    </release>\n  </releases>"
    )
    return (HERE / f"{NAME}.metainfo.xml").read_text(encoding="utf-8").replace("<!-- releases -->", release)


def lay_out(bundle: Path, root: Path, section: Section) -> None:
    """Everything as it will lie on the disk."""
    shutil.copytree(bundle, root / PROGRAM, symlinks=True)
    put(root / "usr/share/applications" / f"{NAME}.desktop", (RESOURCES / "desktop" / f"{NAME}.desktop").read_bytes())
    put(root / "usr/share/mime/packages/picklescope.xml", (RESOURCES / "desktop/picklescope-mime.xml").read_bytes())
    put(root / "usr/share/metainfo" / f"{NAME}.metainfo.xml", metainfo(section).encode())
    icons = root / "usr/share/icons/hicolor"
    put(icons / "scalable/apps" / f"{NAME}.svg", (RESOURCES / "icons/picklescope.svg").read_bytes())
    for icon in (RESOURCES / "desktop/icons").glob("*.png"):
        put(icons / f"{icon.stem}x{icon.stem}/apps" / f"{NAME}.png", icon.read_bytes())
    page = (HERE / "picklescope.1").read_text(encoding="utf-8")
    put_packed(
        root / "usr/share/man/man1/picklescope.1.gz",
        page.replace("@VERSION@", __version__).replace("@DATE@", section.day),
    )
    folder = root / "usr/share/doc/picklescope"
    put(folder / "copyright", copyright_file().encode())
    put_packed(folder / "changelog.gz", changelog(section))
    put(root / "usr/share/lintian/overrides/picklescope", OVERRIDES.encode())
    start = root / "usr/bin/picklescope"
    start.parent.mkdir(parents=True)
    start.symlink_to("../lib/picklescope/picklescope")


def changelog(section: Section) -> str:
    """The newest section in Debian's form. The day has no hour: it is the same whenever the package is built."""
    rows = "\n".join(textwrap.fill(line, 78, initial_indent="  * ", subsequent_indent="    ") for line in section.lines)
    day = format_datetime(datetime.fromisoformat(section.day).replace(tzinfo=UTC))
    return f"picklescope ({section.version}) unstable; urgency=medium\n\n{rows}\n\n -- {MAINTAINER}  {day}\n"


def copyright_file() -> str:
    """The licence in Debian's form."""
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").strip().splitlines()
    body = "\n".join(f" {line}" if line else " ." for line in licence[4:])
    head = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\n"
    return f"{head}Copyright: 2026 Picklescope contributors\nLicense: Expat\n{body}\n"


def put(path: Path, content: bytes) -> None:
    """One file, readable by all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def put_packed(path: Path, text: str) -> None:
    """One file as gzip, the same each time."""
    put(path, gzip.compress(text.encode("utf-8"), 9, mtime=0))


def describe(root: Path, version: str) -> None:
    """DEBIAN/: what the package is, and the sums of its files."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)
    kilobytes = sum(-(-path.stat().st_size // 1024) for path in files)
    control = CONTROL.format(version=version, maintainer=MAINTAINER, kilobytes=kilobytes, depends=", ".join(DEPENDS))
    put(root / "DEBIAN/control", control.encode())
    put(root / "DEBIAN/md5sums", sums.encode())
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            runs = path.is_dir() or path == root / PROGRAM / "picklescope"
            path.chmod(0o755 if runs else 0o644)


def main() -> int:
    """Lay out, describe, pack."""
    parser = argparse.ArgumentParser(description="Make a Debian package of a bundle.")
    parser.add_argument("bundle", type=Path)
    parser.add_argument("target", type=Path)
    asked = parser.parse_args()
    section = Section((ROOT / "packaging/CHANGELOG.md").read_text(encoding="utf-8"))
    if section.version != __version__:
        sys.exit(f"The newest section of CHANGELOG.md is {section.version}, the program is {__version__}.")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "picklescope"
        root.mkdir()
        lay_out(asked.bundle, root, section)
        describe(root, __version__)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(asked.target)], check=True)
    print(f"{asked.target}: {asked.target.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
