"""Names of arrays in an npz: fine on every system, told apart by every reader, found again by the table."""

from __future__ import annotations

import json
import unicodedata
from ast import literal_eval
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders.torch_values import full
from tests.core.export.reading import document_of, exported, read_npz, records
from viewer.core.errors import CancelledError
from viewer.core.export import exporter_of
from viewer.core.export.npz_names import member_names, safe_name
from viewer.core.export.plan import Renamed
from viewer.core.progress import Progress


def members(*names: str) -> list[str]:
    return member_names(names, Progress())


@pytest.mark.parametrize(
    "name",
    [
        *("w", "layer.0.weight", "a/b", "Ünïcode.größe", "重み", "(2, 'x')", "a b", " w", ".hidden", "a~1", "m.1#2"),
        *("file", "allow_pickle", "arr_0", "w.npy", "console", "com", "com10", "a.con", "auxiliary.w", "x" * 200),
    ],
)
def test_names_that_are_fine_stay(name: str) -> None:
    assert members(name) == [name]


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("", "unnamed"),
        ("/", "unnamed"),
        ("./a//b/.", "a/b"),
        ("/a", "a"),
        ("a/", "a"),
        ("..", "__"),
        ("../../etc/passwd", "__/__/etc/passwd"),
        ("...", "___"),
        ("a\\..\\b", "a_.._b"),
        ("C:x", "C_x"),
        ("C:/x", "C_/x"),
        ('<a>"|?*', "_a_____"),
        ("tab\tline\nnull\0\x7f", "tab_line_null__"),
        ("a\u2028b\u200bc", "a_b_c"),
        ("\ud800", "_ud800"),
        ("w.", "w_"),
        ("w . ", "w___"),
        (" ", "_"),
        ("dir./x", "dir_/x"),
        ("CON", "CON_"),
        ("con.weight", "con_.weight"),
        ("a/NUL.txt/b", "a/NUL_.txt/b"),
        ("com1.0.bias", "com1_.0.bias"),
        ("LPT\u00b9", "LPT\u00b9_"),
        ("aux .w", "aux _.w"),
        ("conin$", "conin$_"),
        ("a.npy/b", "a.npy_/b"),
        ("a.NPY/b", "a.NPY_/b"),
    ],
)
def test_names_that_some_system_refuses_are_changed(name: str, member: str) -> None:
    assert safe_name(name) == member
    assert members(name) == [member]


def test_long_names_are_cut_and_stay_different() -> None:
    # the first digits of the SHA-256 of 300 and of 301 letters
    assert members("x" * 300, "x" * 301) == ["x" * 191 + "_0d4e2ca9", "x" * 191 + "_e4c11e4f"]
    for name in ("\u00e9" * 150, "a/" * 200 + "b", "\U0001f600" * 60):
        (member,) = members(name)
        assert len(member.encode()) <= 200
        assert member[-9] == "_"
        assert member[:20] == name[:20]
    # no blank, dot or slash is left where it was cut
    assert (
        safe_name("y" * 189 + ". /" + "z" * 100)[:191]
        == "y" * 189 + "_" + safe_name("y" * 189 + ". /" + "z" * 100)[190]
    )


def test_names_that_a_reader_takes_for_one_are_told_apart() -> None:
    assert members("W", "w", "w_2") == ["W", "w_3", "w_2"]
    assert members("w.npy", "w", "w") == ["w.npy", "w_2", "w_3"]
    assert members("w", "w.NPY") == ["w", "w.NPY_2"]
    assert members("\u00e9", "e\u0301", "E\u0301") == ["\u00e9", "e\u0301_2", "E\u0301_3"]
    assert members("stra\u00dfe", "STRASSE") == ["stra\u00dfe", "STRASSE_2"]
    assert members("a", "a.npy/b") == ["a", "a.npy_/b"]


def test_names_that_are_fine_come_before_those_that_were_changed() -> None:
    assert members("/a/b", "a//b", "a/b") == ["a/b_2", "a/b_3", "a/b"]


