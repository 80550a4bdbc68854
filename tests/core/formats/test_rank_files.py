"""Files of several ranks as one document: names, parts along an axis, runs of ZeRO, what stays open or is missing."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest

from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance
from tests.opened import codes, regions_tile
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.formats.base import Options
from viewer.core.formats.rank_files.axes import axis_of
from viewer.core.formats.rank_files.names import Group, RankFile, find_group, iteration_of, missing_numbers, tag_of
from viewer.core.opening import open_document
from viewer.core.tensors import window
from viewer.core.tensors.path import shown
from viewer.core.tensors.tensor import Tensor


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(torch_zip(value))


def by_path(document: Document) -> dict[str, Tensor]:
    return {shown(tensor.path): tensor for tensor in document.tensors}


def values_of(document: Document, path: str) -> object:
    return window.read(by_path(document)[path]).tolist()


def size(*shape: int) -> Call:
    return Call(Global("torch", "Size"), (tuple(shape),))


# -- names --------------------------------------------------------------------------------------------


def test_groups_by_their_names() -> None:
    names = [
        "latest",
        "global_step9/mp_rank_00_model_states.pt",
        "global_step10/mp_rank_00_model_states.pt",
        "global_step10/zero_pp_rank_1_mp_rank_00_optim_states.pt",
        "global_step10/bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt",
        "zero_to_fp32.py",
    ]
    found = find_group(names)
    assert found is not None
    assert (found.kind, found.tag, found.others) == ("DeepSpeed", "global_step10", ("global_step9",))
    assert [(file.role, file.part, file.replica) for file in found.files] == [
        *(("model", 0, 0), ("optimizer", 0, 0), ("optimizer", 0, 1))
    ]
    asked = find_group(names, "global_step9")
    assert asked is not None
    assert asked.tag == "global_step9"


@pytest.mark.parametrize(
    ("names", "kind", "tag", "world"),
    [
        (["iter_0000010/mp_rank_01_002/model_optim_rng.pt"], "Megatron-LM", "iter_0000010", 0),
        (["mp_rank_00/model_optim_rng.pt", "mp_rank_01/model_optim_rng.pt"], "Megatron-LM", "", 0),
        (["consolidated.00.pth", "consolidated.01.pth"], "tensor-parallel parts", "", 0),
        (["model_world_size_2_rank_0.pt", "model_world_size_2_rank_1.pt"], "FSDP", "", 2),
        (["ckpt-rank0.bin", "ckpt-rank1.bin"], "FSDP", "", 0),
        (["shard_rank_0_of_4.pth", "shard_rank_3_of_4.pth"], "FSDP", "", 4),
    ],
)
def test_kinds_of_groups(names: list[str], kind: str, tag: str, world: int) -> None:
    found = find_group(names)
    assert found is not None
    assert (found.kind, found.tag, found.world, len(found.files)) == (kind, tag, world, len(names))


@pytest.mark.parametrize(
    "names", [[], ["model.pt"], ["consolidated.00.pth"], ["rank0.pt"], ["a_rank_0.pt", "b_rank_0.pt"], ["frank.pt"]]
)
def test_no_group(names: list[str]) -> None:
    assert find_group(names) is None


def test_stages_and_parts_of_megatron() -> None:
    found = find_group(["i/mp_rank_01_003/model_optim_rng.pt", "i/mp_rank_00_003/distrib_optim.pt"])
    assert found == Group(
        "Megatron-LM",
        "i",
        (
            RankFile("i/mp_rank_01_003/model_optim_rng.pt", "model", 1, 3),
            RankFile("i/mp_rank_00_003/distrib_optim.pt", "optimizer", 0, 3),
        ),
    )


def test_what_latest_may_name() -> None:
    assert [tag_of(text) for text in ("global_step10\n", "../x", "a/b", "", "..", "x\0y")] == [
        "global_step10",
        *[""] * 5,
    ]
    assert [iteration_of(text) for text in ("10\n", "release", "-1", "1e3", "9" * 30)] == [
        *("iter_0000010", "release", "", "", "")
    ]
    assert missing_numbers([0, 2], 4) == [1, 3]


@pytest.mark.parametrize(
    ("name", "shape", "hidden", "axis"),
    [
        ("layers.0.attention.wq.weight", (4, 8), 8, 0),
        ("layers.0.attention.wo.weight", (8, 4), 8, 1),
        ("tok_embeddings.weight", (100, 4), 8, 1),
        ("tok_embeddings.weight", (50, 8), 8, 0),
        ("layers.0.attention.wq.weight", (8, 8), 8, 0),
        ("layers.0.unknown.weight", (8, 8), 8, None),
        ("layers.0.unknown.weight", (4, 8), 0, None),
        ("encoder.layers.0.self_attention.dense.weight", (8, 8), 8, 1),
        ("head.dense.weight", (8, 8), 8, None),
        ("mlp.dense_h_to_4h.bias", (16,), 8, 0),
        ("mlp.dense_4h_to_h.bias", (8,), 8, None),
        ("conv.weight", (4, 8, 3), 8, None),
    ],
)
def test_axes(name: str, shape: tuple[int, ...], hidden: int, axis: int | None) -> None:
    assert axis_of(name, shape, hidden, 2) == axis


# -- parts along an axis ------------------------------------------------------------------------------


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """Two parts: `wq` cut by rows, `wo` by columns, the norm in both, `freqs` that nothing tells of."""
    for number in range(2):
        first = 16 * number
        write(
            tmp_path / f"consolidated.0{number}.pth",
            OrderedDict(
                {
                    "layers.0.attention.wq.weight": full("int16", (2, 4), range(first, first + 8)),
                    "layers.0.attention.wo.weight": full("int16", (4, 2), range(first + 8, first + 16)),
                    "norm.weight": full("float32", (4,), [1, 2, 3, 4]),
                    "freqs": full("float32", (3,), [number] * 3),
                }
            ),
        )
    return tmp_path


def test_parts_are_put_together_where_their_axis_is_known(parts: Path) -> None:
    document = open_document(parts)
    assert (document.format, document.detail) == ("distributed", "tensor-parallel parts")
    assert [(file.name, bool(file.size)) for file in document.files] == [
        *(("consolidated.00.pth", True), ("consolidated.01.pth", True))
    ]
    assert [shown(found.path) for found in document.tensors] == [
        *("layers.0.attention.wq.weight", "layers.0.attention.wo.weight", "norm.weight"),
        *("freqs.part 0", "freqs.part 1"),
    ]
    assert values_of(document, "layers.0.attention.wq.weight") == [
        *([0, 1, 2, 3], [4, 5, 6, 7], [16, 17, 18, 19], [20, 21, 22, 23])
    ]
    assert values_of(document, "layers.0.attention.wo.weight") == [
        *([8, 9, 24, 25], [10, 11, 26, 27], [12, 13, 28, 29], [14, 15, 30, 31])
    ]
    whole = by_path(document)["layers.0.attention.wo.weight"]
    assert [(role, piece.member, piece.offsets) for role, piece in whole.parts] == [
        *(("piece", "consolidated.00.pth", (0, 0)), ("piece", "consolidated.01.pth", (0, 2)))
    ]
    assert by_path(document)["norm.weight"].member == "consolidated.00.pth"
    assert codes(document) == ["ranks-kind", "ranks-pieces", "ranks-open"]
    facts = {problem.code: problem.params for problem in document.problems}
    assert facts["ranks-pieces"]["count"] == 2
    assert facts["ranks-open"]["names"] == "freqs"
    regions_tile(document)
    document.close()


def test_a_part_that_is_missing_leaves_a_hole(parts: Path) -> None:
    (parts / "consolidated.00.pth").rename(parts / "consolidated.02.pth")
    document = open_document(parts)
    missing = next(problem for problem in document.problems if problem.code == "ranks-missing")
    assert missing.params == {"count": 1, "ranks": "part 0"}
    whole = by_path(document)["layers.0.attention.wq.weight"]
    assert (whole.shape, window.missing_bytes(whole)) == ((6, 4), (16, 48))
    assert window.read(whole, (slice(2, 4),)).tolist() == [[16, 17, 18, 19], [20, 21, 22, 23]]
    document.close()


def test_a_part_that_cannot_be_read_does_not_stop_the_rest(parts: Path) -> None:
    (parts / "consolidated.01.pth").write_bytes(b"")
    document = open_document(parts)
    assert values_of(document, "norm.weight") == [1, 2, 3, 4]
    assert [child.format for child in document.children] == ["torch-zip", "empty"]
    document.close()


def test_one_part_alone_says_that_it_is_one(parts: Path) -> None:
    document = open_document(parts / "consolidated.00.pth")
    assert document.format == "torch-zip"
    lone = next(problem for problem in document.problems if problem.code == "ranks-lone-part")
    assert lone.params["files"] == "consolidated.01.pth"
    document.close()
    whole = open_document(parts / "consolidated.00.pth", options=Options(whole_set=True))
    assert (whole.format, whole.opened_by) == ("distributed", "consolidated.00.pth")
    whole.close()


# -- ZeRO ---------------------------------------------------------------------------------------------


def model_states(**more: object) -> dict[str, object]:
    shapes = [OrderedDict({"a": size(2, 3), "b": size(2)}), OrderedDict({"c": size(3)})]
    return {"module": OrderedDict({"a": full("float16", (2, 3), range(6))}), "param_shapes": shapes, **more}


def optimizer(*groups: list[float], key: str = "single_partition_of_fp32_groups") -> dict[str, object]:
    runs = [full("float32", (len(group),), group) for group in groups]
    return {"optimizer_state_dict": {key: runs, "partition_count": [2, 2], "step": full("float32", (), [5])}}


def zero(folder: Path, *states: dict[str, object], **more: object) -> Path:
    write(folder / "global_step1" / "mp_rank_00_model_states.pt", model_states(**more))
    for rank, state in enumerate(states):
        write(folder / "global_step1" / f"zero_pp_rank_{rank}_mp_rank_00_optim_states.pt", state)
    (folder / "latest").write_text("global_step1", encoding="utf-8")
    return folder


def test_runs_of_two_stages_are_the_weights(tmp_path: Path) -> None:
    # Group 0 has 8 elements, 4 a rank; group 1 has 3, padded to 2 a rank.
    document = open_document(zero(tmp_path, optimizer([0, 1, 2, 3], [8, 9]), optimizer([4, 5, 6, 7], [10, -1])))
    assert document.path == tmp_path / "latest"
    assert [shown(found.path) for found in document.tensors] == [
        *(
            "module.a",
            "rank 0.optimizer_state_dict.step",
            "rank 1.optimizer_state_dict.step",
            "fp32.a",
            "fp32.b",
            "fp32.c",
        )
    ]
    assert values_of(document, "fp32.a") == [[0, 1, 2], [3, 4, 5]]
    assert values_of(document, "fp32.b") == [6, 7]
    assert values_of(document, "fp32.c") == [8, 9, 10]
    assert [(piece.member.rpartition("/")[2], piece.offsets) for _, piece in by_path(document)["fp32.b"].parts] == [
        ("zero_pp_rank_1_mp_rank_00_optim_states.pt", (4,))
    ]
    assert codes(document) == ["ranks-kind"]
    document.close()


def test_runs_of_the_third_stage(tmp_path: Path) -> None:
    # Each weight is cut by itself: a in 3 + 3, b in 1 + 1, c in 2 + 1 and a padding.
    first = optimizer([0, 1, 2, 10, 20, 21], key="fp32_flat_groups")
    second = optimizer([3, 4, 5, 11, 22, -1], key="fp32_flat_groups")
    document = open_document(zero(tmp_path, first, second))
    assert values_of(document, "fp32.a") == [[0, 1, 2], [3, 4, 5]]
    assert values_of(document, "fp32.b") == [10, 11]
    assert values_of(document, "fp32.c") == [20, 21, 22]
    document.close()


def test_runs_of_the_third_stage_in_several_groups(tmp_path: Path) -> None:
    # The weights go on in the next run: a and b in the first, c in the second. The other rank has it in one.
    first = optimizer([0, 1, 2, 10], [20, 21], key="fp32_flat_groups")
    second = optimizer([3, 4, 5, 11, 22, -1], key="fp32_flat_groups")
    document = open_document(zero(tmp_path, first, second))
    assert values_of(document, "fp32.a") == [[0, 1, 2], [3, 4, 5]]
    assert values_of(document, "fp32.b") == [10, 11]
    assert values_of(document, "fp32.c") == [20, 21, 22]
    assert codes(document) == ["ranks-kind"]
    document.close()


def frozen(folder: Path, *fragments: list[float], **more: object) -> Path:
    for rank, numbers in enumerate(fragments):
        state = model_states(
            frozen_param_shapes=OrderedDict({"f": size(1, 5)}),
            frozen_param_fragments=OrderedDict({"f": full("float16", (len(numbers),), numbers)}),
            dp_world_size=2,
            **more,
        )
        write(folder / "global_step1" / f"zero_pp_rank_{rank}_mp_rank_00_model_states.pt", state)
    return folder


def test_weights_that_are_not_trained_are_put_together_too(tmp_path: Path) -> None:
    document = open_document(frozen(tmp_path, [50, 51, 52], [53, 54, 0]))
    assert [shown(found.path) for found in document.tensors] == ["module.a", "fp32.f"]
    weight = by_path(document)["fp32.f"]
    assert (weight.dtype, weight.shape) == ("float16", (1, 5))
    assert values_of(document, "fp32.f") == [[50, 51, 52, 53, 54]]
    assert codes(document) == ["ranks-kind"]
    document.close()


def test_pieces_of_ranks_that_nothing_joins_have_paths_of_their_own(tmp_path: Path) -> None:
    for rank in range(2):
        state = {"module": OrderedDict(), "state": full("int32", (1,), [rank])}
        write(tmp_path / f"zero_pp_rank_{rank}_mp_rank_00_model_states.pt", state)
    document = open_document(tmp_path)
    assert [shown(found.path) for found in document.tensors] == ["state.rank 0", "state.rank 1"]
    document.close()


def test_weights_that_the_runs_do_not_have_are_told(tmp_path: Path) -> None:
    first = optimizer([0, 1, 2, 10], key="fp32_flat_groups")
    second = optimizer([3, 4, 5, 11], key="fp32_flat_groups")
    document = open_document(zero(tmp_path, first, second))
    holes = next(problem for problem in document.problems if problem.code == "ranks-holes")
    assert (holes.params["count"], holes.params["names"]) == (1, "c")
    document.close()


def test_a_rank_of_zero_that_is_missing(tmp_path: Path) -> None:
    zero(tmp_path, optimizer([0, 1, 2, 3], [8, 9]), optimizer([4, 5, 6, 7], [10, -1]))
    (tmp_path / "global_step1" / "zero_pp_rank_1_mp_rank_00_optim_states.pt").unlink()
    document = open_document(tmp_path)
    assert "ranks-missing" in codes(document)
    weights = by_path(document)
    assert not window.complete(weights["fp32.a"])
    assert window.read(weights["fp32.a"], (0,)).tolist() == [0, 1, 2]
    with pytest.raises(window.IncompleteError):
        window.read(weights["fp32.b"])
    document.close()


@pytest.mark.parametrize("text", ["", "global_step7", "../elsewhere"])
def test_latest_names_what_is_not_there(tmp_path: Path, text: str) -> None:
    zero(tmp_path, optimizer([0, 1, 2, 3], [8, 9]))
    (tmp_path / "latest").write_text(text, encoding="utf-8")
    document = open_document(tmp_path)
    latest = next(problem for problem in document.problems if problem.code == "ranks-latest")
    assert latest.params["found"] == "global_step1"
    assert "fp32.a" in by_path(document)
    document.close()


def test_shapes_that_fit_no_run(tmp_path: Path) -> None:
    shapes = [OrderedDict({"a": size(2**40, 2**40)})]
    document = open_document(zero(tmp_path, optimizer([1, 2], [3]), optimizer([1, 2], [3]), param_shapes=shapes))
    assert [name for name in by_path(document) if name.startswith("fp32")] == []
    assert codes(document) == ["ranks-kind", "ranks-holes"]
    document.close()


# -- Megatron and FSDP --------------------------------------------------------------------------------


def test_stages_of_megatron_keep_their_layers_apart(tmp_path: Path) -> None:
    for stage in range(2):
        write(
            tmp_path / "iter_0000003" / f"mp_rank_00_00{stage}" / "model_optim_rng.pt",
            {"model": {"layers.0.w": full("int32", (1,), [stage])}},
        )
    (tmp_path / "latest_checkpointed_iteration.txt").write_text("3", encoding="utf-8")
    document = open_document(tmp_path)
    assert [shown(found.path) for found in document.tensors] == [
        *("stage 0.model.layers.0.w", "stage 1.model.layers.0.w")
    ]
    assert document.source.read(0, 9) == b"3"
    document.close()


def test_a_file_of_megatron_alone_says_that_it_is_a_part(tmp_path: Path) -> None:
    arguments = Instance(Global("argparse", "Namespace"), state={"tensor_model_parallel_size": 2})
    path = tmp_path / "mp_rank_01_000" / "model_optim_rng.pt"
    write(path, {"args": arguments, "model": {"w": full("int32", (1,), [1])}})
    document = open_document(path)
    lone = next(problem for problem in document.problems if problem.code == "ranks-lone-part")
    assert dict(lone.params) == {
        "count": 2,
        "kind": "Megatron-LM",
        "files": "mp_rank_00_000/model_optim_rng.pt",
    }
    document.close()


@pytest.mark.parametrize("size", [1, None])
def test_a_file_of_megatron_that_is_the_whole_says_nothing(tmp_path: Path, size: int | None) -> None:
    arguments = Instance(Global("argparse", "Namespace"), state={"tensor_model_parallel_size": size})
    path = tmp_path / "mp_rank_00" / "model_optim_rng.pt"
    write(path, {"args": arguments, "model": {"w": full("int32", (1,), [1])}})
    document = open_document(path)
    assert [code for code in codes(document) if code.startswith("ranks-")] == []
    document.close()


@pytest.mark.parametrize(("gated", "shape"), [(False, (4, 2)), (True, None)])
def test_gated_layers_of_megatron_are_not_joined(tmp_path: Path, gated: bool, shape: tuple[int, int] | None) -> None:
    arguments = Instance(Global("argparse", "Namespace"), state={"swiglu": gated, "tensor_model_parallel_size": 2})
    for part in range(2):
        model = {
            "mlp.linear_fc1.weight": full("int32", (2, 2), [4 * part + number for number in range(4)]),
            "final_norm.weight": full("int32", (2,), [1, 1]),
        }
        write(tmp_path / f"mp_rank_0{part}" / "model_optim_rng.pt", {"args": arguments, "model": model})
    document = open_document(tmp_path)
    whole = by_path(document).get("model.mlp.linear_fc1.weight")
    assert (whole.shape if whole is not None else None) == shape
    document.close()


def test_plain_tensors_of_ranks(tmp_path: Path) -> None:
    for rank in range(2):
        value = {"same": full("int32", (2,), [1, 2]), "own": full("int32", (2,), [rank, rank])}
        write(tmp_path / f"model_world_size_3_rank_{rank}.pt", value)
    document = open_document(tmp_path)
    assert [shown(found.path) for found in document.tensors] == ["same", "own.part 0", "own.part 1"]
    assert codes(document) == ["ranks-kind", "ranks-missing", "ranks-open"]
    document.close()


def test_large_tensors_that_each_part_has_are_not_put_together(tmp_path: Path) -> None:
    for number in range(2):
        shared, own = [7] * 600_000, [7] * 32_768 + [number] * 567_232
        weights = {
            "norm.weight": full("float32", (4,), [1, 2, 3, 4]),
            "positions.weight": full("int16", (150_000, 4), shared),
            "cut.weight": full("int16", (150_000, 4), [number, *shared[1:]]),
            "small.weight": full("int8", (150_000, 4), own),
        }
        write(tmp_path / f"consolidated.0{number}.pth", weights)
    document = open_document(tmp_path)
    assert [(shown(found.path), found.shape) for found in document.tensors] == [
        ("norm.weight", (4,)),
        ("positions.weight.part 0", (150_000, 4)),
        ("positions.weight.part 1", (150_000, 4)),
        ("cut.weight", (300_000, 4)),
        ("small.weight", (300_000, 4)),
    ]
    assert codes(document) == ["ranks-kind", "ranks-pieces", "ranks-open"]
    document.close()


def test_strided_pieces(tmp_path: Path) -> None:
    turned = tensor(storage("int32", range(6)), (2, 3), (1, 2))
    for part in range(2):
        write(
            tmp_path / f"consolidated.0{part}.pth",
            {"output.weight": turned if part else full("int32", (2, 3), [9] * 6)},
        )
    document = open_document(tmp_path)
    assert np.array(values_of(document, "output.weight")).tolist() == [[9, 9, 9], [9, 9, 9], [0, 2, 4], [1, 3, 5]]
    document.close()


def test_a_folder_without_files_of_ranks(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"x")
    with pytest.raises(SourceError):
        open_document(tmp_path)
