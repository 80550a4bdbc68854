"""What ends loading with torch.load whatever is asked for; what it loads without its bytes or in the wrong order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders.legacy import build, legacy
from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_tar import TarStorage, TarTensor, TorchTar, named
from tests.builders.torch_values import Storage, full, packed, state_dict, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Persistent, dumps
from tests.core.summary.test_prediction import by_code, codes_of
from tests.opened import codes, opened
from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.problem import Severity, error
from viewer.core.span import Span
from viewer.core.summary.prediction import Prediction, predict
from viewer.core.tensors import window

ONE = {"a": full("float32", (2,), [1.0, 2.0])}


def odd(document: Document) -> Prediction:
    """A prediction that stops at what Problems lists, with no code."""
    found = predict(document)
    assert by_code(found, "odd").severity is Severity.ERROR
    assert found.code is None
    assert "loads" not in codes_of(found)
    return found


def stops_at(document: Document, code: str) -> None:
    assert by_code(odd(document), "odd").params["names"] == code
    assert code in codes(document)


# -- persistent ids ----------------------------------------------------------------------------------


def with_id(*items: object) -> Call:
    """A tensor over what an id names."""
    return Call(Global("torch._utils", "_rebuild_tensor_v2"), (Persistent(items), 0, (1,), (1,), False, None))


FLOAT = Global("torch", "FloatStorage")


def test_an_id_of_six_items_in_a_zip() -> None:
    document = opened(torch_zip([*ONE.values(), with_id("storage", FLOAT, "0", "cpu", 2, None)]))
    stops_at(document, "persistent-items")
    found = next(problem for problem in document.problems if problem.code == "persistent-items")
    assert found.params == {"count": 1, "found": 6, "expected": "5"}
    # It is read all the same.
    assert [window.read(each).tolist() for each in document.tensors] == [[1.0, 2.0], [1.0]]


def test_an_id_of_five_items_in_a_legacy_stream() -> None:
    stream = build([*ONE.values(), with_id("storage", FLOAT, "94268654570176", "cpu", 2)])
    stops_at(opened(stream.data), "persistent-items")
    assert codes(opened(legacy(ONE))) == []


@pytest.mark.parametrize("container", [torch_zip, legacy])
def test_an_id_of_an_unknown_kind(container: object) -> None:
    assert callable(container)
    document = opened(container([*ONE.values(), Persistent(("blob", "x"))]))
    stops_at(document, "persistent-kind")
    found = next(problem for problem in document.problems if problem.code == "persistent-kind")
    assert found.params == {"count": 1, "value": "blob"}
    assert found.span is not None


def test_ids_as_text() -> None:
    text = "('storage', <class 'torch.FloatStorage'>, '0', 'cpu', 2)"
    rebuild = Global("torch._utils", "_rebuild_tensor_v2")
    body = dumps({"a": Call(rebuild, (Persistent(text), 0, (2,), (1,), False, None))}, 0)
    document = opened(torch_zip(ONE, change=lambda _: body))
    stops_at(document, "persistent-text")
    assert window.read(document.tensors[0]).tolist() == [1.0, 2.0]
    assert "persistent-text" not in codes(opened(torch_zip(ONE, protocol=1)))
    assert by_code(predict(opened(legacy({"a": Persistent(text)}, 0))), "odd").params["names"] == "persistent-text"


# -- what torch has no more ----------------------------------------------------------------------------


def test_a_storage_class_that_is_gone() -> None:
    old = Storage("uint8", bytes([3, 4]), cls=Global("torch.storage", "_UntypedStorage"))
    document = opened(torch_zip({"s": old}))
    stops_at(document, "storage-class-gone")
    assert window.read(document.tensors[0]).tolist() == [3, 4]


def test_extension_codes_stop_torch() -> None:
    changed = opened(torch_zip(ONE, change=lambda body: b"\x82\x05" + body[2:]))
    assert by_code(predict(changed), "odd").params["names"] == "pickle-extension"
    assert [window.read(each).tolist() for each in changed.tensors] == [[1.0, 2.0]]


# -- containers ----------------------------------------------------------------------------------------


def test_a_damaged_first_header() -> None:
    data = torch_zip(ONE)
    stops_at(opened(b"PX" + data[2:]), "zip-header-signature")


def tar(**more: Any) -> TorchTar:
    storages = [TarStorage(1, "Float", [1.0, 2.0])]
    return TorchTar({"w": named(2)}, storages, [TarTensor(2, 1, "Float", (2,), (1,))], **more)


@pytest.mark.parametrize(("built", "code"), [(tar(prefix="./"), "tar-names-dotted"), (tar(early=True), "tar-early")])
def test_tars_that_torch_of_today_does_not_read(built: TorchTar, code: str) -> None:
    document = opened(built.data)
    stops_at(document, code)
    assert "tar" not in codes_of(predict(document))
    assert window.read(document.tensors[0]).tolist() == [1.0, 2.0]


def test_a_tensor_that_never_had_a_storage() -> None:
    built = TorchTar({"w": named(2)}, [], [TarTensor(2, None, "Float", (0,), (1,))])
    stops_at(opened(built.data), "tar-without-storage")


# -- what is loaded all the same -------------------------------------------------------------------------


def test_storages_that_are_not_listed_are_left_as_they_are() -> None:
    value = {"a": full("float32", (1,), [1]), "b": full("float32", (1,), [2])}
    document = opened(build(value, keys=build(value).keys[:1]).data)
    found = predict(document)
    assert codes_of(found) == ["uninitialised"]
    assert found.expectations[0].severity is Severity.WARNING
    assert found.expectations[0].params == {"count": 1}
    assert "weights_only=True" in (found.code or "")
    problem = next(each for each in document.problems if each.code == "storage-missing")
    assert "Tensors in it: b." in problem.text


def test_untyped_storages_of_the_other_byte_order() -> None:
    numbers = Storage("uint16", bytes([0, 1, 1, 2]))
    document = opened(torch_zip(state_dict({"u": tensor(numbers, (2,)), "f": big_float()}), byteorder="big"))
    assert window.read(document.tensors[0]).tolist() == [1, 258]
    found = by_code(predict(document), "untyped-order")
    assert found.severity is Severity.WARNING
    assert found.params == {"count": 1, "names": "u"}
    assert "untyped-order" not in codes_of(predict(opened(torch_zip(state_dict({"f": big_float()}), byteorder="big"))))
    # Of an archive that does not state its order torch swaps nothing, whatever the person chose to see.
    chosen = opened(torch_zip(state_dict({"u": tensor(numbers, (2,))})), Options(byteorder="big"))
    assert "untyped-order" not in codes_of(predict(chosen))


def big_float() -> Call:
    return tensor(Storage("float32", packed("float32", [1.5], ">")), (1,))


def test_checksums_do_not_stop_torch() -> None:
    document = opened(torch_zip(ONE))
    document.problems.append(error("record-checksum", Span(0, 1), name="x", stated=1, found=2))
    assert "loads" in codes_of(predict(document))


# -- other formats ---------------------------------------------------------------------------------------


def test_a_broken_pickle_is_read_by_no_one() -> None:
    found = predict(opened(dumps({"a": 1}, 4)[:-2]))
    assert codes_of(found) == ["not-torch-stops"]
    assert "pickle.load does, but stops" in found.expectations[0].text
    whole = predict(opened(dumps({"a": 1}, 4)))
    assert codes_of(whole) == ["not-torch-pickle"]
    assert "It is a plain pickle, not made by torch.save" in whole.expectations[0].text
    # Its first read is the pickle, for which it looks for a magic number.
    assert "so does torch.load(weights_only=False), before it refuses the file" in whole.expectations[0].text


def test_arrays_of_a_newer_numpy() -> None:
    array = Call(Global("numpy._core.multiarray", "_reconstruct"), (Global("numpy", "ndarray"), (0,), b"b"))
    assert by_code(predict(opened(dumps({"a": array}, 4))), "needs-numpy").severity is Severity.NOTE
    assert "numpy._core" in by_code(predict(opened(torch_zip({"a": array}))), "needs-numpy").text


def test_safetensors_by_the_ending_of_its_name(tmp_path: Path) -> None:
    data = safetensors({"a": entry("F32", [1], 0, 4)}, packed("float32", [1.0]))
    for name, code in (("m.safetensors", "loads-by-name"), ("m.pt", "not-torch-reader")):
        (tmp_path / name).write_bytes(data)
        document = open_document(tmp_path / name)
        assert codes_of(predict(document)) == [code]
        document.source.close()


def test_a_plain_pickle_that_reaches_beyond_the_file() -> None:
    found = predict(opened(dumps(Call(Global("posix", "system"), ("echo",)), 4)))
    assert codes_of(found) == ["not-torch-pickle", "runs-names"]
    assert found.expectations[1].severity is Severity.ERROR
    assert "posix.system" in found.expectations[1].text
    assert codes_of(predict(opened(dumps(Call(Global("datetime", "date"), (b"x",)), 4)))) == ["not-torch-pickle"]
