"""Files in the arguments of pickles: found through any layers, and nothing is taken for one that is none."""

from __future__ import annotations

import base64
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders.arrays import npy
from tests.builders.held import HIDDEN, LAYERS, wrapped
from tests.builders.legacy import legacy
from tests.builders.pickles import Stream
from tests.builders.torch_values import storage
from tests.builders.torch_zip import ZipWriter
from tests.builders.values import Pickler
from tests.opened import opened
from viewer.core import opening
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.formats.base import Options
from viewer.core.formats.held import candidates, finding
from viewer.core.opening import open_document
from viewer.core.source import MemorySource

LOADS = b"cpickle\nloads\n"


def inside(document: Document) -> list[tuple[str, str, int | None]]:
    return [(part.how, part.format, part.offset) for part in document.walk() if part.held is not None]


def stream(name: str, argument: bytes | str) -> bytes:
    """`pickle.loads(argument)` in protocol 4, its argument at byte 18 where its length takes one byte."""
    return b"\x80\x04" + LOADS + Stream().op(name, argument).ops("TUPLE1 REDUCE STOP").data


def codes(document: Document) -> list[str]:
    return [problem.code for part in document.walk() for problem in part.problems]


def test_a_pickle_in_bytes_keeps_its_offsets() -> None:
    document = opened(stream("SHORT_BINBYTES", HIDDEN))
    assert inside(document) == [("bytes argument", "pickle", 18)]
    child = document.children[0]
    assert child.parent == 0
    assert child.held == (0, 2)
    assert child.pickles[0].code.source.to_outer(2) == 20
    assert child.pickles[0].values.global_name(1) == ("os", "getcwd")


@pytest.mark.parametrize(
    "name", ["SHORT_BINBYTES", "BINBYTES", "BINBYTES8", "BYTEARRAY8", "BINSTRING", "SHORT_BINSTRING"]
)
def test_every_opcode_of_bytes(name: str) -> None:
    start = 18 + {"BINBYTES": 3, "BINBYTES8": 7, "BYTEARRAY8": 7, "BINSTRING": 3}.get(name, 0)
    assert inside(opened(stream(name, HIDDEN))) == [("bytes argument", "pickle", start)]


@pytest.mark.parametrize(
    ("name", "argument", "how"),
    [
        ("BINUNICODE", "cos\ngetcwd\n)R.", "text argument"),
        ("SHORT_BINUNICODE", "\x80\x02cos\ngetcwd\n)R.", "text argument, latin-1"),
        ("UNICODE", "gAJjb3MKZ2V0Y3dkCilSLg==", "text argument, base64"),
        ("UNICODE", "cos\\u000agetcwd\\u000a)R.", "text argument"),
        ("STRING", "'gAJjb3MKZ2V0Y3dkCilSLg=='", "bytes argument, base64"),
        ("STRING", "'\\x80\\x02cos\\ngetcwd\\n)R.'", "bytes argument"),
        ("BINUNICODE", "8002636f730a6765746377640a29522e", "text argument, hex"),
        ("BINUNICODE", "  gAJjb3MK\r\nZ2V0Y3dk\r\nCilSLg", "text argument, base64"),
        ("SHORT_BINBYTES", b"Y29zCmdldGN3ZAopUi4=", "bytes argument, base64"),
        ("SHORT_BINBYTES", b"gAJjb3MK?Z2V0Y3!dkCilSLg==", "bytes argument, base64"),
    ],
)
def test_texts(name: str, argument: bytes | str, how: str) -> None:
    found = inside(opened(stream(name, argument)))
    assert [row[:2] for row in found] == [(how, "pickle")]
    is_plain = how == "text argument" and "\\" not in str(argument)
    assert (found[0][2] is not None) == is_plain


