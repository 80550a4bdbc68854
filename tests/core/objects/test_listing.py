"""The lines of listings, word by word."""

from __future__ import annotations

import ast
import collections
import pickle

import pytest

from tests.core.objects.streams import values_of
from tests.shared import shared_folder
from viewer.core.objects.listing import Listing, make_listing

TRICKS = {
    "03_memo_get": ["from os import getcwd", "result = os.getcwd()"],
    "06_computed_names": [
        "from builtins import str",
        "v1 = str('os')",
        "from builtins import str",
        "v2 = getattr(import_module(v1), str('getcwd'))",
        "result = v2()",
    ],
    "07_inst": [
        "v1 = os.getcwd()  # imported by INST; of a class without __getinitargs__ only __new__ is called",
        "result = v1",
    ],
    "09_reduce_pop": ["from os import getcwd", "os.getcwd()", "result = {}"],
    "10_nested_pickle_bytes": [
        "from _pickle import loads",
        r"result = _pickle.loads(b'\x80\x02cos\ngetcwd\n)R.')",
    ],
    "16_dotted_name": [
        "import_module('torch.serialization').os.getcwd",
        "result = import_module('torch.serialization').os.getcwd()",
    ],
    "20_build_on_module_class": [
        "from collections import OrderedDict",
        "build(collections.OrderedDict, {'x': 1})",
        "result = collections.OrderedDict",
    ],
    "21_dup_keys": ["result = {'weight': 1, 'weight': 2}"],
    "29_setitem_into_global": [
        "from collections import OrderedDict",
        "collections.OrderedDict['k'] = 'v'",
        "result = collections.OrderedDict",
    ],
    "30_persid_text": ["result = persistent_load('storage0')"],
    "32_newobj_ex_kwargs": [
        "from collections import OrderedDict",
        "result = collections.OrderedDict.__new__(collections.OrderedDict, **{'a': 1})",
    ],
    "38_global_space": [
        "getattr(import_module('os path'), 'getcwd')",
        "result = getattr(import_module('os path'), 'getcwd')",
    ],
}


def listing_of(data: bytes) -> Listing:
    return make_listing(values_of(data))


def lines_of(data: bytes) -> list[str]:
    listing = listing_of(data)
    return [listing.text(line) for line in range(len(listing))]


@pytest.mark.parametrize("name", TRICKS)
def test_streams_that_mislead_are_said_as_they_are(name: str) -> None:
    path = shared_folder() / "tricks" / f"{name}.pkl"
    if not path.is_file():
        pytest.skip("the shared folder is not here")
    assert lines_of(path.read_bytes()) == TRICKS[name]


def test_a_bomb_is_as_long_as_its_stream() -> None:
    path = shared_folder() / "tricks" / "26_billion_laughs.pkl"
    if not path.is_file():
        pytest.skip("the shared folder is not here")
    found = lines_of(path.read_bytes())
    assert found[0] == "v1 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"
    assert found[11] == "v12 = [v11, v11, v11, v11, v11, v11, v11, v11, v11, v11]"
    assert found[12:] == ["result = v12"]


def test_a_value_that_holds_itself() -> None:
    made: list[object] = [1]
    made.append(made)
    assert lines_of(pickle.dumps(made, 2)) == ["v1 = []", "v1.extend([1, v1])", "result = v1"]
    table: dict[object, object] = {}
    table["me"] = (table, 5)
    assert lines_of(pickle.dumps(table, 4)) == ["v1 = {}", "v1['me'] = (v1, 5)", "result = v1"]


def test_shared_values_are_variables_and_others_are_not() -> None:
    shared = [1]
    assert lines_of(pickle.dumps([shared, {"a": shared}, (2, [3])], 2)) == [
        "v1 = []",
        "v2 = [1]",
        "v1.extend([v2, {'a': v2}, (2, [3])])",
        "result = v1",
    ]


