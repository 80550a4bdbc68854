"""The cases of ../shared on objects and their classes: what is missing, foreign, not found, and got back as source.

Held against the facts beside them (expected.json) and against what each report needed to see (log.jsonl). That their
tensors, values, arrays and stored texts are right is tested in test_shared_files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.expected import Facts, expected
from tests.shared import ABSENT, SHARED
from viewer.core.code.differences import differences
from viewer.core.code.files import class_texts
from viewer.core.code.findings import Finding
from viewer.core.code.skeleton import skeletons
from viewer.core.code.supplied import supplied_file
from viewer.core.document import Document
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.objects.instances import find_instances
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.safety.imports import find_imports
from viewer.core.summary.checks import check_document
from viewer.core.summary.contents import Contents
from viewer.core.summary.prediction import predict
from viewer.core.tensors.hashing import sha256
from viewer.session.stored_text import stored_bytes

KINDS = ("class-not-found", "missing-attribute", "python-objects", "source-recovery")
MODULES = ("attr-padding-mode", "attr-resblock-add", "cnf-yolo-models", "src-edited-after", "src-none")
# Names of files that mislead, and program code beside the weights, are told of; neither is a fault.
TOLD = {"cnf-recordermeter": ["name-no-tar"], "obj-lambda": ["pickle-code-object", "name-no-tar"]}
EDITED = b"""import torch.nn as nn

class ResBlock(nn.Module):
    def __init__(self, nf):
        super(ResBlock, self).__init__()
        self.conv = nn.Conv1d(2, nf, 3)
        self.fc = nn.Linear(nf, 2)
        self.add = nn.quantized.FloatFunctional()

    def forward(self, x):
        return self.add.add(self.fc(self.conv(x).mean(-1)), x)
