"""Packages of torch.package: pickles, storages by number, modules as sources, TorchScript inside."""

from __future__ import annotations

import pytest

from tests.builders.programs import INNER_CODE, PackagePickler, script_id, scripted, torch_package
from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import ZipPickler
from tests.opened import codes, opened, regions_tile
from viewer.core.problem import Severity
from viewer.core.tensors import window

MODULE = b"import torch\n\nclass Net(torch.nn.Module):\n    size = 3\n\nLIMIT = 4\n"


def test_every_pickle_is_read() -> None:
    data = torch_package(
        {"model/model.pkl": {"w": full("float32", (2,), [1, 2])}, "model/more.pkl": {"w": full("int8", (1,), [3])}},
        {"nets.py": MODULE, "zoo/__init__.py": b"", "zoo/a.py": b"x = 1\n", "text/a.txt": b"hello"},
    )
    document = opened(data)
    assert (document.format, codes(document)) == ("torch-package", ["kind-torch-package"])
    assert [(pickle.record, pickle.role) for pickle in document.pickles] == [
        ("pkg/model/model.pkl", "object"),
        ("pkg/model/more.pkl", ""),
    ]
    assert [(tensor.name, window.read(tensor).tolist()) for tensor in document.tensors] == [("w", [1, 2]), ("w", [3])]
    assert len({tensor.path for tensor in document.tensors}) == 2
    held = document.tensors[1].storage
    assert held is not None
    assert held.record == "pkg/.data/1.storage"
    regions_tile(document)


def test_modules_are_stored_sources() -> None:
    data = torch_package({"m/m.pkl": 1}, {"nets.py": MODULE, "zoo/__init__.py": b"y = 2\n"})
    document = opened(data)
    assert [(source.name, source.file, source.text) for source in document.sources] == [
        ("nets", "nets.py", MODULE.decode()),
        ("nets.Net", "nets.py", "class Net(torch.nn.Module):\n    size = 3\n\n"),
        ("zoo", "zoo/__init__.py", "y = 2\n"),
    ]
    span = document.sources[1].span
    assert span is not None
    assert data[span.start : span.stop] == b"class Net(torch.nn.Module):\n    size = 3\n\n"


def test_facts_of_the_container() -> None:
    document = opened(torch_package({"m/m.pkl": 1}, {}, "torch\nnumpy\n"))
    assert [(fact.key, fact.value) for fact in document.metadata] == [
        ("extern_modules", "torch\nnumpy"),
        ("python_version", "3.11.7"),
    ]
    assert document.written_by == "torch 1.12 to 2.0"


def test_scripts_inside() -> None:
    pickler = ZipPickler()
    held = storage("float32", [1, 2])
    held.key = "7.storage"
    inner = scripted("__torch__.nets", "Inner", bias=tensor(held, (2,)))
    body = pickler.dumps(inner)
    records = {
        ".data/7.storage": held.data,
        ".data/ts_code/0/data.pkl": body,
        ".data/ts_code/0/constants.pkl": b"\x80\x02).",
        ".data/ts_code/code/__torch__/nets.py": INNER_CODE,
    }
    document = opened(torch_package({"m/m.pkl": script_id("0")}, records))
    assert codes(document) == ["kind-torch-package"]
    assert [(found.name, window.read(found).tolist()) for found in document.tensors] == [("bias", [1.0, 2.0])]
    assert [source.name for source in document.sources] == ["__torch__.nets.Inner", "__torch__.nets.helper"]


def test_a_script_that_is_not_there() -> None:
    document = opened(torch_package({"m/m.pkl": script_id("0")}, {}))
    assert codes(document) == ["kind-torch-package", "package-entry"]


@pytest.mark.parametrize(
    ("name", "damaged"),
    [
        (b"pkg/model/model.pkl", b"pkg/model/model.pkm"),
        (b"pkg/model/model.pkl", b"pkz/model/model.pkl"),
        (b"pkg/.data/ts_code/0/data.pkl", b"pkg/.data/ts_code/0/data.pkm"),
    ],
)
def test_a_name_that_the_directory_lost(name: bytes, damaged: bytes) -> None:
    pickler = ZipPickler()
    held = storage("float32", [1, 2])
    held.key = "7.storage"
    body = pickler.dumps(scripted("__torch__.nets", "Inner", bias=tensor(held, (2,))))
    records = {".data/7.storage": held.data, ".data/ts_code/0/data.pkl": body}
    value = {"w": full("float32", (2,), [3, 4]), "script": script_id("0")}
    data = torch_package({"model/model.pkl": value}, records)
    at = data.rindex(name)
    document = opened(data[:at] + damaged + data[at + len(name) :])
    assert "zip-local-name" in codes(document)
    assert "package-empty" not in codes(document)
    assert [window.read(found).tolist() for found in document.tensors] == [[3.0, 4.0], [1.0, 2.0]]
    assert document.children == []


def test_pickles_share_storages() -> None:
    shared = storage("int8", [4])
    first, second = PackagePickler(), PackagePickler()
    one, two = first.dumps([tensor(shared, (1,))]), second.dumps([tensor(shared, (1,))])
    document = opened(torch_package({}, {".data/0.storage": b"\x04", "a.pkl": one, "b.pkl": two}))
    assert [found.shared_with for found in document.tensors] == [[1], [0]]


def test_a_missing_storage_and_no_pickle() -> None:
    data = torch_package({"m/m.pkl": [full("int8", (1,), [3])]}, {})
    assert "storage-record-missing" in codes(opened(data.replace(b".data/0.storage", b".data/9.storage")))
    assert "package-empty" in codes(opened(torch_package({}, {})))


def test_cut_anywhere_opens_and_tiles() -> None:
    data = torch_package({"m/m.pkl": {"w": full("float32", (2,), [1, 2])}}, {"nets.py": MODULE})
    for length in range(0, len(data), 7):
        document = opened(data[:length])
        regions_tile(document)
        found = [problem.severity for part in document.walk() for problem in part.problems]
        assert Severity.ERROR in found or Severity.WARNING in found, length
