"""Sources of classes that legacy streams bring."""

from __future__ import annotations

import pytest

from tests.builders.legacy import build, legacy
from tests.builders.pickles import Stream
from tests.builders.torch_values import ModuleClass, module
from tests.builders.values import Call, Global, Instance, Persistent, dumps
from tests.core.objects.streams import values_of
from tests.opened import opened
from viewer.core.code.embedded import embedded_sources, instances
from viewer.core.span import Span

TEXT = "class Net(nn.Module):\r\n    '''żółw'''\n    pass\n"


def test_name_file_text_and_its_own_bytes() -> None:
    net = ModuleClass("nets", "Net", "/home/user/nets.py", TEXT)
    data = build([module(net), module(net)]).data
    document = opened(data)
    (source,) = document.sources
    assert (source.name, source.file, source.text) == ("nets.Net", "/home/user/nets.py", TEXT)
    assert source.span is not None
    assert data[source.span.start : source.span.stop] == TEXT.encode()
    assert len(instances(document.pickles[3].values, source)) == 2


def test_a_class_without_its_source() -> None:
    values = values_of(dumps(Instance(Persistent(("module", Global("nets", "Net"), None, None)))))
    (source,) = embedded_sources(values)
    assert (source.name, source.file, source.text, source.span) == ("nets.Net", None, None, None)


def test_a_file_without_text() -> None:
    values = values_of(dumps(Instance(Persistent(("module", Global("nets", "Net"), "/nets.py", None)))))
    (source,) = embedded_sources(values)
    assert (source.file, source.text) == ("/nets.py", None)


def test_a_nested_class() -> None:
    inner = Call(Global("builtins", "getattr"), (Global("nets", "Outer"), "Inner"))
    values = values_of(dumps(Instance(Persistent(("module", inner, "/nets.py", "class Inner: pass")))))
    (source,) = embedded_sources(values)
    assert source.name == "nets.Outer.Inner"
    assert len(instances(values, source)) == 1


def test_texts_of_python_2() -> None:
    stream = Stream(2).start().op("MARK").op("SHORT_BINSTRING", "module").op("GLOBAL", "nets Net")
    stream.op("SHORT_BINSTRING", "/nets.py").op("SHORT_BINSTRING", "# żółw".encode())
    values = values_of(stream.ops("TUPLE BINPERSID STOP").data)
    (source,) = embedded_sources(values, 3, encoding="utf-8")
    assert (source.text, source.value) == ("# żółw", (3, values.root))


def test_where_the_stream_lies_in_the_document_is_told_by_the_caller() -> None:
    values = values_of(dumps(Instance(Persistent(("module", Global("nets", "Net"), "f", "text")))))
    (moved,) = embedded_sources(values, 0, lambda span: span.shifted(1000))
    (own,) = embedded_sources(values)
    (inflated,) = embedded_sources(values, 0, lambda span: None)
    assert own.span is not None
    assert moved.span == Span(own.span.start + 1000, own.span.stop + 1000)
    assert inflated.span is None
    assert inflated.text == "text"


def test_other_persistent_ids_are_no_source() -> None:
    for identity in ("text", ("module",), ("storage", Global("torch", "FloatStorage"), "0", "cpu", 1), (1, 2, 3, 4)):
        assert embedded_sources(values_of(dumps(Persistent(identity)))) == []
    assert embedded_sources(values_of(Stream(0).op("PERSID", "module").op("STOP").data)) == []


@pytest.mark.parametrize(
    ("cls", "halves"),
    [
        (Global("zoo.blocks", "Stem"), ("zoo.blocks", "Stem")),
        (Global("__builtin__", "dict"), ("builtins", "dict")),
        (Global("copy_reg", "Net"), ("copyreg", "Net")),
        (Call(Global("__builtin__", "getattr"), (Global("zoo", "A"), "B")), ("zoo", "A.B")),
        (
            Call(
                Global("__builtin__", "getattr"),
                (Call(Global("__builtin__", "getattr"), (Global("z.y", "A"), "B")), "C"),
            ),
            ("z.y", "A.B.C"),
        ),
        (Call(Global("__builtin__", "getattr"), (Global("zoo", "A"), 3)), ("", "")),
        (Call(Global("zoo", "make")), ("", "")),
        (3, ("", "")),
    ],
)
def test_module_and_class_are_told_apart(cls: object, halves: tuple[str, str]) -> None:
    (source,) = embedded_sources(values_of(dumps(Persistent(("module", cls, "/zoo.py", "class A: pass")))))
    assert (source.module, source.qualname) == halves
    assert source.text == "class A: pass"


def test_a_dotted_name_of_protocol_4_is_a_class_within_a_class() -> None:
    values = values_of(dumps(Persistent(("module", Global("zoo.y", "A.B"), "/zoo.py", "class B: pass")), 4))
    (source,) = embedded_sources(values)
    assert (source.name, source.module, source.qualname) == ("zoo.y.A.B", "zoo.y", "A.B")


def test_a_computed_class_has_a_text_and_no_name() -> None:
    stream = Stream(4).start().op("MARK").op("SHORT_BINUNICODE", "module").op("NONE").op("SHORT_BINUNICODE", "Net")
    stream.op("STACK_GLOBAL").op("SHORT_BINUNICODE", "/zoo.py").op("SHORT_BINUNICODE", "class Net: pass")
    (source,) = embedded_sources(values_of(stream.ops("TUPLE BINPERSID STOP").data))
    assert (source.name, source.module, source.qualname, source.text) == (
        "<computed>",
        "",
        "<computed>",
        "class Net: pass",
    )


def test_paths_and_texts_of_any_letters_are_as_stored() -> None:
    file, text = "C:\\Users\\Żółw\\сеть\\zoo.py", "class Net:\r\n\t'模型 \ud83d\ude42 🙂'\x0c\n\ud800"
    data = legacy(module(ModuleClass("zoo", "Net", file, text)))
    (source,) = opened(data).sources
    assert (source.file, source.text) == (file, text)
    assert source.span is not None
    assert data[source.span.start : source.span.stop] == text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("protocol", [1, 2, 4])
def test_all_protocols_of_that_time(protocol: int) -> None:
    text = "class Net:\n    'żółw\\n'\n"
    (source,) = opened(legacy(module(ModuleClass("zoo", "Net", "/zoo.py", text)), protocol)).sources
    assert (source.name, source.module, source.text) == ("zoo.Net", "zoo", text)


@pytest.mark.parametrize(
    ("encoding", "text"), [("utf-8", "# ż"), ("latin-1", "# \u00c5\u00bc"), ("ascii", "# \u00c5\u00bc")]
)
def test_a_byte_string_of_python_2_is_read_as_the_person_said(encoding: str, text: str) -> None:
    stream = Stream(2).start().op("MARK").op("SHORT_BINSTRING", "module").op("GLOBAL", "zoo Net")
    stream.op("SHORT_BINSTRING", b"C:\\\xbf.py").op("SHORT_BINSTRING", b"# \xc5\xbc")
    (source,) = embedded_sources(values_of(stream.ops("TUPLE BINPERSID STOP").data), encoding=encoding)
    assert (source.file, source.text) == ("C:\\\u00bf.py", text)