"""


def cases() -> list[object]:
    """The names of all cases of these kinds."""
    log = SHARED / "cases" / "log.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    names = [case["id"] for case in map(json.loads, lines) if case["kind"] in KINDS]
    return [*names] or [pytest.param("absent", marks=pytest.mark.skip(reason=ABSENT))]


@pytest.fixture
def case(request: pytest.FixtureRequest, shared: Path) -> Iterator[Document]:
    """The document of the case that a test names."""
    facts = facts_of(request)
    document = open_document(shared / "cases" / request.param / facts["open"])
    yield document
    document.source.close()


def facts_of(request: pytest.FixtureRequest) -> Facts:
    facts: Facts | None = expected("cases").get(request.node.callspec.params["case"])
    if facts is None:
        pytest.skip(ABSENT)
    return facts


def told(found: list[Finding], name: str) -> list[Finding]:
    """The findings on the objects of a class."""
    return [one for one in found if one.class_name == name]


def rows_below(document: Document, *labels: str) -> dict[str, list[str]]:
    """The rows of Contents below the row that these labels lead to, each with the words beside its name."""
    contents = Contents(document)
    node = next(node for node in contents.tree.children(0))
    for label in labels:
        found = [child for child in contents.tree.children(node) if contents.label(child).text == label]
        assert found, (label, [contents.label(child).text for child in contents.tree.children(node)])
        node = found[0]
    return {
        contents.label(child).text: [words.text for words in contents.details(child)]
        for child in contents.tree.children(node)
    }


# -- every case ------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases(), indirect=True)
def test_no_file_is_faulted_and_all_names_are_told(case: Document, request: pytest.FixtureRequest) -> None:
    facts = facts_of(request)
    name = request.node.callspec.params["case"]
    assert [problem.code for problem in case.problems] == TOLD.get(name, [])
    named = {f"{row.module}.{row.name}" for row in find_imports(pickle.values for pickle in case.pickles)}
    assert named >= set(facts["globals"])


@pytest.mark.parametrize("case", cases(), indirect=True)
def test_its_tensors_can_be_exported(case: Document, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    facts = [entry for entry in facts_of(request)["tensors"] if entry.get("name")]
    exporter = exporter_of("state_dict")
    plan = exporter.plan(case, Wanted())
    exporter.write(plan, tmp_path / "out.pt", Progress())
    written = open_document(tmp_path / "out.pt")
    hashes = {tensor.name: sha256(tensor) for tensor in written.tensors}
    assert {entry["name"]: hashes.get(entry["name"]) for entry in facts} == {
        entry["name"]: entry["sha256"] for entry in facts
    }
    written.source.close()


# -- missing-attribute -----------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["attr-padding-mode"], indirect=True)
def test_an_old_convolution_has_no_padding_mode(case: Document, request: pytest.FixtureRequest) -> None:
    attributes = facts_of(request)["attributes"]
    rows = rows_below(case, "object", "TinyNet", "conv")
    assert set(attributes["present"]) <= set(rows)
    assert not set(attributes["absent"]) & set(rows)
    (found,) = told(check_document(case), "torch.nn.modules.conv.Conv1d")
    assert found.title == "Conv1d lacks padding_mode, which torch has set since 1.1"
    assert found.fix.endswith('module.padding_mode = "zeros"')


@pytest.mark.parametrize("case", ["attr-resblock-add"], indirect=True)
def test_a_block_that_was_edited_after_saving(case: Document, request: pytest.FixtureRequest) -> None:
    attributes = facts_of(request)["attributes"]
    rows = rows_below(case, "object", "ResBlock")
    assert set(rows) == {*attributes["submodules"], "training"}
    assert told(check_document(case), "vc.blocks.ResBlock") == []
    (text,) = class_texts(case.sources)
    assert (text.file, "self.add" in text.text) == ("D:\\work\\vc\\blocks.py", False)
    file = supplied_file(Path("blocks.py"), EDITED)
    (found,) = told(check_document(case, [file]), "vc.blocks.ResBlock")
    assert (found.code, found.origin, found.line) == ("attribute-missing", "supplied", 8)
    assert "loading does not run __init__" in found.text
    assert found.params["read_line"] == 11
    assert found.fix.endswith("module.add = nn.quantized.FloatFunctional()")


# -- source-recovery -------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["src-whole-model", "src-two-versions", "src-edited-after"], indirect=True)
def test_saving_a_text_gives_its_bytes(case: Document, request: pytest.FixtureRequest) -> None:
    facts = facts_of(request)
    saved = [hashlib.sha256(stored_bytes(case, source)).hexdigest() for source in case.sources]
    assert saved == [source["sha256"] for source in facts["sources"]]
    assert [text.name for text in class_texts(case.sources)] == ["nets.TinyNet"]
    shown = "\n".join(f"{source.file}\n{source.text}" for source in case.sources)
    assert all(words in shown for words in facts.get("must_show", ()))


@pytest.mark.parametrize("case", ["src-two-versions"], indirect=True)
def test_two_versions_of_a_class_differ_in_these_lines(
    case: Document, request: pytest.FixtureRequest, shared: Path
) -> None:
    facts = facts_of(request)
    other = open_document(shared / "cases" / "src-two-versions" / facts["also"][0])
    texts = {source.name: source.text or "" for source in other.sources}
    for source in case.sources:
        old, new = (source.text or ""), texts[source.name]
        rows = differences(old, new)
        if source.name != "nets.TinyNet":
            assert not rows.changes
            continue
        assert dict(rows.counts) == {"changed": 1, "added": 3, "removed": 0}
        removed = [line for line in old.split("\n") if line not in new.split("\n")]
        assert removed == facts["diff"]["removed"]
    hashes = {tensor.name: sha256(tensor) for tensor in other.tensors}
    assert len(hashes) == 4
    assert hashes == {tensor.name: sha256(tensor) for tensor in case.tensors}
    other.source.close()


@pytest.mark.parametrize("case", ["src-edited-after"], indirect=True)
def test_a_text_that_is_newer_than_the_object(case: Document, request: pytest.FixtureRequest) -> None:
    facts = facts_of(request)["source_vs_object"]
    found = told(check_document(case), facts["class"])
    assert [one.params["name"] for one in found] == facts["only_in_source"]
    assert all("what was on disk when the model was saved" in one.text for one in found)
    assert [one.line for one in found] == [6, 7]
    assert set(facts["in_both"]) <= set(rows_below(case, "object", "TinyNet"))


@pytest.mark.parametrize("case", ["src-none"], indirect=True)
def test_a_model_without_source_gets_a_derived_text(case: Document, request: pytest.FixtureRequest) -> None:
    facts = facts_of(request)
    pickle = case.main_pickle
    assert pickle is not None
    instances = find_instances(pickle.values)
    assert {one.name for one in instances} == set(facts["classes"])
    assert all(source.text is None for source in case.sources)
    (made,) = skeletons(pickle.values, instances, set())
    assert "class ConditionalRandomField(nn.Module):" in made.text
    assert not made.computes


# -- python-objects, class-not-found ---------------------------------------------------------------


@pytest.mark.parametrize("case", ["obj-namespace"], indirect=True)
def test_a_namespace_is_data(case: Document) -> None:
    rows = rows_below(case, "data.pkl", "dict", "args")
    assert rows["lr"] == ["0.0001"]
    assert rows["backbone"] == ["'swin_L'"]
    assert rows["device"] == ["'cuda'"]
    assert rows_below(case, "data.pkl", "dict", "args", "lambda_list") == {"0": ["1"], "1": ["2.5"]}
    assert predict(case).refusals.names == ["argparse.Namespace"]


@pytest.mark.parametrize("case", ["obj-omegaconf"], indirect=True)
def test_all_foreign_names_at_once(case: Document, request: pytest.FixtureRequest) -> None:
    assert sorted(predict(case).refusals.names) == facts_of(request)["unsafe_globals"]


@pytest.mark.parametrize("case", ["obj-easydict-config"], indirect=True)
def test_a_dict_with_attributes_shows_both(case: Document) -> None:
    contents = Contents(case)
    rows = rows_below(case, "data.pkl", "dict", "opt")
    assert rows["lr"] == ["0.01"]
    assert set(rows_below(case, "data.pkl", "dict", "opt", "net")) == {"depth"}
    assert rows_below(case, "data.pkl", "dict", "config", "_config")["n_gpu"] == ["2"]
    node = contents.tree.children(0)[0]
    for label in ("data.pkl", "dict", "opt"):
        node = next(child for child in contents.tree.children(node) if contents.label(child).text == label)
    assert [contents.label(child).text for child in contents.tree.children(node)] == ["lr", "net", "lr", "net"]


@pytest.mark.parametrize("case", ["obj-lambda"], indirect=True)
def test_a_function_is_marked_as_program_code_and_not_built(case: Document) -> None:
    rows = rows_below(case, "data.pkl", "dict", "scheduler_g_state_dict", "lr_lambdas")
    assert rows["0"] == ["<lambda>", "/srv/train.py:41", "function", "contains program code"]
    code = rows_below(case, "data.pkl", "dict", "scheduler_g_state_dict", "lr_lambdas", "0")
    assert code["arguments[0]"][-2:] == ["code object", "contains program code"]
    inner = rows_below(case, "data.pkl", "dict", "scheduler_g_state_dict", "lr_lambdas", "0", "arguments[0]")
    assert inner["arguments[7]"] == ["(None, 200, 0.5)"]
    assert inner["arguments[10]"] == ["'/srv/train.py'"]
    assert inner["arguments[11]"] == ["'<lambda>'"]


@pytest.mark.parametrize("case", MODULES, indirect=True)
def test_a_kit_of_each_whole_model(case: Document, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    exporter = exporter_of("recovery")
    plan = exporter.plan(case, Wanted())
    exporter.write(plan, tmp_path / "kit", Progress())
    weights = open_document(tmp_path / "kit" / "weights.pt")
    names = {entry["name"] for entry in facts_of(request)["tensors"]}
    assert {tensor.name for tensor in weights.tensors} == names
    weights.source.close()
    assert (tmp_path / "kit" / "load.py").is_file()
    assert [path for path in tmp_path.rglob("*") if path.name == "pickle_was_executed"] == []
