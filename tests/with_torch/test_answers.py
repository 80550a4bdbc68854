"""Would torch.load(weights_only=True) load this? Our answer, and the first thing that stops it, against torch's own."""

from __future__ import annotations

import json
import pickletools
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.builders.pickles import Stream
from tests.builders.torch_zip import ZipWriter
from tests.shared import ROOT
from viewer.core.opening import open_document
from viewer.core.summary.answers import Answer, Loads
from viewer.core.summary.prediction import predict

pytestmark = pytest.mark.torch
Judged = dict[str, list[str | None]]
DESCRIPTIONS: Final = frozenset({"README.md", "expected.json", "log.jsonl", "origins.md"})
# It reads one item of several, where all are of one size; the answer says so.
ITEMS: Final = "not-torch-items"
GLOBAL: Final = re.compile(r"GLOBAL (\S+) (?:was not an allowed global|whose module)")
OPERAND: Final = re.compile(r"Unsupported operand (\d+)")
NAMES: Final = {ord(opcode.code): opcode.name for opcode in pickletools.opcodes}


def ask(paths: Iterable[Path]) -> Judged:
    """What torch says of all of them."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.with_torch.answers_child"],
        cwd=ROOT,
        input=json.dumps([str(path) for path in paths]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said: Judged = json.loads(done.stdout)
    return said


def answer(path: Path) -> Answer:
    """Ours, for weights_only=True."""
    document = open_document(path)
    try:
        return predict(document).answers[0]
    finally:
        document.close()


def disagreements(said: Judged) -> Iterator[str]:
    """Where the two differ: whether it loads, on which computers, and what stops it first."""
    for name, (plain, on_cpu) in said.items():
        ours = answer(Path(name))
        expected = Loads.YES if plain is None else Loads.DEPENDS if on_cpu is None else Loads.NO
        if ours.loads is not expected:
            yield f"{name}: {ours.loads}, {[one.code for one in ours.blockers]}, torch: {plain}"
        elif expected is Loads.NO and (first := wrong_first(ours, on_cpu or "")):
            yield f"{name}: {first}, torch: {on_cpu}"


def wrong_first(ours: Answer, said: str) -> str:
    """The first blocker of ours where torch stops at another one; "" where it is the same, or torch does not tell."""
    certain = [one for one in ours.blockers if not one.depends]
    if certain[0].opcode < 0:
        return ""  # about the file as a whole: it does not get so far, or only its own words say so
    name, operand = GLOBAL.search(said), OPERAND.search(said)
    if name is not None and not (certain[0].code == "name" and certain[0].params["name"] == name[1]):
        return certain[0].text
    if operand is not None and not (
        certain[0].code == "opcode" and certain[0].params["name"] == NAMES[int(operand[1])]
    ):
        return certain[0].text
    return ""


@pytest.mark.parametrize("folder", ["samples", "cases", "corpus"])
def test_files_beside_the_project(folder: str, shared: Path) -> None:
    """Not those that are made to do harm: torch is not asked about them."""
    paths = [
        path
        for path in sorted((shared / folder).rglob("*"))
        if path.is_file() and path.name not in DESCRIPTIONS and "hostile" not in path.parts
    ]
    said = ask(paths)
    assert len(said) == len(paths) > 30
    assert [told for told in disagreements(said) if ITEMS not in told] == []


def zipped(stream: Stream) -> bytes:
    """A checkpoint of one pickle and no storage."""
    writer = ZipWriter()
    writer.add("data.pkl", stream.data)
    writer.add("byteorder", b"little")
    writer.add("version", b"3\n")
    return writer.finish()


def start() -> Stream:
    return Stream(2).start()


def ordered() -> Stream:
    return start().op("GLOBAL", "collections OrderedDict").ops("EMPTY_TUPLE REDUCE")


ODD: Final = {
    "a state of an OrderedDict": ordered().op("EMPTY_DICT").text("x").op("BININT1", 1).ops("SETITEM BUILD STOP"),
    "a state of a Counter": start().op("GLOBAL", "collections Counter").ops("EMPTY_TUPLE REDUCE EMPTY_DICT BUILD STOP"),
    "a state of a class": start().op("GLOBAL", "collections OrderedDict").ops("EMPTY_DICT BUILD STOP"),
    "a state of a dict": start().ops("EMPTY_DICT EMPTY_DICT BUILD STOP"),
    "a state of a text": start().text("x").ops("EMPTY_DICT BUILD STOP"),
    "a state of a list": start().ops("EMPTY_LIST NONE BUILD STOP"),
    "an entry of a class": start().op("GLOBAL", "collections OrderedDict").text("x").ops("NONE SETITEM STOP"),
    "an entry of a list": start().op("EMPTY_LIST").op("BININT1", 0).ops("NONE SETITEM STOP"),
    "an entry of a set": start().ops("EMPTY_SET NONE NONE SETITEM STOP"),
    "entries of an OrderedDict": ordered().op("MARK").text("x").ops("NONE SETITEMS STOP"),
    "entries of a Counter": start()
    .op("GLOBAL", "collections Counter")
    .ops("EMPTY_TUPLE REDUCE MARK")
    .text("x")
    .ops("NONE SETITEMS STOP"),
    "entries of a Size": start()
    .op("GLOBAL", "torch Size")
    .ops("EMPTY_TUPLE TUPLE1 REDUCE MARK")
    .text("x")
    .ops("NONE SETITEMS STOP"),
    "an element of a dict": start().ops("EMPTY_DICT NONE APPEND STOP"),
    "elements of a class": start().op("GLOBAL", "collections OrderedDict").ops("MARK NONE APPENDS STOP"),
    "elements of an OrderedDict": ordered().ops("MARK NONE APPENDS STOP"),
    "elements of a set": start().ops("EMPTY_SET MARK NONE ADDITEMS STOP"),
    "a call of a text": start().text("x").ops("EMPTY_TUPLE REDUCE STOP"),
    "a call of what a call gave": ordered().ops("EMPTY_TUPLE REDUCE STOP"),
    "a class of Python 2": start().op("GLOBAL", "__builtin__ set").ops("EMPTY_LIST TUPLE1 REDUCE STOP"),
    "a class of Python 2 that is not listed": start().op("GLOBAL", "__builtin__ xrange").op("STOP"),
    "a blocked module": start().op("GLOBAL", "sys exit").op("STOP"),
    "a name that is only named": start().op("GLOBAL", "nets Net").op("POP").ops("NONE STOP"),
    "a name before an opcode": start().op("GLOBAL", "nets Net").op("LONG4", 5).ops("TUPLE2 STOP"),
    "an opcode before a name": start().op("LONG4", 5).op("GLOBAL", "nets Net").ops("TUPLE2 STOP"),
    "a fill before a name": start().ops("EMPTY_LIST NONE NONE SETITEM").op("GLOBAL", "nets Net").ops("TUPLE2 STOP"),
    "a call before a name": start().text("x").ops("EMPTY_TUPLE REDUCE").op("GLOBAL", "nets Net").ops("TUPLE2 STOP"),
    "an extension code": start().op("EXT1", 5).op("STOP"),
    "a name computed": Stream(4).op("PROTO", 4).op("BINUNICODE", "a").op("BINUNICODE", "b").ops("STACK_GLOBAL STOP"),
    "protocol 3 and no bytes": Stream(3).start().op("EMPTY_DICT").op("STOP"),
    "protocol 4 without frames": Stream(4).op("PROTO", 4).op("EMPTY_DICT").op("STOP"),
    "a frozen set": start().ops("MARK NONE").op("FROZENSET").op("STOP"),
    "DUP": start().ops("NONE DUP TUPLE2 STOP"),
    "an object of a listed class": start().op("GLOBAL", "collections OrderedDict").ops("EMPTY_TUPLE NEWOBJ STOP"),
    "a persistent number": start().op("BININT1", 1).ops("BINPERSID STOP"),
    "a persistent text": start().text("x").ops("BINPERSID STOP"),
    "an empty persistent tuple": start().ops("EMPTY_TUPLE BINPERSID STOP"),
    "a long text": start().text("x" * 300).op("STOP"),
    "bytes of Python 2": start().op("SHORT_BINSTRING", b"\xff").op("STOP"),
    "a float": start().op("BINFLOAT", 0.5).op("STOP"),
}


def test_streams_at_the_edge_of_what_it_takes(tmp_path: Path) -> None:
    for number, stream in enumerate(ODD.values()):
        (tmp_path / f"{number}.pt").write_bytes(zipped(stream))
    names = list(ODD)
    said = ask(sorted(tmp_path.iterdir()))
    found = [f"{names[int(Path(told.partition(':')[0]).stem)]}: {told}" for told in disagreements(said)]
    assert found == []
    refused = sum(on_cpu is not None for _, on_cpu in said.values())
    assert refused == 29
