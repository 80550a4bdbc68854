"""`picklescope export`: what it writes, what it says, its exit codes, and that nothing half is ever left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import Storage, full, state_dict, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global
from tests.cli.running import PROGRAM, run
from tests.core.export.reading import open_folder, read_npz, read_state_dict
from tests.shared import ROOT
from viewer import torch_client
from viewer.cli import main
from viewer.core.export.plan import Verdict
from viewer.core.opening import open_document

SAMPLES: Final = ROOT / "resources" / "samples"
COUNTED_LATER = (
    "Numbers that are too large or too small for {dtype} are counted as they are written; --dry-run counts them first."
)


def export(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, list[str]]:
    """Exit code and the lines on stderr; nothing is said on stdout."""
    code = main(["export", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return code, err.splitlines()


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A file with two models."""
    path = tmp_path / "two.pt"
    first, second = state_dict({"a": full("float32", (1,), [1])}), state_dict({"b": full("bfloat16", (1,), [2])})
    path.write_bytes(torch_zip({"modelA": first, "modelB": second}))
    return path


def test_an_npz_is_written_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.npz"
    code, lines = export(capsys, SAMPLES / "checkpoint_adam.pt", target)
    assert code == 0
    assert lines == [
        "From model_state_dict: tensors 16, left out 0.",
        f"Written: {target} (tensors 16, bytes {target.stat().st_size:,}).",
        "It loads in numpy 1.0 and later.",
        "Verified: numpy reads the same arrays (16).",
    ]
    assert len(read_npz(target)) == 16


def test_a_table_of_names_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.pt").write_bytes(torch_zip({"../w": full("float32", (1,), [1])}))
    code, lines = export(capsys, tmp_path / "x.pt", tmp_path / "out.npz")
    assert code == 0
    assert lines[1] == "Renamed ../w to __/w: the first name cannot be used there."
    table = tmp_path / "out.names.json"
    assert lines[3] == f"Written too: {table}, the table of names and types, because names had to change: 1."
    code, lines = export(capsys, SAMPLES / "checkpoint_adam.pt", tmp_path / "two.npz", "--names-table")
    assert code == 0
    assert lines[2] == f"Written too: {tmp_path / 'two.names.json'}, the table of names and types, as asked."


@pytest.mark.torch
def test_a_state_dict_is_written_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = export(capsys, SAMPLES / "whole_model_legacy.pth", tmp_path / "out.pth")
    assert code == 0
    assert lines[-1].startswith("Verified: torch ")