@pytest.mark.parametrize(
    ("raw", "meant"),
    [
        (b"\\x80\\x02cos", b"\x80\x02cos"),
        (b"ab\\", b"ab"),
        (b"ab\\x4", b"ab"),
        (b"ab\\\\", b"ab\\"),
        (b"\\q\\777", b"\\q\xff"),
    ],
)
def test_first_bytes_of_a_string_whose_beginning_is_read(raw: bytes, meant: bytes) -> None:
    assert candidates.first_meant(candidates.STRING, raw) == meant


def test_nothing_behind_a_string_is_taken_for_a_part_of_it() -> None:
    behind = b"\\q\\777" * 20
    data = b"(S'\\x80\\x02N.'\nU" + bytes([len(behind)]) + behind + b"l."
    assert inside(opened(data)) == [("bytes argument", "pickle", None)]


def test_bytes_of_old_protocols_are_bytes() -> None:
    """Below protocol 3 Python 3 writes bytes as a text and a call that makes bytes of it."""
    for protocol in range(3):
        document = opened(Pickler(protocol).dumps({"x": HIDDEN}))
        assert inside(document) == [("bytes argument", "pickle", None)]
        held = document.children[0].held
        assert held is not None
        assert document.pickles[0].values.call_name(held.value) == ("_codecs", "encode")


@pytest.mark.parametrize("layer", sorted(LAYERS))
def test_each_layer_in_each_form(layer: str) -> None:
    for form in range(len(LAYERS[layer])):
        document = opened(stream("BINBYTES", wrapped(HIDDEN, [layer], form)))
        assert inside(document) == [(f"bytes argument, {layer}", "pickle", None)]
        assert document.children[0].source.read(0, 99) == HIDDEN


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(sorted(LAYERS)), max_size=4),
    st.integers(0, 3),
    st.integers(0, 5),
    st.integers(0, 5),
    st.lists(st.one_of(st.integers(-(2**40), 2**40), st.text(), st.none(), st.floats(allow_nan=False)), max_size=5),
)
def test_random_pickles_in_random_layers(
    layers: list[str], form: int, inner: int, outer: int, values: list[object]
) -> None:
    data = Pickler(inner).dumps({"held": values})
    document = opened(Pickler(outer).dumps({"a": [1, wrapped(data, layers, form), "b"]}))
    assert [row[0] for row in inside(document)] == [", ".join(["bytes argument", *layers])]
    assert document.children[0].source.read(0, len(data) + 1) == data


def test_other_files() -> None:
    array = npy(bytes(12), (3,))
    checkpoint = legacy(storage("float32", [1, 2, 3, 4]))
    document = opened(Pickler(4).dumps([array, zlib.compress(checkpoint)]))
    assert [(part.how, part.format) for part in document.walk() if part.held is not None] == [
        ("bytes argument", "npy"),
        ("bytes argument, zlib", "torch-legacy"),
    ]
    assert document.children[0].tensors[0].shape == (3,)


@pytest.mark.parametrize(
    "data",
    [
        HIDDEN[:-1] + b"\xff",
        HIDDEN + b"more behind its end",
        HIDDEN[2:] + b"more behind its end",
        b"(cos\ngetcwd\no.",
        b"\x8c\x02os\x8c\x06getcwd\x93)R.",
        b"I1\n0cos\ngetcwd\n)R.",
        b"(dp0\n.",
        b"\x80\x04N.",
    ],
)
def test_evidence_that_is_enough(data: bytes) -> None:
    assert [row[:2] for row in inside(opened(stream("SHORT_BINBYTES", data)))] == [("bytes argument", "pickle")]


