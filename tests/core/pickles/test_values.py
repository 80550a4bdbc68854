"""Our values against Python's own unpickler with inert classes, for random objects of all protocols."""

import collections
import datetime as dt
import fractions
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.pickles.inert import ours, plain_of_ours, plain_of_theirs, theirs
from viewer.core.pickles.values import Kind

atoms = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=300)
    | st.binary(max_size=300)
    | st.sampled_from([2**31, -(2**31) - 1, 255, 256, 65535, 65536, 2**2100])
)
hashable = st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.binary(max_size=5)


def _objects(children):
    return (
        st.lists(children, max_size=6)
        | st.lists(children, max_size=4).map(tuple)
        | st.dictionaries(hashable, children, max_size=5)
        | st.sets(hashable, max_size=5)
        | st.frozensets(hashable, max_size=5)
        | st.dictionaries(st.text(max_size=4), children, max_size=4).map(collections.OrderedDict)
        | children.map(lambda inner: [inner, inner])
        | st.just(fractions.Fraction(1, 3))
        | st.just(dt.date(2020, 2, 29))
        | st.just(bytearray(b"abc"))
        | st.just(collections.deque([1, 2], maxlen=3))
    )


objects = st.recursive(atoms, _objects, max_leaves=40)


@settings(max_examples=300, deadline=None)
@given(objects, st.integers(0, 5))
def test_random_objects_read_as_python_reads_them(thing, protocol):
    data = pickle.dumps(thing, protocol)
    disassembly, values = ours(data)
    assert disassembly.complete
    assert disassembly.stop == len(data)
    assert plain_of_ours(values, values.root) == plain_of_theirs(theirs(data))


@pytest.mark.parametrize("protocol", range(6))
def test_long_containers_cross_batches_and_windows(protocol):
    thing = {"list": list(range(5000)), "texts": [f"text {number}" for number in range(30000)]}
    data = pickle.dumps(thing, protocol)
    disassembly, values = ours(data)
    (_, numbers), (_, texts) = values.pairs(values.root)
    assert [values.integer(item) for item in values.items(numbers)] == list(range(5000))
    assert [values.text(item) for item in values.items(texts)][29990:] == [f"text {n}" for n in range(29990, 30000)]
    assert disassembly.protocol == protocol


@pytest.mark.parametrize("protocol", range(6))
def test_cycles_and_sharing_are_one_value(protocol):
    inner = [1]
    thing = {"a": inner, "b": inner}
    thing["self"] = thing
    _, values = ours(pickle.dumps(thing, protocol))
    found = {values.text(key): value for key, value in values.pairs(values.root)}
    assert found["a"] == found["b"] != found["self"] == values.root


def test_a_tuple_that_holds_itself():
    thing = ([],)
    thing[0].append(thing)
    for protocol in range(6):
        _, values = ours(pickle.dumps(thing, protocol))
        (inner,) = values.items(values.root)
        assert values.kind(inner) is Kind.LIST
        assert values.items(inner) == [values.root]


def test_content_that_arrives_through_the_memo():
    # A list is stored, put in a tuple, then appended to through the memo.
    data = b"\x80\x02]q\x00\x85q\x01h\x00K\x05a0."
    _, values = ours(data)
    (inner,) = values.items(values.root)
    assert [values.integer(item) for item in values.items(inner)] == [5]
    assert plain_of_ours(values, values.root) == plain_of_theirs(theirs(data))


