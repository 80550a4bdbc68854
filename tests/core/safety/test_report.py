"""The import report: ratings by what is done, all uses with their bytes, short texts."""

from __future__ import annotations

import pytest

from tests.builders.pickles import Stream
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global
from tests.opened import opened
from tests.steps import lines_run
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.safety.report import Finding, import_report, sorted_findings
from viewer.core.safety.rules import Severity
from viewer.core.safety.uses import UseKind
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.wording.blockers import ANSWERS, BLOCKERS, SHORT
from viewer.wording.imports import IMPORT_REASONS, LEGEND, REPORT, SEVERITIES, USES
from viewer.wording.torch_answers import AGREEMENT, TORCH_ANSWERS


def values(stream: Stream) -> Values:
    return Values(disassemble(MemorySource(stream.data)))


def findings(*streams: Stream) -> list[Finding]:
    return import_report(values(stream) for stream in streams)


def codes(finding: Finding) -> list[str]:
    return [reason.code for reason in finding.reasons]


def of_file(value: object) -> dict[str, Finding]:
    document = opened(torch_zip(value))
    return {found.text: found for found in import_report(pickle.values for pickle in document.pickles)}


def test_uses_with_their_bytes() -> None:
    stream = Stream().start().op("GLOBAL", "os getcwd").op("BINPUT", 0).ops("EMPTY_TUPLE REDUCE POP")
    stream.op("BINGET", 0).ops("EMPTY_TUPLE REDUCE").op("BINGET", 0).ops("TUPLE2 STOP")
    (found,) = findings(stream)
    assert (found.severity, found.row.count, found.accepted) == (Severity.DANGEROUS, 3, False)
    assert [(use.kind, use.span, use.dropped) for use in found.uses(10)] == [
        (UseKind.NAMED, Span(2, 13), None),
        (UseKind.CALLED, Span(2, 17), True),
        (UseKind.CALLED, Span(18, 22), False),
        (UseKind.AGAIN, Span(22, 24), None),
    ]
    assert len(found.uses(2)) == 2
    assert found.count() == 4


def test_the_text_of_a_call_is_its_arguments() -> None:
    stream = Stream().start().op("GLOBAL", "posix system").text("mkdir x").ops("TUPLE1 REDUCE POP NONE STOP")
    (found,) = findings(stream)
    assert found.called_with() == ["('mkdir x')"]
    assert [use.dropped for use in found.uses(9) if use.kind is UseKind.CALLED] == [True]


@pytest.mark.parametrize(
    ("after", "dropped"),
    [
        ("POP NONE STOP", True),
        ("STOP", False),
        ("NONE STOP", True),
        ("TUPLE1 STOP", False),
        ("TUPLE1 POP NONE STOP", False),
        ("NONE BUILD POP NONE STOP", True),
        ("NONE TUPLE2", False),
    ],
)
def test_results_that_are_dropped(after: str, dropped: bool) -> None:
    stream = Stream().start().op("GLOBAL", "m f").ops("EMPTY_TUPLE REDUCE").ops(after)
    (found,) = findings(stream)
    assert [use.dropped for use in found.uses(9) if use.kind is UseKind.CALLED] == [dropped]


def test_a_mark_drops_what_stands_above_it() -> None:
    stream = Stream().start().op("MARK").op("GLOBAL", "m f").ops("EMPTY_TUPLE REDUCE POP_MARK NONE STOP")
    assert [use.dropped for use in findings(stream)[0].uses(9)] == [None, True]


