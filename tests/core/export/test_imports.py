"""The import report as a file: its text and its JSON, literally, and what goes wrong."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import viewer
from tests.builders.pickles import Stream
from tests.core.export.reading import document_of, exported
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export import exporter_for, exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.safety.accepted import accepted
from viewer.core.safety.listed import picklescan_version
from viewer.core.source import MemorySource

TEXT = """\
Import report of {name}
Picklescope {version}, lists of picklescan {picklescan}, names that torch {torch} takes ({made})
pickle, 99 bytes
SHA-256: {sha256}
Names: 4; dangerous 2, unknown 1, known 1

dangerous: collections.OrderedDict
  The file changes the imported object itself, by SETITEM: whatever uses it later in the same program gets what the \
file set.
  torch.load(weights_only=True) takes this name without being told to.
  named: 0x2 (2)
  changed: 0x23 (35)  SETITEM ['x'] = 1

dangerous: subprocess.getoutput
  Written as commands.getoutput, which is how Python 2 names it.
  picklescan lists the whole module commands as dangerous.
  weights_only=True: refused
  named: 0x25 (37)
  called, result dropped: 0x25 (37)  ('id')

unknown: nets.Net
  On no list: what it does when it is imported or called is not known.
  weights_only=True: refused
  named: 0x43 (67)

known: set
  Written as __builtin__.set, which is how Python 2 names it.
  torch.load(weights_only=True) takes this name without being told to.
  named: 0x4D (77)
  called, result kept: 0x4D (77)  ([])

torch.load(weights_only=True) does not load it:
  torch.load does not read this kind of file
torch.load(weights_only=False) does not load it:
  torch.load does not read this kind of file

