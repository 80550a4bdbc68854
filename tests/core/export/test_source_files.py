"""Stored sources as a folder: what is said, what stands in it, and that hostile files get nothing done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, full, module
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance, Persistent
from tests.core.export.reading import exported
from tests.opened import opened
from tests.shared import ROOT
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export import exporter_for, exporter_of
from viewer.core.export.plan import Plan, Report
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress

SAMPLE: Final = ROOT / "resources" / "samples" / "whole_model_legacy.pth"
LINEAR: Final = ModuleClass("torch.nn.modules.linear", "Linear", "/torch/linear.py", "class Linear(Module):\r\n\tpass")


def planned(document: Document, *only: str) -> Plan:
    return exporter_of("source").plan(document, Wanted(only=only))


def said(plan: Plan) -> list[str]:
    return [line.text for line in plan.lines]


def tree(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def verdict(report: Report) -> tuple[bool | None, str]:
    found = exporter_of("source").verify(report, Progress())
    assert found is not None
    return found.good, found.text


def test_the_sample(tmp_path: Path) -> None:
    document = open_document(SAMPLE)
    report = exported(document, tmp_path / "out", "source")
    document.source.close()
    assert tree(tmp_path / "out") == {
        "main_script.py",
        "zoo/__init__.py",
        "zoo/blocks.py",
        *(
            f"as_stored/torch.nn.modules.{name}.txt"
            for name in ("activation.ReLU", "container.Sequential", "conv.Conv2d", "dropout.Dropout", "linear.Linear")
        ),
        "as_stored/torch.nn.modules.pooling.MaxPool2d.txt",
    }
    assert set(report.plan.files) == tree(tmp_path / "out")
    assert report.nbytes == sum(path.stat().st_size for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert said(report.plan) == [
        "Classes with source: 3, in Python files: 2.",
        "Texts of torch itself, kept as stored: 6, in as_stored.",
    ]
    assert verdict(report) == (
        True,
        "Verified: Python reads all files (3), and all names that they use are found; nothing was run.",
    )


def test_classes_are_left_out_by_pattern() -> None:
    document = open_document(SAMPLE)
    plan = exporter_of("source").plan(document, Wanted(skip=("torch.*", "zoo.*")))
    assert [name for name in plan.files if name.endswith(".py")] == ["main_script.py"]
    assert not any(name.startswith("as_stored") for name in plan.files)
    for wanted, code in (
        (Wanted(skip=("*",)), "export-skip-all"),
        (Wanted(only=("zoo.*",), skip=("zoo.*",)), "export-all-left-out"),
        (Wanted(only=("none",), skip=("zoo.*",)), "source-none-fits"),
    ):
        with pytest.raises(ExportError) as refused:
            exporter_of("source").plan(document, wanted)
        assert refused.value.code == code
    document.source.close()


def test_what_is_odd_is_said_before_writing(tmp_path: Path) -> None:
    classes = [
        ModuleClass("zoo", "Net", "/zoo.py", "class Net(Base):\n    def f(self): return cfg\n"),
        ModuleClass("zoo", "Old", "/zoo.py", "class Old:\n    print 1\n"),
        ModuleClass("zoo", "Lost"),
        LINEAR,
    ]
    report = exported(opened(legacy([module(each) for each in classes])), tmp_path / "out", "source")
    assert said(report.plan) == [
        "Classes with source: 1, in Python files: 1.",
        "Kept as text in zoo.Old.txt, zoo.Old: the text is Python 2 (line 2).",
        "zoo.Net uses names that are not found: Base, cfg.",
        "Texts of torch itself, kept as stored: 1, in as_stored.",
    ]
    assert [(each.name, each.text) for each in report.plan.dropped] == [("zoo.Lost", "its text is not in the file")]
    assert (
        tmp_path / "out/as_stored/torch.nn.modules.linear.Linear.txt"
    ).read_bytes() == b"class Linear(Module):\r\n\tpass"
    assert verdict(report) == (
        True,
        "Verified: Python reads all files (1); nothing was run. They use names that are not found: Base, cfg.",
    )


def test_data_parallel_around_the_model(tmp_path: Path) -> None:
    around = ModuleClass("torch.nn.parallel.data_parallel", "DataParallel", "/t.py", "class DataParallel(Module): pass")
    inner = module(ModuleClass("zoo", "Net", "/zoo.py", "class Net: pass"), {}, {"w": full("float32", (1,), [1])})
    report = exported(opened(legacy(module(around, children={"module": inner}))), tmp_path / "out", "source")
    assert tree(tmp_path / "out") == {"zoo.py", "as_stored/torch.nn.parallel.data_parallel.DataParallel.txt"}
    assert verdict(report)[0] is True


def test_classes_by_name(tmp_path: Path) -> None:
    document = open_document(SAMPLE)
    plan = planned(document, "zoo.*", "*.Linear")
    assert plan.files == ("zoo/__init__.py", "zoo/blocks.py", "as_stored/torch.nn.modules.linear.Linear.txt")
    with pytest.raises(ExportError) as caught:
        planned(document, "lab.*")
    assert str(caught.value).startswith("No class with source fits lab.*. There are: __main__.TheModelClass, ")
    with pytest.raises(ExportError) as caught:
        exporter_of("source").plan(document, Wanted(root="blocks"))
    assert str(caught.value).startswith("Source belongs to the whole file, not to blocks.")
    document.source.close()


def test_several_saves_in_one_file(tmp_path: Path) -> None:
    first = legacy(module(ModuleClass("zoo", "Net", "/zoo.py", "class Net: version = 1")))
    second = legacy([module(ModuleClass("zoo", "Net", "/zoo.py", "class Net: version = 2")), module(LINEAR)])
    exported(opened(first + second), tmp_path / "out", "source")
    assert "version = 2" in (tmp_path / "out" / "zoo.py").read_text()
    assert (tmp_path / "out" / "zoo.Net.txt").read_text() == "class Net: version = 1"


def test_files_without_source() -> None:
    for data, code in (
        (torch_zip({"w": full("float32", (1,), [1])}), "source-nothing"),
        (b"text", "source-nothing"),
        (legacy([module(ModuleClass("zoo", "A")), module(ModuleClass("zoo", "B", "/zoo.py"))]), "source-not-stored"),
    ):
        with pytest.raises(ExportError) as caught:
            planned(opened(data))
        assert caught.value.code == code
    assert str(caught.value).startswith("The source of none of its 2 classes is in this file: they were saved without")


def test_a_folder_that_was_changed_is_not_verified(tmp_path: Path) -> None:
    data = legacy(module(ModuleClass("zoo", "Net", "/zoo.py", "class Net: pass")))
    report = exported(opened(data), tmp_path / "out", "source")
    assert verdict(report)[0] is True
    (tmp_path / "out" / "zoo.py").write_text("class Net: pass")
    assert verdict(report) == (False, "zoo.py is not as it was written: its bytes are others.")
    (tmp_path / "out" / "zoo.py").unlink()
    assert verdict(report) == (False, "zoo.py is not as it was written: No such file or directory.")


@pytest.mark.parametrize("target", ["out", "out/", "./out.d/", ".", "a.b/out"])
def test_a_target_that_is_a_folder_means_source(target: str) -> None:
    assert exporter_for(target).form == "source"


def test_an_existing_folder_means_source(tmp_path: Path) -> None:
    (tmp_path / "model.pt").mkdir()
    assert exporter_for(tmp_path / "model.pt").form == "source"
    assert exporter_for(tmp_path / "other.pt").form == "state_dict"
    assert exporter_for(tmp_path / ("x" * 300)).form == "source"
    assert exporter_for(str(tmp_path / ("x" * 300 + ".npz"))).form == "npz"


def watched(work: Path, temporary: Path, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Export the sources of files under watch; files may be made in `temporary` only."""
    command = [sys.executable, "-m", "tests.core.export.source_audit", str(temporary / "out"), *map(str, arguments)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["TMPDIR"] = str(temporary)
    return subprocess.run(command, cwd=work, env=environment, capture_output=True, check=False)


WEIRD: Final = (
    "raise SystemExit('run')\nimport os; os.system('touch run')\nclass {name}:\n    x = __import__('os').getcwd()\n"
)


def hostile(folder: Path) -> list[Path]:
    """Files whose modules, classes, paths and texts all want something."""
    names = [
        *("..", "../../etc/passwd", "/etc/passwd", "C:\\x", "CON", "a\nimport os", "__main__", "torch.evil", "os"),
        *("types", "zoo.__init__", "\u202ezoo", "antigravity", "zoo" + ".x" * 500, "sitecustomize", "__pycache__"),
        *("zoo.\0", "this"),
    ]
    classes = [ModuleClass(name, "Net", f"{name}\nraise SystemExit", WEIRD.format(name="Net")) for name in names]
    texts = [
        "class Net:\n    x = '" + "y" * 10_000_000 + "'",
        "class Net:\n" + "".join(" " * (at + 1) + "def f():\n" for at in range(1000)),
        "class Net: x = a" + ".b" * 100_000,
        "(" * 100_000,
        *("class Net: x = '\0'", "class Net: x = '\u202e\x1b[31m'", "\ud800", "class Net: print 1"),
        *("# coding: rot13\nclass Net: pass", "from __future__ import braces\nclass Net: pass"),
        *("    class Net:\n        pass", "class Net:\n\tdef f(self):\n        return 1"),
    ]
    long = [ModuleClass("zoo.texts", f"Net{at}", "x", text.replace("Net", f"Net{at}")) for at, text in enumerate(texts)]
    classes += [
        ModuleClass("zoo", name, "x", WEIRD.format(name="Net"))
        for name in ("../Net", "Net\nraise", "a.b.c", "CON", "<locals>.Net")
    ]
    nested = Call(Global("builtins", "getattr"), (Global("zoo", "Outer"), "../Inner"))
    computed = Call(Global("builtins", "eval"), ("zoo.Net",))
    persistent = [Persistent(("module", each, "x", "class Net: pass")) for each in (nested, computed, 3, None)]
    (folder / "classes.pth").write_bytes(legacy([module(each) for each in classes], protocol=4))
    (folder / "texts.pth").write_bytes(legacy([module(each) for each in long]))
    (folder / "nested.pth").write_bytes(legacy([Instance(each) for each in persistent]))
    return [folder / name for name in ("classes.pth", "nested.pth", "texts.pth")]


def test_hostile_sources_are_written_safely_and_nothing_is_run(tmp_path: Path) -> None:
    work, temporary = tmp_path / "work", tmp_path / "temporary"
    for place in (work, temporary):
        place.mkdir()
    files = hostile(tmp_path)
    done = watched(work, temporary, *files)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert list(work.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("classes.pth", "nested.pth", "temporary", "texts.pth", "work")
    ]
    written = [path.relative_to(temporary).parts for path in temporary.rglob("*")]
    assert len(written) > 40
    for parts in written:
        for part in parts:
            assert part.isprintable()
            assert not set(part) & set('\\:*?"<>|')
            assert part.partition(".")[0].casefold() not in {"con", "nul"}


@pytest.mark.parametrize("slip", ["import", "exec", "open"])
def test_the_watch_sees(slip: str, tmp_path: Path) -> None:
    for name in ("work", "temporary"):
        (tmp_path / name).mkdir()
    done = watched(tmp_path / "work", tmp_path / "temporary", "--slip", slip)
    assert done.returncode == 3
    assert b"forbidden: " in done.stderr