def test_a_state_dict() -> None:
    # OrderedDict, two tensors, its metadata by BUILD, as torch.save writes it
    stream = (
        b"\x80\x02ccollections\nOrderedDict\nq\x00)Rq\x01(X\x06\x00\x00\x00weightq\x02ctorch._utils\n_rebuild_tensor_v2\n"
        b"q\x03((X\x07\x00\x00\x00storageq\x04ctorch\nFloatStorage\nq\x05X\x01\x00\x00\x000q\x06X\x03\x00\x00\x00cpuq\x07"
        b"K\x06tq\x08QK\x00K\x02K\x03\x86q\tK\x03K\x01\x86q\n\x89h\x00)Rq\x0btq\x0cRq\rX\x04\x00\x00\x00biasq\x0eh\x03(("
        b"h\x04h\x05X\x01\x00\x00\x001q\x0fh\x07K\x02tq\x10QK\x00K\x02\x85q\x11K\x01\x85q\x12\x89h\x00)Rq\x13tq\x14Rq\x15u"
        b"}q\x16X\t\x00\x00\x00_metadataq\x17h\x00)Rq\x18sb."
    )
    tensor, rest = "torch._utils._rebuild_tensor_v2(persistent_load(", "False, collections.OrderedDict()"
    assert lines_of(stream) == [
        "from collections import OrderedDict",
        "v1 = collections.OrderedDict()",
        "from torch._utils import _rebuild_tensor_v2",
        "from torch import FloatStorage",
        f"v1['weight'] = {tensor}('storage', torch.FloatStorage, '0', 'cpu', 6)), 0, (2, 3), (3, 1), {rest})",
        f"v1['bias'] = {tensor}('storage', torch.FloatStorage, '1', 'cpu', 2)), 0, (2,), (1,), {rest})",
        "build(v1, {'_metadata': collections.OrderedDict()})",
        "result = v1",
    ]


def test_a_module_with_a_child() -> None:
    stream = (
        b"\x80\x02cnets\nNet\nq\x00)\x81q\x01}q\x02(X\x08\x00\x00\x00trainingq\x03\x88X\x08\x00\x00\x00_modulesq\x04"
        b"ccollections\nOrderedDict\nq\x05)Rq\x06X\x03\x00\x00\x00fc1q\x07ctorch.nn.modules.linear\nLinear\nq\x08)\x81q\t}q\n"
        b"(h\x03\x88X\x0b\x00\x00\x00in_featuresq\x0bK\x04ubsub."
    )
    assert lines_of(stream) == [
        "from nets import Net",
        "v1 = nets.Net.__new__(nets.Net)",
        "v2 = {}",
        "v2['training'] = True",
        "from collections import OrderedDict",
        "v3 = collections.OrderedDict()",
        "from torch.nn.modules.linear import Linear",
        "v4 = torch.nn.modules.linear.Linear.__new__(torch.nn.modules.linear.Linear)",
        "build(v4, {'training': True, 'in_features': 4})",
        "v3['fc1'] = v4",
        "v2['_modules'] = v3",
        "build(v1, v2)",
        "result = v1",
    ]


def test_calls_that_wait_for_an_import_come_before_it() -> None:
    # (f(), g()) with g imported between: f is called first
    found = lines_of(b"\x80\x02ca\nf\n)Rcb\ng\n)R\x86.")
    assert found == ["from a import f", "v1 = a.f()", "from b import g", "result = (v1, b.g())"]


def test_calls_among_items_of_what_is_unknown_come_before_the_items() -> None:
    # an object gets two entries by one SETITEMS: both calls are done before either entry is set
    stream = b"\x80\x02ca\nF\nq\x00)R(K\x01h\x00)RK\x02h\x00)Ru."
    assert lines_of(stream) == [
        "from a import F",
        "v1 = a.F()",
        "v2 = a.F()",
        "v3 = a.F()",
        "v1[1] = v2",
        "v1[2] = v3",
        "result = v1",
    ]


def test_long_values_are_written_over_several_lines() -> None:
    found = lines_of(pickle.dumps({"numbers": list(range(40)), "after": 1}, 4))
    assert found[:3] == [
        "v1 = {}",
        "v1['numbers'] = [",
        "    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,",
    ]
    assert found[-3:] == ["]", "v1['after'] = 1", "result = v1"]
    assert ast.literal_eval("".join(found[1:-2]).partition(" = ")[2]) == list(range(40))


@pytest.mark.parametrize(
    ("stream", "line"),
    [
        (b"cos; print\nx\n.", r"getattr(import_module('os; print'), 'x')"),
        (b"cos\nsystem('x')#\n.", r"""getattr(import_module('os'), "system('x')#")"""),
        (b"cv1\nappend\n.", "getattr(import_module('v1'), 'append')"),
        (b"cresult\nx\n.", "getattr(import_module('result'), 'x')"),
        (b"cprint\nx\n.", "getattr(import_module('print'), 'x')"),
        (b"cbuiltins\npersistent_load\n.", "from builtins import persistent_load"),
        (b"cos\nclass\n.", "getattr(import_module('os'), 'class')"),
        (b"c\n\n.", "getattr(import_module(''), '')"),
        ("c\u043es\nsystem\n.".encode(), r"getattr(import_module('\u043es'), 'system')"),
        ("cos\nsys\u202etem\n.".encode(), r"getattr(import_module('os'), 'sys\u202etem')"),
    ],
)
def test_names_never_look_like_other_code(stream: bytes, line: str) -> None:
    assert lines_of(stream)[0] == line


