"""The Python that stored code was made from: by line and column, as text, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.debug_records import CALLS, FILE, FORWARD, OTHER, traceable
from tests.opened import opened
from tests.shared import SHARED, shared_files
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.summary.class_finding import list_classes
from viewer.core.summary.originals import Originals, find_originals, with_originals


def originals_of(document: Document) -> Originals:
    return find_originals(document, Progress())


@pytest.mark.parametrize("early", [False, True])
def test_a_piece_of_code_leads_to_its_line(early: bool) -> None:
    document = opened(traceable(early))
    assert [source.name for source in document.sources] == ["__torch__.Net", "__torch__.traced.Traced"]
    found = originals_of(document)
    origin = found.at(0, 7, len("    y = torch.mul("))
    assert origin is not None
    assert (origin.file, origin.line, origin.text) == (FILE, 42, "        y = x * self.weight  # é")
    assert origin.calls == ()
    origin = found.at(0, 8)
    assert origin is not None
    assert (origin.line, origin.text) == (43, "        return y + 1")
    other = found.at(0, 10, 11)
    assert other is not None
    assert (other.line, other.text) == (52, "        return 7")


def test_the_entry_that_says_so_is_known() -> None:
    document = opened(traceable())
    origin = originals_of(document).at(0, 8)
    assert origin is not None
    pickle = document.pickles[origin.entry.pickle]
    assert pickle.record == "net/code/__torch__.py.debug_pkl"
    values = pickle.values
    assert values.integer(values.items(origin.entry.value)[2]) == 2


def test_places_without_a_line() -> None:
    found = originals_of(opened(traceable()))
    assert found.at(0, 1) is None
    assert found.at(0, 0) is None
    assert found.at(0, 999) is None
    assert found.at(7, 1) is None


def test_a_trace_leads_to_the_innermost_call() -> None:
    found = originals_of(opened(traceable()))
    origin = found.at(1, 5)
    assert origin is not None
    assert (origin.file, origin.line, origin.text) == (FILE, 70, "")
    assert origin.calls == tuple(CALLS.splitlines())
    assert found.texts(1) == ()
    assert found.files(1) == [FILE]


def test_functions_of_one_file_are_one_text_with_their_own_lines() -> None:
    found = originals_of(opened(traceable()))
    text = found.texts(0)
    assert [(one.file, one.line, one.origin, one.codes) for one in text] == [(FILE, 41, "original", ())]
    lines = text[0].text.splitlines()
    assert "\n".join(lines[:3]) + "\n" == FORWARD
    assert lines[3:9] == [""] * 6
    assert "\n".join(lines[9:]) + "\n" == OTHER


def test_a_line_of_python_leads_back() -> None:
    found = originals_of(opened(traceable()))
    assert found.lines_made_from(0, FILE, 42) == [7]
    assert found.lines_made_from(0, FILE, 43) == [8]
    assert found.lines_made_from(0, FILE, 41) == []
    assert found.lines_made_from(0, "/elsewhere.py", 42) == []


def test_classes_get_their_originals_behind_their_stored_texts() -> None:
    document = opened(traceable())
    classes = with_originals(list_classes(document), originals_of(document))
    row = classes.rows[classes.row_of["__torch__.Net"]]
    assert [text.origin for text in row.texts] == ["stored", "original"]
    assert classes.at[0] == (classes.row_of["__torch__.Net"], 0)


def test_a_file_without_debug_records_has_none() -> None:
    document = opened(b"\x80\x02}.")
    found = originals_of(document)
    assert not found
    assert found.files(0) == []
    assert with_originals(list_classes(document), found).rows == ()


@pytest.mark.parametrize(
    ("name", "source", "line", "file", "made_from", "text"),
    [
        ("D_t120_script.pt", 0, 23, "old_torch.py", 146, "return self.lin(x) * self.w + self.n * self.dims[0] + c"),
        ("D_t131_script.pt", 0, 33, "old_torch.py", 146, "return self.lin(x) * self.w + self.n * self.dims[0] + c"),
        ("D_t140py2_script.pt", 0, 18, "old_torch.py", 146, "return self.lin(x) * self.w + self.n * self.dims[0] + c"),
        ("D_t160_script.pt", 0, 18, "old_torch.py", 146, "return self.lin(x) * self.w + self.n * self.dims[0] + c"),
        ("D_t1121_script.pt", 0, 18, "old_torch.py", 146, "return self.lin(x) * self.w + self.n * self.dims[0] + c"),
        ("D_script_types.pt", 0, 45, "d_torchscript.py", 40, "x = x + t.sum()"),
        ("D_lite.ptl", 1, 10, "d_torchscript.py", 17, "return x * s.k"),
        ("D_t222_trace.pt", 1, 11, "linear.py", 116, ""),
    ],
)
def test_files_of_all_times(
    shared: Path, name: str, source: int, line: int, file: str, made_from: int, text: str
) -> None:
    document = open_document(shared / "samples" / name)
    found = originals_of(document)
    lines = (document.sources[source].text or "").split("\n")
    near = [found.at(source, at, len(lines[at - 1]) // 2) for at in range(line - 2, min(line + 3, len(lines)))]
    told = [(Path(one.file).name, one.line, one.text.strip()) for one in near if one is not None]
    assert (file, made_from, text) in told
    document.source.close()


@pytest.mark.parametrize("path", shared_files("samples", "D_*"))
def test_every_line_of_a_text_is_the_line_that_ranges_tell(path: Path) -> None:
    document = open_document(SHARED / "samples" / path.name)
    found = originals_of(document)
    for code, source in enumerate(document.sources):
        texts = found.texts(code)
        for line in range(1, (source.text or "").count("\n") + 1):
            origin = found.at(code, line)
            if origin is None or origin.calls:
                continue
            for text in texts:
                number = origin.line - text.line
                lines = text.text.split("\n")
                if text.file == origin.file and 0 <= number < len(lines) and lines[number]:
                    assert lines[number] == origin.text
    document.source.close()
