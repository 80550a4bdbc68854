"""What is said of the samples of ../shared: each fault by a Problem, what torch.load does by the loading prediction.

`diagnosis` and `result` of expected.json tell what is wrong and what torch 2.13 did with each file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

from tests.core.export.reading import exported
from tests.expected import Facts, expected
from tests.shared import ABSENT
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.problem import Problem
from viewer.core.span import Span
from viewer.core.summary.prediction import Prediction, predict
from viewer.core.tensors import window
from viewer.core.tensors.hashing import sha256

KEPT: Final = re.compile(r"weights_only=(True|False)")
# Files that torch.load read from an open file behind other bytes; by their name it does not.
POSITIONED: Final = frozenset({"B_legacy_offset.bin", "C_zip_offset.bin"})
# torch.load hands them to another reader, and weights_only=True refuses them.
SCRIPTS: Final = frozenset({"torchscript", "torch-mobile"})
# What loads with the person's own modules only: torch had them where these facts were made, or not.
OWN: Final = frozenset({"classes-missing"})
READ_BY_OTHERS: Final = frozenset({"npy", "npz", "safetensors"})


def names(*keys: str) -> list[object]:
    """The samples that have one of these facts; those of sets (G) are told of elsewhere."""
    facts = expected("samples")
    listed: list[object] = [
        name
        for name, entry in sorted(facts.items())
        if not name.startswith("G_") and not is_set(entry) and any(entry.get(key) for key in keys)
    ]
    return listed or [pytest.param("absent", marks=pytest.mark.skip(reason=ABSENT))]


def is_set(entry: Facts) -> bool:
    return bool(entry.get("files"))


@pytest.fixture
def sample(request: pytest.FixtureRequest, shared: Path) -> Any:
    """The document of a sample."""
    document = open_document(shared / "samples" / request.param)
    yield document
    document.source.close()


def fact(request: pytest.FixtureRequest) -> Facts:
    return dict(expected("samples")[request.node.callspec.params["sample"]])


def outcome(result: Facts, key: str) -> str | None:
    """The error that torch gave; "" where it loaded the file, None where it was not asked."""
    if key not in result:
        return None
    given = result[key]
    return str(given.get("error", "")) if isinstance(given, dict) else "" if given == "ok" else str(given)


@pytest.mark.parametrize("sample", names("result"), indirect=True)
def test_the_prediction_is_what_torch_did(sample: Document, request: pytest.FixtureRequest) -> None:
    result = fact(request)["result"]
    safe, plain = outcome(result, "weights_only_True"), outcome(result, "weights_only_False")
    if safe is None or sample.path is None or sample.path.name in POSITIONED:
        return
    found = predict(sample)
    told = {each.code for each in found.expectations}
    kept = KEPT.search(found.code or "")
    if safe == "":
        assert told & {"loads-by-name"} or (kept and kept[1] == "True"), told
    else:
        assert "loads" not in told
        assert plain is not None
        refused(sample, found, told, plain)


def refused(sample: Document, found: Prediction, told: set[str], plain: str) -> None:
    """weights_only=True failed; `plain`: the error without it, "" where that went well."""
    if plain == "":
        assert "script" in told if sample.format in SCRIPTS else found.code is not None
    elif sample.format not in READ_BY_OTHERS and not told & OWN:
        assert found.code is None


def of(document: Document) -> list[Problem]:
    return [problem for part in document.walk() for problem in part.problems]


# A fault -> the code that names it, and where it stands in the file (None: in no one place).
FAULTS: Final[dict[str, tuple[str, tuple[int, int] | None]]] = {
    "A_tar_dotslash.pt": ("tar-names-dotted", (0, 512)),
    "A_tar_early2016.pt": ("tar-early", None),
    "A_tar_not_torch.tar": ("kind-tar", (0, 10240)),
    "A_tar_storage_none.pt": ("tar-without-storage", (2601, 2617)),
    "A_tar_truncated.pt": ("tar-record-cut", (4096, 4396)),
    "B_legacy_bad_magic.pt": ("legacy-magic", (0, 15)),
    "B_legacy_bad_version.pt": ("legacy-version", (17, 20)),
    "B_legacy_count_mismatch.pt": ("storage-count", (280, 288)),
    "B_legacy_magic_only.pt": ("legacy-parts-missing", (15, 15)),
    "B_legacy_missing_key.pt": ("storage-missing", (272, 294)),
    "B_legacy_offset.bin": ("checkpoint-further-on", (0, 8)),
    "B_legacy_oob_view.pt": ("tensor-outside-storage", (150, 267)),
    "B_legacy_proto0.pt": ("persistent-text", None),
    "B_legacy_trailing.pt": ("torch-trailing", (357, 366)),
    "B_legacy_trunc_magic.pt": ("pickle-cut", (2, 3)),
    "C_zip_bad_byteorder.pt": ("torch-byteorder", (903, 910)),
    "C_zip_bad_local_sig.pt": ("zip-header-signature", (0, 4)),
    "C_zip_bad_opcode.pt": ("pickle-extension", (64, 67)),
    "C_zip_comment.pt": ("zip-end-in-comment", (2224, 2228)),
    "C_zip_crc_off.pt": ("zip-no-checksums", (2168, 2236)),
    "C_zip_duplicate.pt": ("zip-name-twice", (1424, 1468)),
    "C_zip_no_data_pkl.pt": ("torch-no-object", None),
    "C_zip_no_root.pt": ("torch-folders", (0, 38)),
    "C_zip_no_version.pt": ("torch-version-missing", None),
    "C_zip_offset.bin": ("zip-prefix", (0, 8)),
    "C_zip_prefix_junk.pt": ("zip-prefix", (0, 10)),
    "C_zip_proto0.pt": ("persistent-text", None),
    "C_zip_storage_long.pt": ("storage-size-differs", (124, 185)),
    "C_zip_storage_missing.pt": ("storage-record-missing", (336, 376)),
    "C_zip_suffix_junk.pt": ("zip-trailing", (3029, 3129)),
    "C_zip_t140py2_experimental.pt": ("torch-tensors-folder", (0, 1185)),
    "C_zip_trunc_cd.pt": ("zip-directory-missing", (2168, 2168)),
    "C_zip_trunc_eocd.pt": ("zip-directory-cut", (2168, 3007)),
    "C_zip_two_concat.pt": ("zip-prefix", (0, 1577)),
    "C_zip_two_roots.pt": ("torch-folders", (1424, 1470)),
    "C_zip_version_0.pt": ("torch-version", (1322, 1324)),
    "C_zip_version_11.pt": ("torch-version", (1322, 1325)),
    "C_zip_version_text.pt": ("torch-version", (1322, 1327)),
    "H_bad_memo.pkl": ("pickle-empty-memo", (2, 3)),
    "H_cloudpickle.pkl": ("pickle-code-object", None),
    "H_dill.pkl": ("pickle-code-object", None),
    "H_ext.pkl": ("pickle-extension", (2, 4)),
    "H_leftover_stack.pkl": ("pickle-left-over", (6, 7)),
    "H_proto5_oob.pkl": ("array-buffer-missing", (18, 124)),
    "H_proto9.pkl": ("pickle-protocol", (0, 2)),
    "H_stack_underflow.pkl": ("pickle-underflow", (4, 5)),
    "H_trailing.pkl": ("pickle-trailing", (17, 35)),
    "H_truncated.pkl": ("pickle-cut", (494, 495)),
    "H_unknown_opcode.pkl": ("pickle-unknown-opcode", (4, 5)),
    "I_bad_truncated.safetensors": ("file-ends-early", (66, 67)),
    "I_truncated.npy": ("npy-data-cut", (128, 147)),
    "J_t1121_csr.pt": ("tensor-function-gone", (66, 474)),
    "J_t1121_untyped.pt": ("storage-class-gone", None),
    "L_crlf.pt": ("legacy-as-text-line-ends", (0, 2311)),
    "L_failed_save.pt": ("legacy-save-failed", (137, 137)),
    "L_paddle.pdparams": ("pickle-paddle", None),
    "L_utf8_mangled.pt": ("legacy-as-text-utf-8", (0, 2389)),
    "L_zip_empty.pt": ("kind-zip-empty", (0, 22)),
    "L_zip_encrypted_flag.pt": ("zip-encrypted", (0, 64)),
    "L_zip_spanned.pt": ("zip-prefix", (0, 4)),
    "M_bad_bool_bytes.pt": ("tensor-bool-bytes", (304, 308)),
    "M_huge_numel.pt": ("storage-size-differs", (95, 164)),
    "M_negative_offset.pt": ("tensor-layout", (59, 209)),
    "M_out_of_bounds.pt": ("tensor-outside-storage", (59, 210)),
    "M_path_key.pt": ("storage-key", (95, 164)),
    "M_pid_6_items.pt": ("persistent-items", None),
    "M_pid_unknown_kind.pt": ("persistent-kind", None),
    "M_rank_mismatch.pt": ("tensor-layout", (59, 208)),
    "M_requires_grad_int.pt": ("tensor-gradient", (59, 205)),
    "M_two_classes_one_key.pt": ("storage-conflict", (218, 251)),
}


def faults() -> list[object]:
    here = sorted(FAULTS.keys() & expected("samples").keys())
    return [*here] or [pytest.param("absent", marks=pytest.mark.skip(reason=ABSENT))]


@pytest.mark.parametrize("sample", faults(), indirect=True)
def test_a_fault_is_named_where_it_stands(sample: Document, request: pytest.FixtureRequest) -> None:
    code, place = FAULTS[request.node.callspec.params["sample"]]
    found = [problem for problem in of(sample) if problem.code == code]
    assert found, sorted(problem.code for problem in of(sample))
    assert "{" not in found[0].text
    if place is not None:
        assert found[0].span == Span(*place)


# A fault that the file has only where it is loaded, in the sentence on that.
SAID: Final = {
    "B_legacy_dtypes_v3.pt": "untyped-legacy",
    "B_legacy_missing_key.pt": "uninitialised",
    "B_legacy_module_nosource.pt": "classes-missing",
    "B_legacy_storage_then_tensor.pt": "untyped-legacy",
    "B_legacy_storages.pt": "untyped-legacy",
    "C_zip_big_endian_v3.pt": "untyped-order",
    "D_t100_script.pt": "not-torch-old",
    "H_evil_inst.pkl": "runs-names",
    "H_evil_obj.pkl": "runs-names",
    "H_evil_reduce.pkl": "runs-names",
    "H_evil_stack_global.pkl": "runs-names",
    "J_t1121_untyped.pt": "odd",
}


def said() -> list[object]:
    here = sorted(SAID.keys() & expected("samples").keys())
    return [*here] or [pytest.param("absent", marks=pytest.mark.skip(reason=ABSENT))]


@pytest.mark.parametrize("sample", said(), indirect=True)
def test_what_is_said_on_loading(sample: Document, request: pytest.FixtureRequest) -> None:
    assert SAID[request.node.callspec.params["sample"]] in [each.code for each in predict(sample).expectations]


# Tensors that are more than plain elements have no form of export yet.
SPECIAL: Final = frozenset({"J_t1121_csr.pt", "J_dtensor.pt"})


def unloadable() -> list[object]:
    """Those that torch 2.13 does not load: `expected` gives what stands in the file."""
    return [name for name in names("expected") if name not in SPECIAL]


@pytest.mark.parametrize("sample", unloadable(), indirect=True)
def test_what_torch_does_not_load_is_exported(sample: Document, tmp_path: Path) -> None:
    plain = [each for part in sample.walk() for each in part.tensors if each.kind == "tensor" and each.name]
    for form, target in (("state_dict", "out.pt"), ("npz", "out.npz")):
        report = exported(sample, tmp_path / target, form)
        assert report.plan.items
    back = open_document(tmp_path / "out.pt")
    kept = {each.name: sha256(each) for each in back.tensors}
    back.source.close()
    assert {each.name: sha256(each) for each in plain}.items() <= kept.items()
    assert all(window.complete(each) for each in plain)
