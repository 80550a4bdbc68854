"""Patches: literal ones, names that cannot lead out of a folder, and what `git apply` makes of them."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from viewer.core.code.patch import header_name, patch


def test_a_patch() -> None:
    left = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n"
    right = "a\nb\nc\nD\ne\nf\ng\nh\ni\nj\nk\nl\nm\n"
    assert patch(left, right, "zoo/nets.py", "zoo/nets.py") == (
        "--- a/zoo/nets.py\n+++ b/zoo/nets.py\n"
        "@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n"
        "@@ -10,3 +10,4 @@\n j\n k\n l\n+m\n"
    )


def test_close_changes_share_a_hunk() -> None:
    left = "".join(f"{number}\n" for number in range(12))
    right = left.replace("2\n", "two\n", 1).replace("9\n", "nine\n", 1)
    assert patch(left, right, "a", "b").count("@@ -") == 1


@pytest.mark.parametrize(
    ("left", "right", "body"),
    [
        ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
        ("a\n", "b", "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n"),
        ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
        ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
        ("a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n"),
        ("a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"),
    ],
)
def test_ends_of_lines_are_kept(left: str, right: str, body: str) -> None:
    assert patch(left, right, "x", "x") == f"--- a/x\n+++ b/x\n{body}"


def test_equal_texts_have_no_patch() -> None:
    assert patch("a\n", "a\n", "x", "y") == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("nets.py", "a/nets.py"),
        ("/home/user/nets.py", "a/home/user/nets.py"),
        ("C:\\work\\nets.py", "a/work/nets.py"),
        ("../../etc/passwd", "a/etc/passwd"),
        ("..", "a/text"),
        ("", "a/text"),
        ("a\n+++ b/x", '"a/a\\012+++ b/x"'),
        ('q"\t.py', '"a/q\\"\\011.py"'),
        ("my file.py", '"a/my file.py"'),
        ("żółw.py", "a/żółw.py"),
        ("x\u202ey.py", '"a/x\\342\\200\\256y.py"'),
        ("\ud800.py", '"a/\\355\\240\\200.py"'),
    ],
)
def test_names(name: str, shown: str) -> None:
    assert header_name("a", name) == shown


def test_names_are_not_endless() -> None:
    assert len(header_name("b", "d/" * 500 + "nets.py")) <= 202
    assert header_name("b", "x" * 500).startswith("b/")


def test_texts_that_are_too_long() -> None:
    with pytest.raises(ValueError, match="too long"):
        patch("x" * 10_000_001, "y", "a", "b")
    with pytest.raises(ValueError, match="too long"):
        patch("\n" * 1_000_001, "y", "a", "b")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_applies_them(tmp_path: Path) -> None:
    chance = random.Random(5)
    for number in range(25):
        end = chance.choice(["\n", "\r\n"])
        lines = [chance.choice("abcde ") for _ in range(chance.randrange(1, 40))]
        other = list(lines)
        for _ in range(chance.randrange(1, 6)):
            other.insert(chance.randrange(len(other) + 1), chance.choice("xyż"))
            del other[chance.randrange(len(other))]
        texts = [end.join(part) + chance.choice(["", end]) for part in (lines, other)]
        if texts[0] == texts[1]:
            continue
        target = tmp_path / "nets.py"
        target.write_bytes(texts[0].encode())
        (tmp_path / "p").write_bytes(patch(texts[0], texts[1], "nets.py", "nets.py").encode())
        command = ["git", "apply", "--whitespace=nowarn", "p"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (number, done.stderr)
        assert target.read_bytes() == texts[1].encode(), number
