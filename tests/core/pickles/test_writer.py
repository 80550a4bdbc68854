"""What the writer of pickles writes, held against CPython's pickler byte for byte."""

from __future__ import annotations

import pickle
from collections import OrderedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.torch_values import REBUILD_V2, Storage
from tests.builders.torch_values import tensor as built_tensor
from tests.builders.torch_zip import ZipPickler
from viewer.core.errors import CancelledError
from viewer.core.pickles.writer import ORDERED_DICT, Call, Global, Persistent, PickleWriter
from viewer.core.progress import Progress

ATOMS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text()
    | st.complex_numbers(allow_nan=False)
)
VALUES = st.recursive(
    ATOMS | st.binary(min_size=1) | st.builds(bytearray, st.binary(min_size=1)) | st.sets(st.integers()),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inner)
        | st.dictionaries(st.text(), inner).map(OrderedDict)
    ),
)

METADATA = (
    b"}q\x02X\x09\x00\x00\x00_metadataq\x03h\x00)Rq\x04X\x00\x00\x00\x00q\x05"
    b"}q\x06X\x07\x00\x00\x00versionq\x07K\x01sssb."
)


def dumps(value: object) -> bytes:
    return PickleWriter().dumps(value, Progress())


@given(VALUES)
def test_plain_values_come_back(value: object) -> None:
    assert pickle.loads(dumps(value)) == value


@pytest.mark.parametrize("size", [0, 1, 2, 1000, 1001, 1002, 2500])
def test_batches_are_those_of_cpython(size: int) -> None:
    numbers = list(range(size))
    pairs = [(number, -number) for number in numbers]
    value = [numbers, tuple(numbers), dict(pairs), OrderedDict(pairs)]
    assert dumps(value) == pickle.dumps(value, 2)


def test_every_size_of_int_and_text_is_written_as_cpython_does() -> None:
    value = [0, 255, 256, 65535, 65536, 2**31 - 1, 2**31, -1, -(2**31), -(2**31) - 1, -128, 2**2000, "", "é", "a" * 300]
    assert dumps(value) == pickle.dumps(value, 2)


def test_a_memo_beyond_256_slots() -> None:
    texts = [f"text {number}" for number in range(300)]
    value = [texts, texts[10], texts[299], texts]
    assert dumps(value) == pickle.dumps(value, 2)


def test_sharing_is_kept() -> None:
    shared = [1, 2]
    first, second, third = pickle.loads(dumps([shared, (shared,), OrderedDict(a=shared)]))
    assert first is second[0]
    assert first is third["a"]


def test_attributes_of_an_ordered_dict_follow_by_build() -> None:
    value: OrderedDict[str, object] = OrderedDict()
    vars(value)["_metadata"] = OrderedDict({"": {"version": 1}})
    assert dumps(value) == pickle.dumps(OrderedDict(), 2)[:-1] + METADATA
    assert vars(pickle.loads(dumps(value))) == {"_metadata": OrderedDict({"": {"version": 1}})}


def test_empty_bytes_are_written_so_that_weights_only_accepts_them() -> None:
    assert b"_codecs\nencode" in dumps(b"")
    assert pickle.loads(dumps(b"")) == b""


def test_a_tensor_is_written_as_torch_does() -> None:
    storage = Storage("float32", b"\0" * 24)
    expected = ZipPickler().dumps(built_tensor(storage, (2, 3)))
    identity = ("storage", Global("torch", "FloatStorage"), "0", "cpu", 6)
    arguments = (Persistent(identity), 0, (2, 3), (3, 1), False, Call(ORDERED_DICT))
    assert dumps(Call(Global(REBUILD_V2.module, REBUILD_V2.name), arguments)) == expected


def test_equal_names_are_written_once() -> None:
    data = dumps([Global("torch", "float16"), Global("torch", "float16")])
    assert data == b"\x80\x02]q\x00(ctorch\nfloat16\nq\x01h\x01e."


def test_depth_is_no_limit() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    assert dumps(value).endswith(b"]r\xa0\x86\x01\x00" + b"a" * 100_000 + b".")


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(TypeError, match="no way to write a range"):
        dumps([range(3)])
    with pytest.raises(ValueError, match="an int of 256 bytes"):
        dumps(2**2040)


def test_a_tuple_that_holds_itself_is_refused() -> None:
    inner: list[object] = []
    inner.append((inner,))
    assert pickle.loads(dumps(inner))[0][0] is not None
    outer = inner[0]
    with pytest.raises(ValueError, match="a tuple that holds itself"):
        dumps(outer)


def test_writing_can_be_stopped() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        PickleWriter().dumps([1], progress)