def test_a_result_that_the_memo_gives_back_is_kept() -> None:
    stream = Stream().start().op("GLOBAL", "m f").ops("EMPTY_TUPLE REDUCE").op("BINPUT", 1).op("POP").op("BINGET", 1)
    assert [use.dropped for use in findings(stream.op("STOP"))[0].uses(9)] == [None, False]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("BUILD", "BUILD {'x': 1}"),
        ("SETITEM", "SETITEM ['x'] = 1"),
        ("APPEND", "APPEND 1"),
    ],
)
def test_changes_of_a_global_are_said_as_what_they_are(change: str, text: str) -> None:
    stream = Stream().start().op("GLOBAL", "collections OrderedDict")
    if change == "BUILD":
        stream.op("EMPTY_DICT").text("x").op("BININT1", 1).ops("SETITEM BUILD STOP")
    elif change == "SETITEM":
        stream.text("x").op("BININT1", 1).ops("SETITEM STOP")
    else:
        stream.op("BININT1", 1).ops("APPEND STOP")
    (found,) = findings(stream)
    assert codes(found) == ["changes-global", "accepted"]
    assert found.reasons[0].params == {"opcode": change}
    assert found.called_with() == [text]
    assert (found.row.called, found.accepted) == (False, True)


@pytest.mark.parametrize(
    ("change", "given", "text"),
    [
        ("SETITEMS", "NONE NEWTRUE NEWFALSE EMPTY_LIST", "SETITEMS [None] = True, [False] = []"),
        ("APPENDS", "NONE NEWTRUE", "APPENDS None, True"),
        ("ADDITEMS", "NONE NEWTRUE", "ADDITEMS None, True"),
    ],
)
def test_changes_by_several_things_at_once(change: str, given: str, text: str) -> None:
    stream = Stream(4).op("PROTO", 4).op("GLOBAL", "collections OrderedDict").op("MARK").ops(given)
    (found,) = findings(stream.ops(f"{change} STOP"))
    assert found.reasons[0].params == {"opcode": change}
    assert (found.severity, found.called_with()) == (Severity.DANGEROUS, [text])
    assert [use.kind for use in found.uses(9)] == [UseKind.NAMED, UseKind.CHANGED]


def test_a_change_by_way_of_the_memo() -> None:
    stream = Stream(2).start().op("GLOBAL", "nets Net").op("BINPUT", 0).op("POP").op("BINGET", 0)
    (found,) = findings(stream.ops("EMPTY_DICT BUILD STOP"))
    assert codes(found) == ["changes-global", "unlisted"]


def test_no_sentence_calls_anything_safe() -> None:
    every = [*IMPORT_REASONS.values(), *REPORT.values(), LEGEND, *SEVERITIES.values(), *USES.values()]
    every += [*BLOCKERS.values(), *SHORT.values(), *ANSWERS.values(), *TORCH_ANSWERS.values(), *AGREEMENT.values()]
    assert [sentence for sentence in every if "safe" in sentence.lower()] == []


def test_an_object_that_inst_makes_is_not_its_class() -> None:
    stream = Stream(0).op("MARK").op("INST", "nets Net").op("PUT", 0).op("MARK").op("DICT").op("BUILD")
    (found,) = findings(stream.op("GET", 0).op("STOP"))
    assert codes(found) == ["unlisted"]
    assert [use.kind for use in found.uses(9)] == [UseKind.CALLED, UseKind.NAMED]


def test_computed_names_are_an_expression() -> None:
    stream = Stream(4).start().op("GLOBAL", "builtins str").text("os").ops("TUPLE1 REDUCE").text("getcwd")
    builtin, computed = findings(stream.ops("STACK_GLOBAL EMPTY_TUPLE REDUCE STOP"))
    assert (builtin.text, builtin.severity) == ("str", Severity.KNOWN)
    assert computed.text == "getattr(import_module(str('os')), 'getcwd')"
    assert codes(computed) == ["computed-name"]
    assert (computed.row.name, computed.row.called, computed.accepted) == ("getcwd", True, False)


def test_extension_codes() -> None:
    stream = Stream(2).start().op("EXT1", 5).ops("EMPTY_TUPLE REDUCE").op("EXT2", 300).ops("TUPLE2 STOP")
    first, second = findings(stream)
    assert (first.text, first.severity, first.row.called) == ("extension(5)", Severity.UNKNOWN, True)
    assert (second.text, codes(second), second.row.called) == ("extension(300)", ["extension-code"], False)
    assert not first.accepted