def test_what_changes_is_said_before_writing(two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = export(capsys, two, tmp_path / "out.npz", "--root", "modelB", "--no-verify")
    assert code == 0
    assert lines[:2] == ["From modelB: tensors 1, left out 0.", "Converted from bfloat16 to float32: 1 (b)."]
    assert lines[-1] == "Not verified, as asked."
    np.testing.assert_array_equal(read_npz(tmp_path / "out.npz")["b"], np.array([2], "f4"), strict=True)


def test_left_out_and_kept_entries_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = state_dict({"w": full("float32", (1,), [1])})
    value.update(epoch=3, args=Call(Global("argparse", "Namespace")))
    value["\x1b[31mred"] = Call(Global("argparse", "Namespace"))
    (tmp_path / "in.pt").write_bytes(torch_zip(value))
    code, lines = export(capsys, tmp_path / "in.pt", tmp_path / "out.pt", "--no-verify")
    assert code == 0
    assert lines[:4] == [
        "From the whole file: tensors 1, left out 2.",
        "Left out args: it is an object that loading with weights_only refuses.",
        "Left out \\x1b[31mred: it is an object that loading with weights_only refuses.",
        "Kept, though no tensors: 1 (epoch).",
    ]


def test_a_damaged_file_gives_its_whole_tensors_and_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = {"a": full("float32", (2,), [1, 2]), "b": full("float32", (2,), [3, 4])}
    (tmp_path / "in.pt").write_bytes(legacy(value)[:-1])
    code, lines = export(capsys, tmp_path / "in.pt", tmp_path / "out.pt", "--no-verify")
    assert code == 1
    assert "Left out b: 1 of its 8 bytes are missing." in lines
    assert list(read_state_dict(tmp_path / "out.pt")) == ["a"]


def test_several_branches_need_a_choice(two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = export(capsys, two, tmp_path / "out.pt")
    assert code == 2
    assert lines == ["picklescope: This file holds several sets of tensors. Choose one: modelA, modelB."]
    assert not (tmp_path / "out.pt").exists()


def test_names_by_pattern(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample, target = SAMPLES / "checkpoint_adam.pt", tmp_path / "out.npz"
    code, _ = export(capsys, sample, target, "--only", "fc.*", "--only", "*.running_mean")
    assert code == 0
    assert list(read_npz(target)) == ["bn1.running_mean", "bn2.running_mean", "fc.weight", "fc.bias"]


def test_the_form_can_be_stated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = export(capsys, SAMPLES / "checkpoint_adam.pt", tmp_path / "weights.bin", "--as", "npz")
    assert code == 0
    assert len(read_npz(tmp_path / "weights.bin")) == 16


@pytest.mark.parametrize(
    ("source", "target", "options", "sentence"),
    [
        ("none.pt", "out.pt", (), "none.pt: there is no such file."),
        (".", "out.pt", (), " is a folder. Choose a file in it: empty.pt, old.pt, text.pt, two.pt."),
        (
            "two.pt",
            "out.bin",
            (),
            "The suffix of out.bin names no form. Use one of .pth .pt .npz .safetensors .npy .csv, or state the form.",
        ),
        ("two.pt", "out.pt", ("--root", "modelC"), "There are no tensors under modelC. There are: modelA, modelB."),
        ("two.pt", "none/out.pt", ("--root", "modelA"), "none. Make it first, or choose another."),
        ("two.pt", "two.pt", ("--root", "modelA", "--overwrite"), "or one that it is made of. Choose another name."),
        ("two.pt", "old.pt", ("--root", "modelA"), "old.pt exists. Choose another name, or ask for overwriting."),
        ("text.pt", "out.pt", (), "There are no tensors in this file, so there is nothing to export."),
        ("empty.pt", "out.pt", (), "There are no tensors in this file, so there is nothing to export."),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_code_2(
    two: Path, source: str, target: str, options: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = two.parent
    (folder / "old.pt").write_bytes(b"old")
    (folder / "text.pt").write_bytes(b"only some text\n")
    (folder / "empty.pt").write_bytes(b"")
    before = {entry.name: entry.read_bytes() for entry in folder.iterdir()}
    code, lines = export(capsys, folder / source, folder / target, *options)
    assert code == 2
    assert lines[-1].startswith("picklescope: ")
    assert lines[-1].endswith(sentence)
    assert {entry.name: entry.read_bytes() for entry in folder.iterdir()} == before


def test_overwriting_when_it_is_asked_for(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = two.with_name("old.npz")
    target.write_bytes(b"old")
    code, _ = export(capsys, two, target, "--root", "modelA", "--overwrite")
    assert code == 0
    assert list(read_npz(target)) == ["a"]


def test_a_second_reader_that_disagrees_is_code_1(
    two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = Verdict("torch-differs", False, {"version": "9.1", "reason": "the elements of a differ"})
    monkeypatch.setattr(torch_client, "verify", lambda report, progress: verdict)
    code, lines = export(capsys, two, tmp_path / "out.pt", "--root", "modelA")
    assert code == 1
    assert lines[-1] == "torch 9.1 reads other values than were written: the elements of a differ."


def test_without_torch_the_export_is_done_all_the_same(
    two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch_client, "torch_is_there", lambda: False)
    code, lines = export(capsys, two, tmp_path / "out.pt", "--root", "modelA")
    assert code == 0
    assert lines[-1] == "Not verified: torch is not installed here."


@pytest.mark.skipif(os.name == "nt", reason="names are bytes on POSIX only")
def test_a_name_that_is_no_utf_8(two: Path) -> None:
    source, target = os.fsencode(two.parent) + b"/\xff.pt", os.fsencode(two.parent) + b"/\xfe.npz"
    two.rename(Path(os.fsdecode(source)))
    done = run("export", source, target, "--root", "modelA")
    assert done.returncode == 0, done.stderr
    assert b"Verified: numpy reads the same arrays (1)." in done.stderr
    assert Path(os.fsdecode(target)).exists()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs a second user")
def test_a_folder_without_rights(two: Path) -> None:
    with open_folder() as folder:
        closed, source = folder / "closed", folder / "two.pt"
        closed.mkdir(mode=0o555)
        source.write_bytes(two.read_bytes())
        source.chmod(0o644)
        command = [sys.executable, "-c", AS_NOBODY, str(source), str(closed / "out.npz")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1] == (
        f"picklescope: Writing in {closed} is not permitted. Choose another folder."
    )


# The other user may not be able to read the interpreter's modules, so that all are loaded before.
AS_NOBODY = """
import os, sys
from viewer.cli import main
main(["export", sys.argv[1], sys.argv[1] + ".npz", "--root", "modelA"])
os.setgid(65534)
os.setuid(65534)
sys.exit(main(["export", sys.argv[1], sys.argv[2], "--root", "modelA"]))
"""


SLOWED = """
import signal
import sys
from viewer.core.export import state_dict
# A shell that runs tests in the background has its children ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
plain = state_dict.reported
def told(*arguments):
    for number, piece in enumerate(plain(*arguments)):
        yield piece
        if number == 3:
            print("half", flush=True)
            sys.stdin.read()
state_dict.reported = told
"""


@pytest.mark.skipif(os.name == "nt", reason="no such signals on Windows")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_stopped_half_way(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "in").mkdir()
    source, folder = tmp_path / "in" / "in.pt", tmp_path / "out"
    folder.mkdir()
    source.write_bytes(torch_zip({"w": tensor(Storage("uint8", bytes(3_000_000)), (3_000_000,))}))
    command = [sys.executable, "-c", SLOWED + PROGRAM, "export", str(source), str(folder / "out.pt")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, **pipes) as child:
        assert child.stdout.readline() == b"half\n"
        assert [entry for entry in folder.iterdir() if not entry.name.startswith(".out.pt.")] == []
        child.send_signal(number)
        child.stdin.close()
        said = child.stderr.read()
    assert not (folder / "out.pt").exists()
    if number == signal.SIGINT:
        assert list(folder.iterdir()) == []
    assert b"Traceback" not in said
    if number == signal.SIGINT:
        assert child.returncode == 2
        assert said.endswith(b"picklescope: stopped.\n")


LEGACY: Final = SAMPLES / "whole_model_legacy.pth"


def test_a_folder_takes_the_source_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = export(capsys, LEGACY, f"{tmp_path}/out.d{os.sep}")
    assert code == 0
    nbytes = sum(path.stat().st_size for path in (tmp_path / "out.d").rglob("*") if path.is_file())
    assert lines == [
        "Classes with source: 3, in Python files: 2.",
        "Texts of torch itself, kept as stored: 6, in as_stored.",
        f"Written: {tmp_path}/out.d (files 9, bytes {nbytes:,}).",
        "Verified: Python reads all files (3), and all names that they use are found; nothing was run.",
    ]
    assert (tmp_path / "out.d" / "zoo" / "blocks.py").is_file()


def test_a_folder_that_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").mkdir()
    assert export(capsys, LEGACY, tmp_path / "out", "--only", "zoo.*")[0] == 0
    code, lines = export(capsys, LEGACY, tmp_path / "out", "--only", "zoo.*")
    assert (code, lines[-1]) == (2, f"picklescope: {tmp_path}/out exists. Choose another name, or ask for overwriting.")
    assert export(capsys, LEGACY, tmp_path / "out", "--only", "zoo.*", "--overwrite")[0] == 0
    (tmp_path / "out" / "mine.txt").write_text("mine")
    code, lines = export(capsys, LEGACY, tmp_path / "out", "--overwrite")
    assert code == 2
    assert lines[-1].endswith("holds mine.txt, which is not of such an export. Choose another folder, or an empty one.")


def test_a_folder_from_a_file_without_source(two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = export(capsys, two, tmp_path / "out")
    assert code == 2
    assert lines[-1].startswith("picklescope: There is no source in this file.")
    assert not (tmp_path / "out").exists()


def test_safetensors_in_shards_of_a_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = state_dict({name: full("float32", (3,), range(3)) for name in "abc"})
    (tmp_path / "model.pt").write_bytes(torch_zip(value))
    code, lines = export(capsys, tmp_path / "model.pt", tmp_path / "out", "--as", "safetensors", "--shard-size", "24")
    assert code == 0
    assert "Tensors: 3, left out 0, in files of at most 24 bytes of tensors: 2." in lines
    assert lines[-1].startswith("Verified: safetensors ")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        *("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json")
    ]


@pytest.mark.parametrize(
    ("target", "form", "told"),
    [("out.npz", (), "npz"), ("out.pt", (), "state_dict"), ("out", ("--as", "source"), "source")],
)
def test_no_other_form_has_shards(
    two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str, form: tuple[str, ...], told: str
) -> None:
    code, lines = export(capsys, two, tmp_path / target, *form, "--shard-size", "24")
    words = f"--shard-size does nothing for the form {told}. It is for: safetensors_shards."
    assert (code, lines) == (2, [f"picklescope: {words}"])
    assert not (tmp_path / target).exists()


def test_a_size_of_shards_says_what_a_folder_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.pt").write_bytes(torch_zip(state_dict({"a": full("float32", (3,), range(3))})))
    code, _ = export(capsys, tmp_path / "model.pt", tmp_path / "out", "--shard-size", "1GB")
    assert code == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["model.safetensors"]


def test_names_are_changed_as_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(
        torch_zip(
            state_dict(
                {"module.a.w": full("float32", (1,), [1]), "module.b.w": full("float32", (1,), [2])},
                {"": 1, "module": 1, "module.a": 2, "module.b": 3},
            )
        )
    )
    target = tmp_path / "new.pt"
    flags = ("--strip", "module", "--skip", "*.b.*", "--rename", r"re:^a\.=enc.", "--prefix", "net")
    code, lines = export(capsys, path, target, *flags, "--no-verify")
    assert (code, lines[1]) == (0, "Renamed as asked: 1 (module.a.w \u2192 net.enc.w).")
    document = open_document(target)
    assert [tensor.name for tensor in document.tensors] == ["net.enc.w"]
    (branch,) = document.branches("utf-8")
    assert branch.metadata == {"net": {"version": 1}, "net.enc": {"version": 2}, "net.b": {"version": 3}}
    document.source.close()


def test_types_are_changed_as_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(torch_zip(state_dict({"w": full("float32", (2,), [1, 1e9]), "n": full("int8", (1,), [1])})))
    code, lines = export(capsys, path, tmp_path / "new.npz", "--dtype", "float16", "--deflate")
    assert (code, lines) == (
        0,
        [
            "From the whole file: tensors 2, left out 0.",
            "Converted from float32 to float16: 1 (w).",
            COUNTED_LATER.format(dtype="float16"),
            f"Written: {tmp_path / 'new.npz'} (tensors 2, bytes {(tmp_path / 'new.npz').stat().st_size:,}).",
            "Too large for float16, and infinite now: 1 numbers. Write a wider type to keep them.",
            "They are in: w.",
            "It loads in numpy 1.0 and later.",
            "Verified: numpy reads the same arrays (2).",
        ],
    )


def test_a_dry_run_counts_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(torch_zip(state_dict({"w": full("float32", (2,), [1, 1e9])})))
    code, lines = export(capsys, path, tmp_path / "new.pt", "--dtype", "float16", "--dry-run")
    assert (code, lines) == (
        0,
        [
            "From the whole file: tensors 1, left out 0.",
            "Converted from float32 to float16: 1 (w).",
            "Too large for float16: 1 numbers, which would become infinite.",
            "They are in: w.",
        ],
    )
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("flag", ["--compact", "--keep-grad"])
def test_options_of_storages_are_for_torch_only(tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str) -> None:
    code, lines = export(capsys, tmp_path / "absent.pt", tmp_path / "out.npz", flag)
    words = f"picklescope: {flag} does nothing for the form npz. It is for: state_dict, legacy_state_dict."
    assert (code, lines) == (2, [words])


def test_names_of_code_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = export(capsys, tmp_path / "absent.pt", tmp_path / "out", "--rename", "a=b", "--as", "source")
    assert (code, lines) == (2, ["picklescope: The form source keeps all names as they are."])


@pytest.mark.parametrize("rule", ["a", "=b", ""])
def test_rules_have_two_sides(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "a.pt", "b.pt", "--rename", rule]) == 2
    assert "is no rule such as OLD=NEW" in capsys.readouterr().err
