"""Everything that a file holds is found: by what it is, where it stands, in all documents of the file."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.builders.pickles import Stream
from tests.builders.safetensors import entry, safetensors
from tests.builders.sets import shard, write_set
from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, dumps
from tests.core.search.looking import looked, marked, texts
from tests.opened import opened
from tests.shared import ROOT
from viewer.core.errors import CancelledError
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.search import base, search
from viewer.core.search.base import Look
from viewer.core.search.wanted import wanted
from viewer.core.source import FileSource, MemorySource
from viewer.core.span import Span
from viewer.core.tensors.tensor import ValueRef

SAMPLES = ROOT / "resources" / "samples"


@pytest.fixture(scope="module")
def legacy():
    document = open_document(FileSource(SAMPLES / "whole_model_legacy.pth"))
    yield document
    document.close()


def test_a_word_in_names_keys_source_and_globals(legacy):
    found, _ = looked(legacy, "stem")
    assert [hit.text for hit in found["global"]] == ["zoo.blocks.Stem"]
    lines = [(hit.place, hit.line, hit.text) for hit in found["source"]]
    assert ("__main__.TheModelClass", 9, "self.conv = Stem(1, width)") in lines
    assert all(marked(hit).lower() == "stem" for hits in found.values() for hit in hits)


def test_tensors_by_name_with_their_place(legacy):
    found, _ = looked(legacy, "blocks.1.conv.bias")
    assert [(hit.kind, hit.tensor) for hit in found["name"]] == [("name", 5)]
    assert legacy.tensors[5].name == "blocks.1.conv.bias"


def test_the_text_of_a_source_is_found_by_its_lines_only(legacy):
    found = texts(legacy, "keeps the strongest")
    assert found == {
        "source": ['"""First layer: a wide convolution, then a pool that keeps the strongest of 4 x 4."""']
    }


def test_globals_of_protocol_2_are_found_by_both_names():
    document = opened(dumps({"a": Call(Global("builtins", "set"), ([1],))}, 2))
    assert texts(document, "builtins.set") == {"global": ["__builtin__.set → builtins.set"]}
    assert texts(document, "__builtin__")["global"] == ["__builtin__.set → builtins.set"]


def test_every_float_that_is_no_number_and_both_zeros():
    bits = ["7ff8000000000000", "fff8000000000000", "7ff0000000000001", "ffffffffffffffff", "7ff7474747474747"]
    others = ["7ff0000000000000", "fff0000000000000", "7fe8000000000000", "0000000000000000", "8000000000000000"]
    floats = b"".join(b"G" + bytes.fromhex(one) for one in bits + others)
    # What looks like a float that is none, in a text in front of one.
    document = opened(b"\x80\x02(X\x04\x00\x00\x00aG\x7f\x7f" + floats + b"Fnan\nF-0.0\nt.")

    def places(typed: str) -> list[int]:
        return sorted(hit.opcode.value for hit in looked(document, typed)[0].get("number", []))

    assert places("nan") == [3, 4, 5, 6, 7, 13]
    assert places("inf") == [8]
    assert places("-inf") == [9]
    assert places("0.0") == places("-0.0") == [11, 12, 14]


def test_keys_texts_and_numbers_of_a_pickle():
    document = opened(dumps({"lr": 0.5, "name": "lr of the run", "steps": [7, 700, 70000, -7, 2**70], 7: "x"}, 2))
    found, _ = looked(document, "lr")
    assert [hit.text for hit in found["key"]] == ["lr"]
    assert [hit.text for hit in found["text"]] == ["lr of the run"]
    for typed, shown in (("0.5", "0.5"), ("5e-1", "0.5"), ("700", "700"), ("0x2BC", "700"), ("70000", "70000")):
        assert texts(document, typed)["number"] == [shown]
    assert texts(document, "-7")["number"] == ["-7"]
    assert texts(document, str(2**70))["number"] == [str(2**70)]
    assert len(texts(document, "7")["number"]) == 2
    assert "number" not in texts(document, "7.0")


def test_a_text_of_protocol_4_that_names_a_global_is_found_as_the_global():
    document = opened(dumps({"k": Global("zoo", "Lion"), "Lion": 1}, 4))
    assert texts(document, "Lion") == {"global": ["zoo.Lion"]}
    assert texts(document, "^Lion$", expression=True) == {"text": ["Lion"]}


def test_escaped_texts_of_protocol_0_are_read():
    stream = Stream().op("MARK").op("UNICODE", "a\\u05d0b").op("STRING", "'caf\\xc3\\xa9'").op("LIST").op("STOP")
    document = opened(stream.data)
    assert texts(document, "café") == {"text": ["café"]}
    assert texts(document, "אb") == {"text": ["aאb"]}


def test_texts_of_python_2_in_their_encoding():
    stream = Stream(2).start().op("MARK").op("SHORT_BINSTRING", "größe".encode("latin-1")).op("LIST").op("STOP")
    document = opened(stream.data)
    assert texts(document, "größe", encoding="latin-1") == {"text": ["größe"]}
    assert texts(document, "GRÖßE", encoding="latin-1") == {}
    assert texts(document, "grö", encoding="utf-8") == {"text": ["größe"]}


def test_lone_surrogates_and_right_to_left():
    document = opened(dumps(["bad \udc80 text", "key שלום end"], 2))
    found, _ = looked(document, "\udc80")
    assert [hit.text for hit in found["text"]] == ["bad \\udc80 text"]
    assert marked(found["text"][0]) == "\\udc80"
    assert texts(document, "שלום") == {"text": ["key שלום end"]}


def test_a_long_text_is_shown_round_what_was_found():
    document = opened(dumps(["ä" * 300_000 + "needle" + "ö" * 1000], 2))
    found, _ = looked(document, "needle")
    (hit,) = found["text"]
    assert marked(hit) == "needle"
    assert hit.text.startswith("…ä")
    assert hit.text.endswith("ö…")
    assert len(hit.text) < 400
    assert hit.opcode is not None


def test_letters_that_lie_across_two_blocks_are_found_once():
    filler = "x" * (base.BLOCK - 12)
    document = opened(dumps([filler, "across-the-border", "needle"], 2))
    assert texts(document, "across-the-border") == {"text": ["across-the-border"]}
    assert texts(document, "needle") == {"text": ["needle"]}


def test_what_stands_in_an_array_of_bytes_is_no_text():
    document = opened(dumps([b"needle in bytes"], 4))
    assert texts(document, "needle") == {}


def test_opcodes_by_name():
    document = opened(dumps({"a": [1, 2], "b": []}, 2))
    assert texts(document, "setitems")["opcode"] == ["SETITEMS"]
    assert set(texts(document, "EMPTY")["opcode"]) == {"EMPTY_DICT", "EMPTY_LIST"}
    assert "opcode" not in texts(document, "empty")


def test_records_of_an_archive_and_problems():
    data = torch_zip(state_dict({"w": full("float32", (2,), [1, 2])}))
    found, _ = looked(opened(data), "data/0")
    assert [hit.text for hit in found["record"]] == ["archive/data/0"]
    cut = opened(data[: len(data) - 200])
    found, _ = looked(cut, "zip-")
    assert found["problem"]
    assert all("zip-" in hit.text for hit in found["problem"])


def test_texts_of_a_header():
    header = {"__metadata__": {"license": "apache"}, "w": entry("F32", [1], 0, 4)}
    document = opened(safetensors(header, bytes(4)))
    assert texts(document, "license") == {"key": ["license"]}
    found, _ = looked(document, "apache")
    assert [(hit.text, hit.place) for hit in found["text"]] == [("apache", "license")]


def test_a_file_inside_the_file():
    document = opened(gzip.compress(dumps({"inside": 1}, 2)))
    found, _ = looked(document, "inside")
    assert [(hit.document, hit.text) for hit in found["key"]] == [(1, "inside")]


def test_an_offset_comes_first_and_a_name_behind_an_at(legacy):
    look = Look(wanted("0x1F4"), Progress(), offset=500, here=(0, ""))
    first = next(search(list(legacy.walk()), look))
    assert (first.kind, first.hits[0].text, first.hits[0].span) == ("go-to", "0x1F4", Span(500, 501))
    found, _ = looked(legacy, "@fc.weight")
    assert [(hit.text, hit.tensor) for hit in found["go-to"]] == [
        ("fc.weight", next(t.index for t in legacy.tensors if t.name == "fc.weight"))
    ]


def test_a_set_gives_the_tensors_of_the_whole_model(tmp_path):
    files = {
        "a.safetensors": shard({"layers.0.weight": ([2], [1, 2])}, {"format": "pt"}),
        "b.safetensors": shard({"layers.1.weight": ([1], [3])}),
    }
    path = write_set(tmp_path, files, {"layers.0.weight": "a.safetensors", "layers.1.weight": "b.safetensors"})
    document = open_document(FileSource(path))
    found, _ = looked(document, "layers")
    assert [(hit.text, hit.document) for hit in found["name"]] == [("layers.0.weight", 0), ("layers.1.weight", 0)]
    found, _ = looked(document, "b.safe")
    assert [(hit.text, hit.member) for hit in found["record"]] == [("b.safetensors", "b.safetensors")]
    assert texts(document, "format")["key"] == ["format"]
    document.close()


def test_names_of_an_index_that_are_written_in_escapes(tmp_path):
    files = {"a.safetensors": shard({"grö": ([1], [1]), "b": ([1], [2])})}
    path = write_set(tmp_path, files, {"grö": "a.safetensors", "b": "a.safetensors"})
    assert b"\\u00f6" in path.read_bytes()
    document = open_document(FileSource(path))
    assert texts(document, "GRÖ".lower())["name"] == ["grö"]
    assert json.loads(path.read_bytes())["weight_map"]["grö"] == "a.safetensors"
    document.close()


def test_more_than_are_kept_are_counted(monkeypatch):
    monkeypatch.setattr(base, "MOST", 3)
    document = opened(dumps([f"text {number}" for number in range(10)], 2))
    found, look = looked(document, "text")
    assert [hit.text for hit in found["text"]] == ["text 0", "text 1", "text 2"]
    assert look.counts == {"text": 10}


def test_an_expression_says_that_it_looked_at_the_first_letters_only():
    document = opened(dumps(["a" * 5000 + "b", "b"], 2))
    found, look = looked(document, "b$", expression=True)
    assert [hit.opcode for hit in found["text"]] == [ValueRef(0, 6)]
    assert look.cut
    _, look = looked(document, "b")
    assert not look.cut


def test_a_search_can_be_stopped():
    document = opened(dumps(["a"] * 10, 2))
    progress = Progress()
    look = Look(wanted("a"), progress)
    found = search([document], look)
    progress.cancel()
    with pytest.raises(CancelledError):
        next(found)


def test_what_cannot_be_read_does_not_stop_the_rest():
    class Broken(MemorySource):
        failing = False

        def read(self, offset, length):
            from viewer.core.errors import SourceError

            if self.failing:
                raise SourceError("file-unreadable", path="x", reason="gone")
            return super().read(offset, length)

    source = Broken(dumps({"needle": Global("a", "needle")}, 2))
    document = open_document(source)
    source.failing = True
    look = Look(wanted("needle"), Progress())
    list(search([document], look))
    assert look.unread >= 1