STREAMS = {
    "INST": b"(S'a'\nI1\nicollections\nOrderedDict\nq\x00.",
    "OBJ": b"(cfractions\nFraction\nK\x01K\x02o.",
    "NEWOBJ_EX": b"\x80\x04c__main__\nThing\nK\x01\x85}\x8c\x01kK\x02s\x92.",
    "DUP": b"]2K\x01a\x86.",
    "POP_MARK": b"K\x01(K\x02K\x031.",
    "POP of a mark": b"K\x01(0.",
    "PERSID": b"Pabc\n.",
    "BINPERSID": b"K\x07Q.",
    "hexadecimal INT": b"I0x10\n.",
    "octal LONG": b"L0o17\n.",
    "LONG with L": b"L-12345678901234567890L\n.",
    "UTF-8 GLOBAL": "c\u00fcmod\nn\u00e4me\n.".encode(),
    "STRING escapes": b"S'a\\x41\\n\\'\\\\'\n.",
    "UNICODE escapes": b"V\\u00fc\\U0001f600\xe9\n.",
    "BINSTRING": b"T\x03\x00\x00\x00\xe9ab.",
    "surrogate": b"X\x03\x00\x00\x00\xed\xa0\x80.",
    "MEMOIZE after BINPUT": b"\x80\x04K\x01q\x05K\x02\x94K\x03\x94h\x01h\x02\x86.",
    "PUT again": b"K\x01q\x00K\x02q\x00h\x00\x87.",
    "text PUT of a big index": b"K\x01p99999999999999999999\ng99999999999999999999\n\x86.",
    "state twice": b"cx\ny\n)\x81}b}b.",
    "set and frozenset": b"\x80\x04\x8f(K\x01K\x02\x90(K\x03\x91\x86.",
    "leftovers": b"K\x01K\x02.",
}


@pytest.mark.parametrize("name", STREAMS)
def test_single_opcodes_as_python_reads_them(name):
    data = STREAMS[name]
    disassembly, values = ours(data)
    assert disassembly.complete
    assert plain_of_ours(values, values.root) == plain_of_theirs(theirs(data))


def test_stack_global_from_the_memo_and_by_computing():
    _, values = ours(b"\x80\x04\x8c\x02os\x94\x8c\x06getcwd\x940h\x00h\x01\x93)R.")
    assert values.call_name(values.root) == ("os", "getcwd")
    _, values = ours(b"\x80\x04\x8c\x02oscx\ny\n)R\x93.")
    assert values.kind(values.root) is Kind.GLOBAL
    assert values.global_name(values.root) is None


def test_python2_strings_have_an_encoding():
    _, values = ours(b"U\x02\xc3\xa9.")
    assert values.text(values.root) == "\u00e9"
    assert values.text(values.root, "latin-1") == "\u00c3\u00a9"
    _, values = ours(b"U\x01\xe9.")
    assert values.text(values.root) == "\u00e9"


def test_opcodes_of_a_value_cover_its_later_content():
    data = b"\x80\x02ccollections\nOrderedDict\nq\x00)Rq\x01(X\x01\x00\x00\x00aK\x01u}X\x01\x00\x00\x00bK\x02sb."
    _, values = ours(data)
    span = values.span(values.root)
    assert (span.start, span.stop) == (2, len(data) - 1)
    ((key, _),) = values.pairs(values.root)
    assert values.code.span(*values.opcodes(key)).length == 6


def test_a_bomb_of_shared_references_is_decoded_at_once():
    stream = b"\x80\x02]q\x00" + b"".join(
        b"]q" + bytes([level]) + b"(" + b"h" * 0 + (b"h" + bytes([level - 1])) * 10 + b"e" for level in range(1, 13)
    )
    disassembly, values = ours(stream + b".")
    assert disassembly.complete
    assert len(values.items(values.root)) == 10


def test_deep_nesting_does_not_recurse():
    _, values = ours(b"(" * 50000 + b"t" * 50000 + b".")
    depth, value = 0, values.root
    while items := values.items(value):
        (value,) = items
        depth += 1
    assert depth == 49999


@pytest.mark.parametrize(
    ("stream", "held"),
    [
        (b"].", False),
        (b"(l.", False),
        (b"(K\x01l.", True),
        (b"]K\x01a.", True),
        (b"}.", False),
        (b").", False),
        (b"K\x01\x85.", True),
    ],
)
def test_containers_tell_whether_they_hold_something(stream, held):
    _, values = ours(stream)
    assert values.has_items(values.root) is held