def test_many_names_that_come_to_the_same() -> None:
    found = members(*["/"] * 20_000)
    assert (found[0], found[-1]) == ("unnamed", "unnamed_20000")


def test_names_can_be_stopped() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        member_names(["w"], progress)


def test_names_of_an_export(tmp_path: Path) -> None:
    names = ["a/b", "/a/b", "../a", "..", "", "a\\b", "C:x", "x", "x.npy", "X", "tab\t", "\ud800", "file"]
    value = {name: full("uint8", (), [number]) for number, name in enumerate(names)}
    report = exported(document_of(value), tmp_path / "out.npz", "npz")
    assert {name: int(array) for name, array in read_npz(tmp_path / "out.npz").items()} == {
        "a/b": 0,
        "a/b_2": 1,
        "__/a": 2,
        "__": 3,
        "tensor": 4,
        "a_b": 5,
        "C_x": 6,
        "x": 7,
        "x.npy_2": 8,
        "X_2": 9,
        "tab_": 10,
        "_ud800": 11,
        "file": 12,
    }
    assert Renamed("/a/b", "a/b_2") in report.plan.renamed
    verdict = exporter_of("npz").verify(report, Progress())
    assert verdict is not None
    assert verdict.good is True


PIECES = [
    "..",
    ".",
    "/",
    "\\",
    "//",
    "a",
    "A",
    "w",
    ".npy",
    ".",
    " ",
    "CON",
    "nul",
    "com1",
    ":",
    "*",
    "\0",
    "\n",
    "\ud800",
]
NASTY = st.one_of(
    st.lists(st.sampled_from([*PIECES, "\u00e9", "e\u0301", "\u00df", "x" * 90]), max_size=6).map("".join),
    st.text(st.characters(), max_size=8),
)
DEVICES = {"con", "prn", "aux", "nul", "com1"}


def assert_unpacks_anywhere(member: str) -> None:
    """The path stays within a folder and is a name on Windows too."""
    assert member.endswith(".npy")
    for kind in (PurePosixPath, PureWindowsPath):
        path = kind(member)
        assert not path.is_absolute()
        assert not path.drive
        assert not path.root
        assert ".." not in path.parts
        assert "/".join(path.parts) == member
    for part in member.split("/"):
        assert part == part.rstrip(". ")
        assert part.partition(".")[0].rstrip().lower() not in DEVICES
        assert not set(part) & set('<>:"|?*\\')
        assert len(part.encode()) <= 255
        assert all(char.isprintable() for char in part)


def on_disk(path: str) -> str:
    """A path to a file system that is blind to case and to how accents are composed."""
    return unicodedata.normalize("NFC", path).casefold()


@given(st.lists(NASTY, min_size=1, max_size=12, unique=True))
@settings(max_examples=100, deadline=None)
def test_every_array_is_found_again(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    folder = tmp_path_factory.mktemp("nasty")
    value = {name: full("int32", (1,), [number]) for number, name in enumerate(names)}
    report = exported(document_of(value), folder / "out.npz", "npz")
    found = read_npz(folder / "out.npz")
    assert len(found) == len(names)
    paths = records(folder / "out.npz")
    for path in paths:
        assert_unpacks_anywhere(path)
    files = {on_disk(path) for path in paths}
    folders = {on_disk(str(above)) for path in paths for above in PurePosixPath(path).parents}
    assert len(files) == len(names)
    assert not files & folders
    if not report.plan.renamed:
        assert list(found) == names
        return
    table = json.loads((folder / "out.names.json").read_text(encoding="utf-8"))
    assert [row["member"] for row in table["arrays"]] == paths
    assert [row["key"] for row in table["arrays"]] == names
    assert [key_of(row["path"]) for row in table["arrays"]] == names
    assert [found[row["name"]].tolist() for row in table["arrays"]] == [[number] for number in range(len(names))]


def key_of(path: list[str | dict[str, str]]) -> str:
    """The only key of a path; of texts that begin with `@` the repr stands there."""
    (part,) = path
    return part if isinstance(part, str) else str(literal_eval(part["py"]))