def test_a_call_of_what_a_getter_gave() -> None:
    stream = Stream().start().op("GLOBAL", "operator getitem").op("GLOBAL", "numpy __builtins__").text("eval")
    stream.ops("TUPLE2 REDUCE").text("1+1").ops("TUPLE1 REDUCE STOP")
    getter, hidden = findings(stream)
    assert codes(getter) == ["getter-called", "getter"]
    assert getter.called_with()[0] == "operator.getitem(numpy.__builtins__, 'eval')('1+1')"
    assert codes(hidden) == ["hidden-name"]
    assert hidden.reasons[0].params == {"name": "__builtins__"}


def test_getattr_is_rated_by_what_it_takes() -> None:
    def taken(module: str, name: str, attribute: str) -> list[str]:
        stream = Stream().start().op("GLOBAL", "__builtin__ getattr").op("GLOBAL", f"{module} {name}")
        return codes(findings(stream.text(attribute).ops("TUPLE2 REDUCE STOP"))[0])

    assert taken("nets", "Outer", "Inner") == ["getattr"]
    assert taken("nets", "Outer", "__globals__") == ["getattr-reach"]
    assert taken("torch.serialization", "os", "system") == ["getattr-reach"]


def test_getattr_that_is_given_away_is_dangerous() -> None:
    stream = Stream().start().op("GLOBAL", "builtins map").op("GLOBAL", "builtins getattr").ops("NONE TUPLE2 REDUCE")
    rated = {found.text: codes(found) for found in findings(stream.op("STOP"))}
    assert rated["getattr"] == ["listed"]


def test_partial_is_rated_by_its_function() -> None:
    def kept(*function: str) -> list[str]:
        return codes(of_file({"f": Call(Global("functools", "partial"), (Global(*function),))})["functools.partial"])

    assert kept("torch.nn.modules.normalization", "LayerNorm") == ["partial"]
    assert kept("nets", "make") == ["partial"]
    assert kept("posix", "system") == ["partial-reach"]


def test_a_state_can_change_the_function_of_partial() -> None:
    stream = Stream().start().op("GLOBAL", "functools partial").op("GLOBAL", "nets make").ops("TUPLE1 REDUCE MARK")
    stream.op("GLOBAL", "os system").ops("EMPTY_TUPLE NONE NONE TUPLE BUILD STOP")
    assert codes(findings(stream)[0]) == ["partial-reach", "partial"]


def test_words_in_texts_are_no_imports() -> None:
    assert set(of_file({"os.system.weight": 1, "note": "rm -rf /; __import__('os')"})) == set()


def test_the_worst_stands_first() -> None:
    stream = Stream().start().op("GLOBAL", "builtins set").op("GLOBAL", "nets Net").op("GLOBAL", "os system")
    found = sorted_findings(findings(stream.ops("TUPLE3 STOP")))
    assert [each.severity for each in found] == [Severity.DANGEROUS, Severity.UNKNOWN, Severity.KNOWN]


def test_one_row_a_name_over_all_pickles() -> None:
    named = Stream().start().op("GLOBAL", "m f").op("STOP")
    called = Stream().start().op("GLOBAL", "m f").ops("EMPTY_TUPLE REDUCE STOP")
    (found,) = findings(named, called)
    assert [(use.pickle, use.kind) for use in found.uses(9)] == [
        (0, UseKind.NAMED),
        (1, UseKind.NAMED),
        (1, UseKind.CALLED),
    ]


def test_what_stands_before_a_break_counts() -> None:
    stream = Stream().start().op("GLOBAL", "os getcwd").ops("EMPTY_TUPLE REDUCE").raw(b"\xff")
    (found,) = findings(stream)
    assert [(use.kind, use.dropped) for use in found.uses(9)] == [(UseKind.NAMED, None), (UseKind.CALLED, False)]


def test_chains_of_calls_and_nested_arguments_stay_short() -> None:
    def looked(calls: int) -> None:
        stream = Stream().start().op("GLOBAL", "operator getitem")
        for _ in range(calls):
            stream.ops("EMPTY_TUPLE REDUCE")
        (found,) = findings(stream.op("STOP"))
        assert all(len(text) <= 200 for text in found.called_with())
        assert found.count(UseKind.CALLED) == 1

    assert lines_run(lambda: looked(20_000)) < 3 * lines_run(lambda: looked(10_000))