def test_a_name_of_no_python_module_is_bare_only_where_it_is_a_builtin() -> None:
    assert lines_of(b"cbuiltins\nv1\n.")[-1] == "result = builtins.v1"
    assert lines_of(b"cbuiltins\nlen\n.")[-1] == "result = len"


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("a\u202eb\x00\n\ud800", r"result = 'a\u202eb\x00\n\ud800'"),
        ("x" * 3000, f"result = cut('{'x' * 80}', bytes=3000)"),
        (b"\xff" * 300, "result = cut(b'" + r"\xff" * 80 + "', bytes=300)"),
        (1 << 4000, "result = cut(0x10000000000000000, bytes=501)"),
        (float("-inf"), "result = float('-inf')"),
        (bytearray(b"ab"), "result = bytearray(b'ab')"),
        (frozenset(), "result = frozenset()"),
        ({7}, "result = {7}"),
    ],
)
def test_atoms_are_escaped_and_cut(value: object, line: str) -> None:
    assert lines_of(pickle.dumps(value, 5))[-1] == line


def test_python_2_names_are_said_as_python_3_has_them() -> None:
    assert lines_of(b"\x80\x02c__builtin__\nset\n]\x85R.") == [
        "from builtins import set  # written as '__builtin__.set'",
        "result = set([])",
    ]


def test_what_comes_from_outside_the_pickle() -> None:
    assert lines_of(b"\x80\x05\x97\x98.") == ["v1 = next_buffer()", "v1 = readonly(v1)", "result = v1"]
    assert lines_of(b"\x80\x02\x82\x07)R.") == ["result = extension(7)()"]


def test_a_broken_stream_is_listed_up_to_the_break() -> None:
    assert lines_of(b"\x80\x02cos\ngetcwd\n)R(K\x01") == [
        "from os import getcwd",
        "os.getcwd()",
        "# the stream breaks here, at offset 0x12",
    ]


def test_lines_know_their_opcodes_and_opcodes_their_lines() -> None:
    # PROTO, GLOBAL, EMPTY_TUPLE, REDUCE, POP, EMPTY_DICT, MARK, 'a', 1, SETITEMS, STOP
    listing = listing_of(b"\x80\x02cos\ngetcwd\n)R0}(X\x01\x00\x00\x00aK\x01u.")
    assert [listing.opcodes(line) for line in range(len(listing))] == [(1, 1), (1, 3), (5, 10)]
    assert [listing.line_of(opcode) for opcode in range(11)] == [0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2]


def test_items_of_a_long_value_know_their_line() -> None:
    listing = listing_of(pickle.dumps(list(range(100)), 4))
    values = listing.values
    for line in range(1, len(listing) - 1):
        first, last = listing.opcodes(line)
        assert listing.text(line).strip().startswith(f"{values.plain(first)},")
        assert listing.line_of(first) == listing.line_of(last) == line
    assert listing.line_of(len(values.code) - 1) == len(listing) - 1


@pytest.mark.parametrize(
    "stream",
    [
        b"\x80\x02" + b"]" * 100_000 + b"a" * 99_999 + b".",
        b"\x80\x02)" + b"\x85" * 100_000 + b".",
        b"\x80\x02)" + b"\x85q\x01" * 100_000 + b".",
        b"\x80\x02]q\x00" + b"(h\x00h\x00e" * 30_000 + b".",
        b"\x80\x02}q\x00" + b"h\x00h\x00s" * 30_000 + b".",
    ],
)
def test_deep_and_long_streams_have_lines_of_bounded_length(stream: bytes) -> None:
    listing = listing_of(stream)
    assert len(listing) <= len(listing.values.code) + 1
    for line in (0, len(listing) // 2, len(listing) - 2, len(listing) - 1):
        assert len(listing.text(line)) < 400


def test_an_ordered_dict_is_filled_as_its_entries_come() -> None:
    value = collections.OrderedDict([("a", 1), ("b", complex(1, 2))])
    assert lines_of(pickle.dumps(value, 4)) == [
        "from collections import OrderedDict",
        "v1 = collections.OrderedDict()",
        "v1['a'] = 1",
        "from builtins import complex",
        "v1['b'] = complex(1.0, 2.0)",
        "result = v1",
    ]


def test_a_class_of_obj_without_arguments_may_get_no_init():
    words = "# by OBJ; of a class without __getinitargs__ only __new__ is called"
    assert lines_of(b"(cx\ny\no.")[-1] == f"result = x.y()  {words}"
    assert lines_of(b"(cx\ny\nK\x01o.")[-1] == "result = x.y(1)"
    assert lines_of(b"(K\x01ix\ny\n.")[0] == "v1 = x.y(1)  # imported by INST"
