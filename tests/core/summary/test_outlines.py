"""What records say beside the tensors, as rows of Contents and sentences of Summary, also of the files of all times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.programs import NET_CODE, exported, script_id, scripted, torch_package, torch_script
from tests.builders.torch_values import full
from tests.builders.values import Global, Persistent
from tests.core.objects.test_bytecode import METHOD
from tests.core.objects.test_export_graph import program
from tests.opened import opened, regions_tile
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.summary.contents import Contents
from viewer.core.summary.outline_facts import outline_lines
from viewer.core.summary.parts import Say
from viewer.core.tree import ROOT
from viewer.wording import fill


def said(words: Say) -> str:
    return words.text if words.data else fill(words.text, words.params)


def row_of(contents: Contents, *names: str) -> int:
    """The row below the document with these names, one below the other."""
    node = contents.tree.child(ROOT, 0)
    for name in names:
        node = next(child for child in contents.tree.children(node) if said(contents.label(child)) == name)
    return node


def texts(contents: Contents, node: int) -> list[str]:
    return [
        " ".join(said(part) for part in (contents.label(child), *contents.details(child)))
        for child in contents.tree.children(node)
    ]


def lines(document: Document) -> list[str]:
    return [said(line) for line in outline_lines(document)]


def test_a_graph_opens_below_its_record() -> None:
    document = opened(exported({}, {"models/net.json": json.dumps(program()).encode()}))
    contents = Contents(document)
    record = row_of(contents, "models", "net.json")
    assert [said(part) for part in contents.details(record)] == ["graph"]
    assert "inputs items: 1" in texts(contents, record)
    nodes = row_of(contents, "models", "net.json", "nodes")
    assert texts(contents, nodes) == ["add aten.add.Tensor(x, p_w, alpha=2)"] * 2
    assert contents.span(nodes) == contents.span(record)
    span = contents.span(record)
    assert span is not None
    assert contents.node_at_offset(span.start + 5) == record
    assert lines(document)[:3] == [
        "Program of torch.export; nodes: 2, different operators: 1",
        "Inputs: x float32 [s77, 3]",
        "Outputs: add float32 [s77, 3], add float32 [s77, 3]  buffer_mutation running",
    ]
    regions_tile(document)


def test_bytecode_opens_behind_its_object() -> None:
    value = scripted("__torch__", "Net", weight=full("float32", (1,), [5]))
    document = opened(torch_script(value, {"__torch__.py": NET_CODE}, more={"bytecode.pkl": (8, METHOD)}))
    assert document.format == "torch-mobile"
    contents = Contents(document)
    rows = texts(contents, row_of(contents, "bytecode.pkl"))
    assert rows[1:] == ["version of the bytecode 8", "operators items: 2", "methods items: 1"]
    assert lines(document) == ["Bytecode for phones, version 8; methods: 1, operators: 2"]


def test_a_package_says_what_it_takes_from_outside_and_shows_its_texts() -> None:
    records = {
        "res/a.txt": b"hello\n",
        "res/two.txt": "é\nb".encode(),
        "res/b.bin": b"\x00\xff",
        "byteorder": b"little",
    }
    document = opened(torch_package({"m/m.pkl": [full("int8", (1,), [3])]}, records, "torch\nnumpy\n"))
    contents = Contents(document)
    assert texts(contents, row_of(contents, "res")) == ["a.txt text hello", "two.txt text items: 2", "b.bin"]
    assert texts(contents, row_of(contents, "res", "two.txt")) == ["é", "b"]
    assert texts(contents, row_of(contents, ".data", "extern_modules")) == ["torch", "numpy"]
    assert "python_version Python of the writer 3.11.7" in texts(contents, row_of(contents, ".data"))
    assert "pkg/byteorder" not in document.outlines
    assert lines(document) == [
        "Packed by Python 3.11.7",
        "Modules that the package takes from outside: torch, numpy",
    ]


def test_a_text_that_is_cut_within_a_letter() -> None:
    text = "a" * (64 * 1024 - 1) + "é"
    document = opened(torch_package({"m/m.pkl": 1}, {"res/long.txt": text.encode()}))
    assert document.outlines["pkg/res/long.txt"].value == "a" * (64 * 1024 - 1)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("E_export.pt2", "Program of torch.export; nodes: 8, different operators: 5"),
        ("E_export.pt2", "Inputs: x float32 [4, 2]"),
        ("E_export_t222.pt2", "Outputs: add float32 [4, 3]"),
        ("E_aoti.pt2", "Compiled code for cpu, x86_64"),
        ("F_t222_package.pt", "Modules that the package takes from outside: "),
        ("D_lite.ptl", "Bytecode for phones, version 8; methods: 2, operators: 15"),
        ("D_t151_lite.ptl", "Bytecode for phones, without a version; methods: 1, operators: "),
    ],
)
def test_files_of_all_times(shared: Path, name: str, wanted: str) -> None:
    document = open_document(shared / "samples" / name)
    assert any(line.startswith(wanted) for line in lines(document)), lines(document)
    document.source.close()


def test_objects_that_the_package_makes_are_calls() -> None:
    made = Persistent(("reduce_package", 5, Global("nets", "build"), (3, "a")))
    data = torch_package(
        {"m/m.pkl": {"script": script_id("0"), "made": made}}, {".data/ts_code/0/data.pkl": b"\x80\x02N."}
    )
    contents = Contents(opened(data))
    rows = texts(contents, row_of(contents, "m", "m.pkl", "dict"))
    assert rows == [
        "script unpackage_script_module('0') TorchScript module in .data/ts_code/0",
        "made build(3, 'a') made by torch.package",
    ]