@pytest.mark.parametrize(
    "data",
    [
        *(b"N.", b".", b"Max.", b"Gradients.", b").", b"].", b"K\x01.", b"conv1.weight", b"Note.", b"(see above)."),
        *(
            b"class Net(nn.Module):\n    def forward(self, x):\n        return x.\n",
            b"gAJ",
            b"80",
            b"8002",
            b"\x80\x02",
        ),
        *(b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x00", b"x\x9c" + bytes(64), zlib.compress(b"some text. " * 9)),
        *(base64.b64encode(b"Some words that are no pickle."), b"d41d8cd98f00b204e9800998ecf8427e", b"running_mean"),
        *(
            bytes(4096),
            bytes(range(256)) * 4,
            b"I'm fine.",
            b"Vector\nof words.",
            b"In\n1985.",
            b"t0.",
            b"PK\x03\x04" + bytes(90),
        ),
    ],
)
def test_nothing_is_taken_for_a_file_that_is_none(data: bytes) -> None:
    assert inside(opened(stream("BINBYTES", data))) == []


def test_random_bytes_are_no_files() -> None:
    maker = random.Random(7)
    held = [maker.randbytes(maker.randrange(200)) for _ in range(20_000)]
    held += [bytes([0x80, maker.randrange(2, 6)]) + maker.randbytes(maker.randrange(40)) for _ in range(2_000)]
    assert inside(opened(Pickler(3).dumps(held))) == []


def test_nothing_in_ordinary_files(shared: Path) -> None:
    for path in sorted((shared / "corpus").iterdir()):
        if path.is_file() and path.suffix != ".md":
            document = open_document(path)
            assert inside(document) == [], path.name
            document.close()


class Faulty(MemorySource):
    """A file whose byte `at` the device cannot read."""

    def __init__(self, data: bytes, at: int) -> None:
        super().__init__(data)
        self.at = at

    def read(self, offset: int, length: int) -> bytes:
        if offset <= self.at < offset + length:
            raise SourceError("file-unreadable", path="x", reason="Input/output error")
        return super().read(offset, length)

    peek = read


def test_a_file_inside_that_cannot_be_read_stops_nothing_else() -> None:
    writer = ZipWriter()
    for name, content in (("filler", bytes(9_000_000)), ("data.pkl", b"\x80\x02]."), ("behind", bytes(9_000_000))):
        writer.add(f"a/{name}", content)
    data = Pickler(3).dumps({"x": writer.finish(), "hidden": HIDDEN})
    document = open_document(Faulty(data, data.index(b"a/data.pkl")))
    assert [(problem.code, problem.params) for problem in document.problems] == [
        ("held-unreadable", {"reason": "Input/output error"})
    ]
    assert [child.source.read(0, 99) for child in document.children] == [HIDDEN]


# -- bounds ------------------------------------------------------------------------------------------


def test_depth_is_bounded_and_said() -> None:
    data = HIDDEN
    for _ in range(12):
        data = stream("BINBYTES", data)
    document = opened(data)
    assert len(inside(document)) == 8
    assert codes(document).count("held-depth") == 1


def test_number_of_documents_is_bounded_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MOST_DOCUMENTS", 3)
    document = opened(Pickler(4).dumps([Pickler(4).dumps({"number": [number]}) for number in range(4)]))
    assert len(inside(document)) == 2
    assert [(problem.code, problem.params) for problem in document.problems] == [
        ("held-more", {"count": 1, "limit": 3}),
        ("held-more", {"count": 1, "limit": 3}),
    ]


def test_layers_are_bounded_and_said() -> None:
    data = wrapped(HIDDEN, ["zlib"] * 9)
    document = opened(stream("BINBYTES", data))
    assert inside(document) == []
    assert codes(document) == ["held-layers"]


def test_number_is_bounded_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "MOST_OPENED", 5)
    document = opened(Pickler(4).dumps([Pickler(4).dumps({"number": [number]}) for number in range(9)]))
    assert len(inside(document)) == 5
    told = [problem for problem in document.problems if problem.code == "held-more"]
    assert [problem.params for problem in told] == [{"count": 4, "limit": 5}]


def test_a_bomb_is_bounded_and_said() -> None:
    bomb = wrapped(b"\x80\x04]\x94(" + b"N" * 4_000_000 + b"e.", ["gzip"])
    document = opened(Pickler(4).dumps([bomb] * 3 + [bomb + b"\0"]), Options(most_unpacked=1_000_000))
    assert inside(document) == []
    assert set(codes(document)) == {"held-limit"}