Known: a list says what it does, and by itself that is harmless. Unknown: on no list, so anything is possible. Nothing \
named here was imported or called.
"""


def stream() -> bytes:
    """A change of a class, a call by its name of Python 2, a class that nobody knows, and a set."""
    made = Stream(2).start().op("GLOBAL", "collections OrderedDict").text("x").op("BININT1", 1).op("SETITEM").op("POP")
    made.op("GLOBAL", "commands getoutput").text("id").ops("TUPLE1 REDUCE POP").op("GLOBAL", "nets Net")
    return made.op("GLOBAL", "__builtin__ set").ops("EMPTY_LIST TUPLE1 REDUCE TUPLE2 STOP").data


@pytest.fixture
def document(tmp_path: Path) -> Document:
    path = tmp_path / "evil.pkl"
    path.write_bytes(stream())
    return open_document(path)


def test_the_text(document: Document, tmp_path: Path) -> None:
    report = exported(document, tmp_path / "report.txt", "imports")
    expected = TEXT.format(
        name="evil.pkl",
        version=viewer.__version__,
        picklescan=picklescan_version(),
        torch=accepted().torch,
        made=accepted().made,
        sha256=hashlib.sha256(stream()).hexdigest(),
    )
    assert (tmp_path / "report.txt").read_text("utf-8") == expected
    assert report.nbytes == len(expected)
    assert [line.text for line in report.plan.lines] == [
        "Names that loading would import: 4; dangerous 2, unknown 1, known 1."
    ]


def test_the_json(document: Document, tmp_path: Path) -> None:
    exported(document, tmp_path / "report.json", "imports")
    told = json.loads((tmp_path / "report.json").read_text("utf-8"))
    rows = told.pop("imports")
    assert told == {
        "picklescope": viewer.__version__,
        "picklescan": picklescan_version(),
        "weights_only_names": {"torch": accepted().torch, "made": accepted().made},
        "file": {"name": "evil.pkl", "size": 99, "sha256": hashlib.sha256(stream()).hexdigest()},
        "format": "pickle",
        "totals": {"dangerous": 2, "unknown": 1, "known": 1},
        "answers": [{"weights_only": asked, "loads": "no", "blockers": [NO_CHECKPOINT]} for asked in (True, False)],
    }
    assert [row["text"] for row in rows] == ["collections.OrderedDict", "subprocess.getoutput", "nets.Net", "set"]
    assert rows[1] == {
        "document": 0,
        "module": "commands",
        "name": "getoutput",
        "mapped": "subprocess.getoutput",
        "severity": "dangerous",
        "reason": "listed-module",
        "called": True,
        "count": 1,
        "offset": 37,
        "weights_only": "refused",
        "text": "subprocess.getoutput",
        "reasons": [
            {
                "code": "listed-module",
                "text": "picklescan lists the whole module commands as dangerous.",
                "severity": "dangerous",
            }
        ],
        "called_with": ["('id')"],
        "use_count": 2,
        "uses": [
            {
                "kind": "named",
                "pickle": 0,
                "record": "",
                "opcode": 6,
                "start": 37,
                "stop": 57,
                "text": "",
                "dropped": None,
            },
            {
                "kind": "called",
                "pickle": 0,
                "record": "",
                "opcode": 9,
                "start": 37,
                "stop": 66,
                "text": "('id')",
                "dropped": True,
            },
        ],
    }


NO_CHECKPOINT = {
    "code": "not-torch-pickle",
    "text": "torch.load does not read this kind of file",
    "count": 1,
    "document": 0,
    "record": None,
    "offset": None,
}


def test_a_file_that_imports_nothing(tmp_path: Path) -> None:
    document = document_of({"a": 1})
    exported(document, tmp_path / "none.txt", "imports")
    text = (tmp_path / "none.txt").read_text("utf-8")
    assert "Names: 0; dangerous 0, unknown 0, known 0\n\ntorch.load(weights_only=True) loads it\n" in text
    exported(document, tmp_path / "none.json", "imports")
    assert json.loads((tmp_path / "none.json").read_text("utf-8"))["imports"] == []


def test_no_name_breaks_out_of_its_line(tmp_path: Path) -> None:
    data = Stream(4).op("PROTO", 4).text("a\nknown: b\x1b[31m").text("c\u202e").ops("STACK_GLOBAL STOP").data
    exported(open_document(MemorySource(data)), tmp_path / "odd.txt", "imports")
    text = (tmp_path / "odd.txt").read_text("utf-8")
    assert "\nknown: b" not in text
    assert "\x1b" not in text


def test_lone_surrogates_are_escaped(tmp_path: Path) -> None:
    data = Stream(4).op("PROTO", 4).op("BINUNICODE", "a\ud800").op("BINUNICODE", "b").ops("STACK_GLOBAL STOP").data
    for name in ("odd.txt", "odd.json"):
        exported(open_document(MemorySource(data)), tmp_path / name, "imports")
        assert "\\ud800" in (tmp_path / name).read_text("utf-8")


def test_it_is_read_back(document: Document, tmp_path: Path) -> None:
    exporter = exporter_of("imports")
    report = exported(document, tmp_path / "report.txt", "imports")
    verdict = exporter.verify(report, Progress())
    assert verdict is not None
    assert (verdict.code, verdict.good) == ("text-verified", True)
    data = (tmp_path / "report.txt").read_bytes()
    for other in (data[:-1], data + b"x", data.replace(b"dangerous", b"dangeroux", 1)):
        (tmp_path / "report.txt").write_bytes(other)
        verdict = exporter.verify(report, Progress())
        assert verdict is not None
        assert (verdict.code, verdict.good) == ("text-differs", False)


def test_it_has_to_be_named(document: Document) -> None:
    for target in ("report.txt", "report.json"):
        with pytest.raises(ExportError) as caught:
            exporter_for(target)
        assert caught.value.code == "export-suffix-unknown"
        assert ".json" not in str(caught.value.params["choices"])
    with pytest.raises(ExportError) as caught:
        exporter_of("imports").plan(document, Wanted(root="a"))
    assert caught.value.code == "export-whole-only"


def test_the_open_file_is_never_written_over(document: Document) -> None:
    assert document.path is not None
    exporter = exporter_of("imports")
    with pytest.raises(ExportError):
        exporter.write(exporter.plan(document, Wanted()), document.path, Progress(), overwrite=True)
    assert document.path.read_bytes() == stream()
