"""Would torch.load load a file: both answers, with all that stops it and where."""

from __future__ import annotations

import pytest

from tests.builders.legacy import legacy
from tests.builders.pickles import Stream
from tests.builders.torch_values import ModuleClass, full, module, parameter, state_dict
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Global, Instance
from tests.opened import opened
from viewer.core.document import Document
from viewer.core.summary.answer_rows import answer_lines, answer_row
from viewer.core.summary.answers import Answer, Loads
from viewer.core.summary.blockers import Blocker
from viewer.core.summary.prediction import predict
from viewer.core.summary.weights_only import find_refusals
from viewer.wording.blockers import ANSWERS, BLOCKERS, SHORT


def both(document: Document) -> list[tuple[Loads, list[str]]]:
    return [(answer.loads, [one.code for one in answer.blockers]) for answer in predict(document).answers]


def tensor(device: str = "cpu") -> object:
    return full("float32", (1,), [1], device)


def test_a_state_dict_loads_both_ways() -> None:
    assert both(opened(torch_zip(state_dict({"a": tensor()})))) == [(Loads.YES, []), (Loads.YES, [])]


def test_a_whole_module_needs_its_class() -> None:
    document = opened(torch_zip({"net": module(ModuleClass("nets", "Net"), {}, {"w": parameter(tensor())})}))
    first, second = predict(document).answers
    assert (first.loads, second.loads) == (Loads.NO, Loads.DEPENDS)
    assert [(one.text, one.count) for one in first.blockers] == [("a name that is not on its list: nets.Net", 1)]
    assert [one.text for one in second.blockers] == ["stops where this cannot be imported: nets.Net"]
    assert {one.opcode for one in (*first.blockers, *second.blockers)} == {document.pickles[0].values.globals()[0]}


def test_all_stands_there_at_once_in_the_order_of_the_stream() -> None:
    stream = Stream(2).start().op("GLOBAL", "b B").op("LONG4", 5).op("GLOBAL", "a A").op("GLOBAL", "b B")
    stream.ops("EMPTY_LIST NONE NONE SETITEM EMPTY_DICT EMPTY_DICT BUILD").text("x").ops("EMPTY_TUPLE REDUCE STOP")
    values = opened(stream.data).pickles[0].values
    assert [(one.text, one.opcode, one.count) for one in find_refusals(values).blockers] == [
        ("a name that is not on its list: b.B", 1, 2),
        ("an opcode that its reader does not know: LONG4", 2, 1),
        ("a name that is not on its list: a.A", 3, 1),
        ("SETITEM fills list: its reader fills plain dicts and lists only", 8, 1),
        ("a state is given to dict, which its reader does for few classes only", 11, 1),
        ("a call of what is no name: 'x'", 14, 1),
    ]


@pytest.mark.parametrize(
    ("location", "loads"), [("cpu", Loads.YES), ("meta", Loads.YES), ("cuda:3", Loads.DEPENDS), ("gpu", Loads.DEPENDS)]
)
def test_devices(location: str, loads: Loads) -> None:
    assert [answer for answer, _ in both(opened(torch_zip({"a": tensor(location)})))] == [loads, loads]


def test_source_beside_a_class_is_refused_by_one_way_only() -> None:
    found = both(opened(legacy(module(ModuleClass("nets", "Net", "nets.py", "class Net: pass\n"), {}, {}))))
    assert found == [(Loads.NO, ["name", "stored"]), (Loads.DEPENDS, ["class-missing"])]


def test_strings_of_python_2_stop_both() -> None:
    body = b"\x80\x02}q\x00U\x01\xffK\x01s."
    found = both(opened(legacy({}).replace(b"\x80\x02}q\x00.", body, 1)))
    assert found == [(Loads.NO, ["strings-latin"]), (Loads.NO, ["strings-latin"])]


def test_the_other_pickles_of_a_legacy_stream_count() -> None:
    """In protocol 1 the magic number alone stops the reader."""
    first, second = predict(opened(legacy({"a": 1}, protocol=1))).answers
    assert (first.blockers[0].pickle, first.blockers[0].params) == (0, {"name": "LONG"})
    assert second.loads is Loads.YES


def test_what_is_no_checkpoint() -> None:
    assert both(opened(b"text of some kind\n" * 20)) == [(Loads.NO, ["not-torch"]), (Loads.NO, ["not-torch"])]


def test_a_tar_checkpoint() -> None:
    document = opened(legacy({"a": tensor()}))
    document.format = "torch-tar"
    assert both(document) == [(Loads.NO, ["tar"]), (Loads.YES, [])]


def test_lines_and_rows() -> None:
    document = opened(torch_zip([Instance(Global("app", f"A{number}"), (), {}) for number in range(4)]))
    answer = predict(document).answers[0]
    assert list(answer_lines(document, answer, 2)) == [
        "torch.load(weights_only=True) does not load it:",
        "  a name that is not on its list: app.A0  record archive/data.pkl, 0x46 (70)",
        "  a name that is not on its list: app.A1  record archive/data.pkl, 0x58 (88)",
        "  and 2 more",
    ]
    assert answer_row(document, answer)["blockers"][1] == {
        "code": "name",
        "text": "a name that is not on its list: app.A1",
        "count": 1,
        "document": 0,
        "record": "archive/data.pkl",
        "offset": 88,
    }


def test_offsets_of_unpacked_records_say_so() -> None:
    document = opened(torch_zip([Instance(Global("app", "A"), (), {})], deflated=True))
    answer = predict(document).answers[0]
    (line,) = list(answer_lines(document, answer, 2))[1:]
    assert line.endswith("record archive/data.pkl, 0x5 (5) of the unpacked bytes")
    assert answer_row(document, answer)["blockers"][0]["offset"] is None


def test_every_answer_and_blocker_has_words() -> None:
    for loads in Loads:
        assert {str(loads), f"{loads}-running"} <= ANSWERS.keys()
    params = {"name": "a", "opcode": "b"}
    assert all("{" not in Blocker(code, params).text for code in BLOCKERS)
    assert SHORT.keys() <= BLOCKERS.keys()
    assert Answer(True).loads is Loads.YES
