"""`inspect --json`: the keys, and what they hold for files of each kind."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import struct
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

from tests.builders.arrays import floats, npz
from tests.builders.legacy import build, legacy
from tests.builders.pickles import Stream
from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import ModuleClass, Storage, full, module, parameter, state_dict, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, dumps
from tests.cli.running import inspected
from viewer.cli.base import byte_count, some_bytes

Capture = pytest.CaptureFixture[bytes]
KEYS = [
    "file", "format", "detail", "written_by", "documents", "regions", "pickles", "opcodes", "root", "keys", "tensors",
    "sources", "outlines", "imports", "problems", "values", "training", "loading", "checks", "versions",
    "health", "space", "files",
]  # fmt: skip
TENSOR_KEYS = [
    "document", "name", "path", "kind", "class", "dtype", "shape", "stride", "storage_offset", "layout", "quantizer",
    "parts", "storage", "start", "stop", "nbytes", "available", "complete", "requires_grad", "shared_with", "sha256",
]  # fmt: skip


@pytest.fixture
def look(tmp_path: Path, capfdbinary: Capture) -> Any:
    """Inspect some bytes: `look(data, *flags)` gives the object and the exit code."""

    def look(data: bytes, *flags: str) -> tuple[dict[str, Any], int]:
        path = tmp_path / "file"
        path.write_bytes(data)
        return inspected(path, capfdbinary, *flags)

    return look


def test_keys_are_those_of_the_contract(look: Any, tmp_path: Path) -> None:
    found, code = look(torch_zip(OrderedDict(a=full("float32", (2, 3), range(6)))))
    assert list(found) == KEYS
    assert list(found["tensors"][0]) == TENSOR_KEYS
    assert code == 0
    assert found["file"] == {"path": str(tmp_path / "file"), "size": found["files"][0]["size"]}
    assert found["files"] == [found["file"]]
    assert (found["regions"], found["opcodes"], found["values"]) == (None, None, None)
    assert found["documents"] == [
        {
            "index": 0,
            "parent": None,
            "how": "",
            "format": "torch-zip",
            "offset": 0,
            "file": 0,
            "byteorder": "little",
        }
    ]
    assert (found["root"], found["keys"]) == ("collections.OrderedDict", ["a"])


def test_a_tensor(look: Any) -> None:
    kept = storage("float32", range(6), "cuda:0")
    value = OrderedDict(
        a=tensor(kept, (2, 3)), b=tensor(kept, (3, 2), (1, 3)), c=parameter(tensor(kept, (2,), (2,), 1))
    )
    data = torch_zip(value)
    found, _ = look(data, "--hash")
    start = data.index(struct.pack("<6f", *range(6)))
    a, b, c = found["tensors"]
    assert a == {
        "document": 0,
        "name": "a",
        "path": ["a"],
        "kind": "tensor",
        "class": "torch.Tensor",
        "dtype": "float32",
        "shape": [2, 3],
        "stride": [3, 1],
        "storage_offset": 0,
        "layout": "strided",
        "quantizer": None,
        "parts": [],
        "storage": {
            "key": "0",
            "location": "cuda:0",
            "record": "archive/data/0",
            "start": start,
            "stop": start + 24,
        },
        "start": start,
        "stop": start + 24,
        "nbytes": 24,
        "available": 24,
        "complete": True,
        "requires_grad": False,
        "shared_with": [1, 2],
        "sha256": hashlib.sha256(struct.pack("<6f", *range(6))).hexdigest(),
    }
    assert b["sha256"] == hashlib.sha256(struct.pack("<6f", 0, 3, 1, 4, 2, 5)).hexdigest()
    assert (c["start"], c["stop"], c["nbytes"], c["requires_grad"]) == (start + 4, start + 16, 8, True)


def test_a_deflated_archive_has_no_offsets(look: Any) -> None:
    found, _ = look(torch_zip(OrderedDict(a=full("float32", (2,), [1, 2])), deflated=True), "--hash", "--opcodes")
    pickle = found["pickles"][0]
    assert (pickle["start"], pickle["stop"], pickle["source_start"]) == (None, None, 0)
    assert pickle["source_stop"] > 50
    assert found["opcodes"][0][0] == {
        "offset": None, "length": 2, "name": "PROTO", "argument": 2, "source_offset": 0,
    }  # fmt: skip
    row = found["tensors"][0]
    assert (row["start"], row["stop"], row["storage"]["start"]) == (None, None, None)
    assert row["sha256"] == hashlib.sha256(struct.pack("<2f", 1, 2)).hexdigest()
    assert found["imports"][0]["offset"] is None


def test_pickles_of_a_legacy_stream(look: Any) -> None:
    stream = build([full("int8", (1,), [3])])
    found, _ = look(stream.data)
    assert [(row["start"], row["stop"], row["record"]) for row in found["pickles"]] == [
        (first, last, "") for first, last in zip(stream.starts[:5], stream.starts[1:6], strict=True)
    ]
    assert [(row["protocol"], row["complete"]) for row in found["pickles"]] == [(2, True)] * 5
    assert [row["opcodes"] for row in found["pickles"]][:3] == [3, 3, 27]


def test_a_cut_file(look: Any) -> None:
    data = legacy(OrderedDict(a=full("float32", (2,), [1, 2])))
    found, code = look(data[:-3], "--hash")
    row = found["tensors"][0]
    assert code == 1
    assert (row["start"], row["stop"]) == (len(data) - 8, len(data))
    assert (row["available"], row["complete"], row["sha256"]) == (5, False, None)
    first, problem = found["problems"]
    assert (first["code"], first["params"]["expected"]) == ("file-ends-early", len(data))
    assert list(problem) == ["code", "severity", "text", "params", "document", "start", "stop"]
    assert (problem["code"], problem["severity"], problem["document"]) == ("storage-cut", "error", 0)
    assert problem["text"].endswith(".")
    assert problem["params"]["names"] == "a"


def test_regions_tile(look: Any) -> None:
    data = legacy([full("float32", (2,), [1, 2])]) + b"rest"
    found, code = look(data, "--regions")
    assert code == 0
    assert list(found["regions"][0]) == ["start", "stop", "kind", "label"]
    assert [row["start"] for row in found["regions"]] == [0, *(row["stop"] for row in found["regions"])][:-1]
    assert found["regions"][-1]["stop"] == len(data)


def test_opcodes(look: Any) -> None:
    stream = Stream(4).start().op("LONG1", (2**60).to_bytes(8, "little")).op("BINFLOAT", float("nan")).text("\ud800")
    stream.op("BINBYTES", bytes(100)).op("GLOBAL", "os getcwd").op("NONE").op("TUPLE2").op("STOP")
    found, _ = look(stream.data, "--opcodes")
    assert [row["argument"] for row in found["opcodes"][0]] == [
        4,
        {"int": str(2**60)},
        {"float": "nan"},
        "\ud800",
        {"hex": "00" * 64, "length": 100},
        ["os", "getcwd"],
        None,
        None,
        None,
    ]
    rows = found["opcodes"][0]
    assert [row["offset"] for row in rows[1:]] == [row["offset"] + row["length"] for row in rows[:-1]]
    assert found["pickles"][0]["opcodes"] == len(rows)


def test_values(look: Any) -> None:
    value = {
        "epoch": 3,
        "names": ["a", "b"],
        1: 2.5,
        "w": full("int8", (1,), [3]),
        "nothing": None,
        "@odd": True,
        "raw": b"\x00\x01",
        "empty": {},
        (1, "x"): "pair",
    }
    found, _ = look(torch_zip(value), "--values")
    rows = [(row["path"], row["type"], row["value"]) for row in found["values"]]
    assert rows == [
        (["epoch"], "int", 3),
        (["names", 0], "str", "a"),
        (["names", 1], "str", "b"),
        ([1], "float", 2.5),
        (["nothing"], "NoneType", None),
        ([{"py": "'@odd'"}], "bool", True),
        (["raw"], "bytes", {"hex": "0001", "length": 2}),
        ([{"py": "(1, 'x')"}], "str", "pair"),
    ]
    assert found["keys"] == ["epoch", "names", "1", "w", "nothing", "@odd", "raw", "empty", "(1, 'x')"]


def test_values_of_nests_and_cycles_end(look: Any) -> None:
    bomb = Stream().start().op("EMPTY_LIST")
    for _ in range(40):
        bomb.op("BINPUT", 0).op("EMPTY_LIST").op("MARK").op("BINGET", 0).op("BINGET", 0).op("APPENDS")
        bomb.raw(b"")
    found, _ = look(bomb.op("STOP").data, "--values")
    assert found["root"] == "list"
    cycle = Stream().start().op("EMPTY_LIST").op("BINPUT", 0).op("BINGET", 0).op("APPEND").op("STOP")
    assert look(cycle.data, "--values")[0]["values"] == []


def test_a_whole_model(look: Any) -> None:
    source = "class Net(nn.Module):\n    pass\n"
    net = ModuleClass("nets", "Net", "/home/a/nets.py", source)
    value = module(net, {"size": 3}, {"w": parameter(full("float32", (2,), [1, 2]))}, era="1.1")
    data = legacy(value)
    found, _ = look(data, "--values")
    assert found["root"] == "nets.Net"
    assert found["keys"] == []
    at = data.index(source.encode())
    assert found["sources"] == [
        {
            "document": 0,
            "class": "nets.Net",
            "file": "/home/a/nets.py",
            "start": at,
            "stop": at + len(source),
            "sha256": hashlib.sha256(source.encode()).hexdigest(),
            "lines": 2,
            "originals": [],
        }
    ]
    assert [(row["path"], row["name"]) for row in found["tensors"]] == [(["@_parameters", "w"], "w")]
    assert {"path": ["@size"], "type": "int", "value": 3, "document": 0} in found["values"]
    assert "torch 1." in found["written_by"] or "torch 0." in found["written_by"]


def test_imports(look: Any) -> None:
    data = Stream().start().op("GLOBAL", "__builtin__ eval").op("NONE").ops("TUPLE1 REDUCE STOP").data
    found, code = look(data)
    assert code == 0
    assert found["imports"] == [
        {
            "document": 0,
            "module": "__builtin__",
            "name": "eval",
            "mapped": "builtins.eval",
            "severity": "dangerous",
            "reason": "listed",
            "called": True,
            "count": 1,
            "offset": 2,
            "weights_only": "refused",
            "text": "eval",
            "reasons": [
                {"code": "listed", "text": "picklescan lists this name as dangerous.", "severity": "dangerous"}
            ],
            "called_with": ["(None)"],
            "use_count": 2,
            "uses": [
                {
                    "kind": "named",
                    "pickle": 0,
                    "record": "",
                    "opcode": 1,
                    "start": 2,
                    "stop": 20,
                    "text": "",
                    "dropped": None,
                },
                {
                    "kind": "called",
                    "pickle": 0,
                    "record": "",
                    "opcode": 4,
                    "start": 2,
                    "stop": 23,
                    "text": "(None)",
                    "dropped": False,
                },
            ],
        }
    ]


def test_children_stand_in_the_same_lists(look: Any) -> None:
    first, second = legacy([full("int8", (1,), [3])]), legacy(state_dict({"w": full("int8", (1,), [4])}))
    found, _ = look(first + second)
    assert [(row["parent"], row["how"], row["offset"]) for row in found["documents"]] == [
        (None, "", 0),
        (0, "next stream", len(first)),
    ]
    assert [(row["document"], row["path"], row["start"]) for row in found["tensors"]] == [
        (0, [0], len(first) - 1),
        (1, ["w"], len(first) + len(second) - 1),
    ]
    assert len(found["pickles"]) == 10
    assert found["pickles"][5]["start"] == len(first)


def test_arrays(look: Any) -> None:
    found, code = look(npz({"a": floats([1, 2])}), "--hash")
    assert (found["format"], found["root"], found["keys"], code) == ("npz", None, ["a"], 0)
    row = found["tensors"][0]
    assert (row["kind"], row["dtype"], row["name"], row["path"]) == ("array", "float32", "a", ["a"])
    assert row["sha256"] == hashlib.sha256(struct.pack("<2f", 1, 2)).hexdigest()
    assert row["storage"]["record"] == "a.npy"


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "empty", 1),
        (b"just some words in a file\n", "text", 1),
        (bytes(100), "zeros", 1),
        (b"\x00\x01\x02\x03" * 9, "unknown", 1),
        (dumps({"a": 1}), "pickle", 0),
        (b"GGUF\x03\x00\x00\x00" + bytes(64), "gguf", 0),
    ],
)
def test_exit_codes_of_what_is_no_checkpoint(look: Any, data: bytes, name: str, code: int) -> None:
    found, exit_code = look(data, "--hash", "--opcodes", "--regions", "--values")
    assert (found["format"], exit_code) == (name, code)
    assert (found["root"] is None) == (name != "pickle")


def test_a_subclass_and_the_attributes_of_tensors(look: Any) -> None:
    rebuild, image = Global("torch._tensor", "_rebuild_from_type_v2"), Global("fastlib.core", "TensorImage")
    plain = full("float32", (2,), [1, 2])
    kept = Global("torch._utils", "_rebuild_parameter_with_state")
    value = {
        "w": Call(rebuild, (plain.function, image, plain.args, {"size_hint": 7})),
        "p": Call(kept, (full("float32", (1,), [3]), True, OrderedDict(), {"tag": "frozen"})),
    }
    found, _ = look(torch_zip(value), "--values", "--hash")
    assert [(row["name"], row["class"]) for row in found["tensors"]] == [
        ("w", "fastlib.core.TensorImage"),
        ("p", "torch.nn.parameter.Parameter"),
    ]
    assert found["tensors"][0]["sha256"] == hashlib.sha256(struct.pack("<2f", 1, 2)).hexdigest()
    assert [(row["path"], row["value"]) for row in found["values"]] == [
        (["w", "@size_hint"], 7),
        (["p", "@tag"], "frozen"),
    ]


def test_byteorder_and_encoding(look: Any) -> None:
    found, _ = look(torch_zip([full("int16", (1,), [1])]), "--hash", "--byteorder", "big")
    assert found["documents"][0]["byteorder"] == "big"
    assert found["tensors"][0]["sha256"] == hashlib.sha256(b"\x00\x01").hexdigest()
    data = Stream().start().op("SHORT_BINSTRING", b"\xe9t\xe9").op("STOP").data
    # What is no text in the encoding is shown as the bytes that it is.
    assert look(data, "--values")[0]["values"][0]["value"] == {"hex": "e974e9", "length": 3}
    assert look(data, "--values", "--encoding", "latin1")[0]["values"][0]["value"] == "\xe9t\xe9"
    greek = look(data, "--values", "--encoding", "iso-8859-7")[0]["values"][0]["value"]
    assert greek == b"\xe9t\xe9".decode("iso-8859-7")


HUGE = 1 << 50_000
LONG = HUGE.to_bytes(6252, "little", signed=True)


class Claimed(Storage):
    """A storage whose id states more elements than there are."""

    @property
    def count(self) -> int:
        return HUGE


def long_ints() -> dict[str, bytes]:
    """Numbers that Python itself refuses to write out, everywhere that a file can have a number."""
    kept = storage("float32", [1, 2])
    wide = (1 << 62,) * 900
    return {
        "root": Stream().start().op("LONG4", LONG).op("STOP").data,
        "item": Stream().start().op("EMPTY_LIST").op("LONG4", LONG).ops("APPEND STOP").data,
        "key": Stream().start().op("EMPTY_DICT").op("LONG4", LONG).ops("NONE SETITEM STOP").data,
        "key in a tuple": Stream().start().op("EMPTY_DICT").op("LONG4", LONG).ops("NONE TUPLE2 NONE SETITEM STOP").data,
        "shape": torch_zip({"w": tensor(kept, (HUGE,), (1,))}),
        "many axes": torch_zip({"w": tensor(kept, wide, (1,) * len(wide))}),
        "stride": torch_zip({"w": tensor(kept, (2,), (HUGE,))}),
        "offset": torch_zip({"w": tensor(kept, (2,), (1,), HUGE)}),
        "count": torch_zip({"w": tensor(Claimed("float32", kept.data), (2,))}),
        "count in a stream": build([tensor(Claimed("float32", kept.data), (2,))], counts=lambda key, count: 2).data,
        "version": legacy([1]).replace(b"M\xe9\x03", b"\x8b" + len(LONG).to_bytes(4, "little") + LONG),
    }


@pytest.mark.parametrize(("what", "data"), long_ints().items(), ids=str)
def test_numbers_too_long_to_be_written(look: Any, what: str, data: bytes) -> None:
    found, _ = look(data, "--hash", "--opcodes", "--regions", "--values")
    assert found["format"] in ("pickle", "torch-zip", "torch-legacy"), what


def test_how_much_may_be_unpacked(look: Any) -> None:
    data = gzip.compress(legacy({"w": full("float32", (1000,), range(1000))}))
    found, code = look(data, "--max-unpacked", "4K")
    assert ([row["code"] for row in found["problems"]], len(found["documents"]), code) == (["unpack-limit"], 1, 1)
    found, code = look(data, "--max-unpacked", "1M")
    assert ([row["code"] for row in found["problems"]], len(found["documents"]), code) == (["unpacked"], 2, 0)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *(("0", 0), ("512", 512), ("7B", 7), ("2k", 2048), ("500MB", 500_000_000), ("500kb", 500_000)),
        *(("4GiB", 4 << 30), ("1T", 1 << 40), ("1.5 MiB", 3 << 19), ("2.5GB", 2_500_000_000)),
    ],
)
def test_numbers_of_bytes(text: str, count: int) -> None:
    assert byte_count(text) == count


@pytest.mark.parametrize("text", ["", "-1", "1.5.5G", "many", "1X", "GB", "nan", "1e9", "\u0664"])
def test_no_numbers_of_bytes(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        byte_count(text)


def test_no_bytes_at_all_are_no_size() -> None:
    assert some_bytes("1K") == 1024
    with pytest.raises(argparse.ArgumentTypeError):
        some_bytes("0")


def test_a_safetensors_file(look: Any) -> None:
    header = {"__metadata__": {"format": "pt", "@k": "v"}, "a": entry("F32", [2], 0, 8)}
    found, code = look(safetensors(header, struct.pack("<2f", 1, 2)), "--values", "--regions", "--hash")
    assert (found["format"], found["keys"], found["root"], code) == ("safetensors", ["a"], None, 0)
    assert [(row["path"], row["value"]) for row in found["values"]] == [
        (["__metadata__", "format"], "pt"),
        (["__metadata__", {"py": "'@k'"}], "v"),
    ]
    row = found["tensors"][0]
    assert (row["storage"]["start"], row["stop"], row["complete"]) == (
        found["file"]["size"] - 8,
        found["file"]["size"],
        True,
    )
    assert [region["kind"] for region in found["regions"]] == [
        "safetensors-length",
        "safetensors-header",
        "safetensors-entry",
        "safetensors-entry",
        "safetensors-header",
        "storage",
    ]


def test_quantizers_and_parts(look: Any) -> None:
    function = Global("torch._utils", "_rebuild_qtensor")
    scales, zeros = full("float64", (2,), [0.5, float("inf")]), full("int64", (2,), [0, 1])
    quantizer = (Global("torch", "per_channel_affine"), scales, zeros, 0)
    call = Call(function, (storage("qint8", [1, 2, 3, 4]), 0, (2, 2), (2, 1), quantizer, False, OrderedDict()))
    found, code = look(torch_zip({"q": call}), "--hash")
    (row,) = found["tensors"]
    assert row["quantizer"] == {
        "scheme": "per_channel_affine",
        "scale": [0.5, {"float": "inf"}],
        "zero_point": [0, 1],
        "axis": 0,
    }
    assert row["sha256"] == hashlib.sha256(b"\x01\x02\x03\x04").hexdigest()
    assert [(part["role"], part["path"], part["dtype"], part["nbytes"]) for part in row["parts"]] == [
        ("scale", ["q", "@scale"], "float64", 16),
        ("zero_point", ["q", "@zero_point"], "int64", 16),
    ]
    assert list(row["parts"][1]) == ["role", *TENSOR_KEYS]
    assert row["parts"][1]["sha256"] == hashlib.sha256(struct.pack("<2q", 0, 1)).hexdigest()
    assert code == 0


def test_sparse_tensors_have_parts_and_no_bytes_of_their_own(look: Any) -> None:
    data = (full("int64", (2, 1), [0, 1]), full("float32", (1,), [7]), (2, 2))
    call = Call(Global("torch._utils", "_rebuild_sparse_tensor"), (Global("torch", "sparse_coo"), data))
    (row,) = look(torch_zip({"s": call}), "--hash")[0]["tensors"]
    assert (row["layout"], row["shape"], row["sha256"], row["quantizer"]) == ("sparse_coo", [2, 2], None, None)
    assert [part["role"] for part in row["parts"]] == ["indices", "values"]
    assert all(part["start"] is not None and part["complete"] for part in row["parts"])


def test_no_digest_of_elements_that_repeat_without_end(look: Any) -> None:
    few = storage("float32", [1, 2])
    value = {"a": tensor(few, (2**20, 2**20, 2), (0, 0, 1)), "b": tensor(few, (3, 2), (0, 1))}
    found, code = look(torch_zip(value), "--hash")
    endless, short = found["tensors"]
    assert (code, endless["sha256"], endless["complete"], endless["nbytes"]) == (0, None, True, 2**43)
    assert short["sha256"] == hashlib.sha256(struct.pack("<6f", *(1, 2) * 3)).hexdigest()


def test_health_lists_findings_and_leaves_the_exit_code(tmp_path: Path, capfdbinary: Capture) -> None:
    path = tmp_path / "sick.pt"
    path.write_bytes(
        torch_zip({"a": full("float32", (2,), [float("nan"), 1]), "b": full("int64", (2,), [2**60, 2**60])})
    )
    found, code = inspected(path, capfdbinary, "--health")
    assert code == 0
    rows = [
        (row["tensor"], row["finding"], row["severity"], row["count"], row["first"], row["value"])
        for row in found["health"]
    ]
    assert rows == [("a", "nan", "error", 1, [0], None), ("b", "constant", "note", 2, None, str(2**60))]
    assert found["health"][0]["text"] == "Elements that are no number: 1. The first is [0]."
    assert inspected(path, capfdbinary)[0]["health"] is None


def test_space_tells_where_the_bytes_go(tmp_path: Path, capfdbinary: Capture) -> None:
    path = tmp_path / "slice.pt"
    path.write_bytes(torch_zip({"w": tensor(storage("float32", [0, 1, 2, 3, 4, 5]), (2,), (1,), 1)}))
    (row,) = inspected(path, capfdbinary, "--space")[0]["space"]
    assert (row["document"], row["size"], row["missing"]) == (0, path.stat().st_size, 0)
    assert sum(row["heads"].values()) == row["size"]
    assert (row["heads"]["tensors"], row["heads"]["wasted"], row["heads"]["shared"]) == (8, 16, 0)
    assert inspected(path, capfdbinary)[0]["space"] is None
