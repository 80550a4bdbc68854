"""Each operation of a TorchScript archive leads to the line of the Python file that torch made it from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.with_torch.warm import run_clean
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.summary.originals import Originals, find_originals

pytestmark = pytest.mark.torch
CHILD: Final = Path(__file__).with_name("debug_lines_child.py")
ZOO: Final = Path(__file__).with_name("script_zoo.py")
SCRIPTED: Final = ("div", "mul", "gt", "relu", "sigmoid", "full")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("scripts")
    done = run_clean(CHILD, made)
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture
def opened(request: pytest.FixtureRequest, folder: Path) -> Iterator[Document]:
    document = open_document(folder / request.param)
    yield document
    document.source.close()


def line_of(operation: str) -> int:
    """The line of the file that is marked with the operation."""
    lines = ZOO.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# line: {operation}"))


def places(document: Document, operation: str) -> list[tuple[int, int, int]]:
    """Code, line and column at which the stored code calls an operation."""
    return [
        (code, number, found.start())
        for code, source in enumerate(document.sources)
        for number, line in enumerate((source.text or "").split("\n"), 1)
        for found in re.finditer(rf"torch\.{operation}\(", line)
    ]


def originals_of(document: Document) -> Originals:
    return find_originals(document, Progress())


@pytest.mark.parametrize("opened", ["scripted.pt", "mobile.ptl"], indirect=True)
@pytest.mark.parametrize("operation", SCRIPTED)
def test_an_operation_leads_to_its_line(opened: Document, operation: str) -> None:
    found, wanted = originals_of(opened), line_of(operation)
    stands = places(opened, operation)
    assert stands
    for code, line, column in stands:
        origin = found.at(code, line, column)
        assert origin is not None
        assert (Path(origin.file), origin.line) == (ZOO, wanted)
        assert origin.text == ZOO.read_text("utf-8").splitlines()[wanted - 1]
        assert line in found.lines_made_from(code, origin.file, origin.line)


@pytest.mark.parametrize("opened", ["scripted.pt"], indirect=True)
def test_the_original_text_is_that_of_the_file(opened: Document) -> None:
    found, file = originals_of(opened), ZOO.read_text("utf-8").splitlines()
    texts = [text for code in range(len(opened.sources)) for text in found.texts(code)]
    assert {Path(text.file) for text in texts} == {ZOO}
    for text in texts:
        lines = text.text.splitlines()
        kept = [(number, line) for number, line in enumerate(lines, text.line) if line]
        assert kept
        assert [line for _, line in kept] == [file[number - 1] for number, _ in kept]
    held = {line for text in texts for line in text.text.splitlines()}
    assert {file[line_of(operation) - 1] for operation in SCRIPTED} <= held


@pytest.mark.parametrize("opened", ["traced.pt"], indirect=True)
def test_a_traced_operation_leads_to_its_calls(opened: Document) -> None:
    found = originals_of(opened)
    [(code, line, column)] = places(opened, "tanh")
    origin = found.at(code, line, column)
    assert origin is not None
    assert (Path(origin.file), origin.line) == (ZOO, line_of("tanh"))
    assert origin.calls[0] == f"{ZOO}({line_of('tanh')}): forward"
    assert any(call.endswith(": main") for call in origin.calls)
