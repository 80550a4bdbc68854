"""joblib's arrays between the opcodes: that the work grows with the stream, whatever its wrappers say."""

from __future__ import annotations

import pytest

from tests.core.counted import Counted
from viewer.core.pickles.disassembly import disassemble


def text(data: bytes) -> bytes:
    return b"\x8c" + bytes([len(data)]) + data


def head(size: int, dtype: bytes) -> bytes:
    """The class of the wrapper in the memo's slot 0, the state of each in slot 1, and something in slot 5."""
    state = (
        text(b"shape") + b"K" + bytes([size]) + b"\x85" + text(b"dtype") + b"cnumpy\ndtype\n" + text(dtype) + b"\x85R"
    )
    return b"\x80\x04cjoblib.numpy_pickle\nNumpyArrayWrapper\nq\x00}(" + state + b"uq\x01Nq\x05"


@pytest.mark.parametrize(
    ("first", "each", "gaps"),
    [
        (head(0, b"f4"), b"h\x00)\x81h\x01b0", 2000),
        (head(1, b"O8"), b"h\x00)\x81h\x01bN.0", 2000),
    ],
)
def test_many_small_arrays(first: bytes, each: bytes, gaps: int) -> None:
    source = Counted(first + each * 2000 + b".")
    code = disassemble(source, arrays=True)
    assert code.complete
    assert len(code.gaps) == gaps
    assert source.count < 2000 * 70_000


def test_windows_behind_small_arrays_are_small() -> None:
    source = Counted(head(0, b"f4") + b"h\x00)\x81h\x01b0" * 2000 + b".")
    disassemble(source, arrays=True)
    assert source.count < 2000 * 600 + 100_000


@pytest.mark.parametrize("broken", [b"h\x0500", b"00"])
def test_an_array_of_objects_whose_pickle_is_broken_is_the_last(broken: bytes) -> None:
    """The same bytes are sound opcodes for the stream around it: they could be begun anew without end."""
    data = head(1, b"O8") + b"N" + b"h\x00)\x81h\x01b" + (broken + b"h\x00)\x81h\x01b") * 2000 + b"0."
    source = Counted(data)
    assert len(disassemble(source, arrays=True).gaps) == 1
    assert source.count < 20 * len(data)
