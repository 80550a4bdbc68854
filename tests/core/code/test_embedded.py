"""Sources of classes that legacy streams bring."""

from __future__ import annotations

from tests.builders.legacy import build
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
