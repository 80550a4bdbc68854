"""Each form gives the bytes back to whom it is meant for."""

from __future__ import annotations

import ast
import base64
import math
import re
import shutil
import struct
import subprocess
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from viewer.core.span import Span
from viewer.core.tensors.dtypes import DTYPES
from viewer.session.offsets import parse_target
from viewer.ui.hexview.copy_forms import FORMS, OF_PLACE, Chosen
from viewer.ui.hexview.numbers import LETTERS, Cells

DATA = bytes(range(0, 256, 5)) + b"torch '\"\\"
CHOSEN = Chosen(DATA, Span(21, 21 + len(DATA)), "/models/a b.pth")


def form(name: str, chosen: Chosen = CHOSEN) -> str:
    return FORMS[name][1](chosen)


def test_forms_that_can_be_read_back() -> None:
    assert bytes.fromhex(form("hex")) == bytes.fromhex(form("plain")) == DATA
    assert ast.literal_eval(form("python")) == DATA
    assert ast.literal_eval(f"b'{form('escaped')}'") == DATA
    assert base64.b64decode(form("base64")) == DATA
    assert bytes(int(value, 16) for value in re.findall("0x..", form("c"))) == DATA
    assert f"data[{len(DATA)}]" in form("c")


def test_a_dump_is_that_of_hexdump(tmp_path: Path) -> None:
    path = tmp_path / "bytes.bin"
    data = DATA[:48] + b"ends  "
    path.write_bytes(data)
    lines = form("dump", Chosen(data, Span(0, len(data)), str(path))).splitlines()
    assert lines[0] == "00000000  00 05 0a 0f 14 19 1e 23  28 2d 32 37 3c 41 46 4b  |.......#(-27<AFK|"
    assert lines[-1] == f"00000030  65 6e 64 73 20 20 {'|ends  |':>40}"
    tool = shutil.which("hexdump")
    if tool is not None:
        done = subprocess.run([tool, "-C", str(path)], check=True, capture_output=True, text=True)
        assert done.stdout.splitlines()[:-1] == lines


def test_a_dump_begins_in_its_row() -> None:
    first, *rest = form("dump").splitlines()
    assert first.startswith("00000010                 00 05 0a  0f ")
    assert len(rest) == (5 + len(DATA) - 1) // 16


@pytest.mark.parametrize(("dtype", "code"), [("<f4", "<f4"), (">i8", ">i8"), ("<c16", "<c16"), ("", "|u1")])
def test_the_numpy_call_reads_the_elements(tmp_path: Path, dtype: str, code: str) -> None:
    values = np.arange(6).astype(code)
    path = tmp_path / "values.bin"
    path.write_bytes(b"head" + values.tobytes() + bytes(values.nbytes))
    chosen = Chosen(values.tobytes(), Span(4, 4 + values.nbytes), str(path), dtype)
    tree = ast.parse(form("numpy", chosen), mode="eval").body
    assert isinstance(tree, ast.Call)
    arguments = {word.arg: ast.literal_eval(word.value) for word in tree.keywords}
    assert np.fromfile(ast.literal_eval(tree.args[0]), **arguments).tolist() == values.tolist()
    assert form("torch", chosen) == f"torch.from_numpy({form('numpy', chosen)})"


def test_a_link_leads_back() -> None:
    target = parse_target(form("link"))
    assert (target.path, target.span) == (Path(CHOSEN.path), CHOSEN.span)
    one = Chosen(b"a", Span(6699, 6700), "x.pt")
    assert form("link", one) == "x.pt#0x1A2B"
    two = Chosen(b"ab", Span(6699, 6701), "x.pt")
    assert form("link", two) == "x.pt#0x1A2B+2"


def test_nothing_is_copied_as_nothing() -> None:
    for name, (_, make) in FORMS.items():
        text = make(Chosen(b"", Span(5, 5), "x"))
        assert name in OF_PLACE | {"c", "python"} or text == ""


@pytest.mark.parametrize("dtype", ["<f4", ">i8", "<c16", "<f2", "|b1", "|i1", ""])
def test_the_struct_call_unpacks_the_elements(dtype: str) -> None:
    values = np.arange(6).astype(dtype or "|u1")
    data = values.tobytes()
    for more in (b"", b"\0"):
        call = form("struct", Chosen(data + more, Span(4, 4 + len(data)), "a.bin", dtype))
        unpacked = eval(call, {"struct": struct})
        wanted = values.view(values.real.dtype).tolist() if values.dtype.kind == "c" else values.tolist()
        assert list(unpacked)[: len(wanted)] == wanted


def test_offsets_are_told_with_their_end() -> None:
    assert form("offset", Chosen(b"", Span(0x1A2B, 0x1A2C), "a.bin")) == "0x1A2B"
    assert form("offset", Chosen(b"", Span(0x1A2B, 0x1A6B), "a.bin")) == "0x1A2B-0x1A6B"


def test_numbers_are_those_of_the_cells() -> None:
    data = struct.pack("<4f", 0.1, -2.5, math.nan, math.inf) + b"\x01"
    assert form("numbers", Chosen(data, Span(3, 20), "x", cells=Cells("float32"))) == "[0.1, -2.5, nan, inf]"
    assert form("numbers", Chosen(b"\x01\xff", Span(0, 2), "x")) == "[1, 255]"
    assert form("numbers", Chosen(b"\x01\xff", Span(0, 2), "x", cells=Cells("int16"))) == "[-255]"
    assert form("numbers", Chosen(b"\x01\xff", Span(0, 2), "x", cells=Cells("uint16", big=True))) == "[511]"
    assert form("numbers", Chosen(b"\x3f\x80", Span(0, 2), "x", cells=Cells("bfloat16", big=True))) == "[1.0]"
    assert form("numbers", Chosen(b"\x38\x7f", Span(0, 2), "x", cells=Cells("float8_e4m3fn"))) == "[1.0, nan]"


@pytest.mark.parametrize("name", LETTERS)
@given(data=st.binary(min_size=16, max_size=16))
def test_copied_numbers_give_the_bytes_back(name: str, data: bytes) -> None:
    kind = DTYPES[name].numpy
    assert kind is not None
    texts = form("numbers", Chosen(data, Span(0, 16), "x", cells=Cells(name)))[1:-1].split(", ")
    read = [float(text) if "float" in name else int(text) for text in texts]
    with np.errstate(all="ignore"):
        values = np.frombuffer(data, kind)
        again = np.array(read, np.float64).astype(kind) if "float" in name else np.array(read, kind)
        # A signalling NaN says so when it is widened.
        same = (again == values) | (np.isnan(again.astype(np.float64)) & np.isnan(values.astype(np.float64)))
    assert same.all()
