"""Sources in files that three versions of torch wrote: the same classes, each text as it stands in its file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.shared import ROOT
from viewer.core.code.embedded import EmbeddedSource
from viewer.core.opening import open_document

DATA: Final = ROOT / "tests" / "data" / "recovery"
WRITERS: Final = ROOT / "tests" / "with_torch"
VERSIONS: Final = ("1.0", "1.4", "2.13")
PICTURE: Final = [
    "zoo.networks.Picture",
    "zoo.blocks.Block",
    "zoo.blocks.Residual",
    "zoo.blocks.Gate",
    "zoo.blocks.Gate.Squeeze",
]


def own_sources(name: str) -> list[EmbeddedSource]:
    """The stored sources of a file that are not torch's own."""
    document = open_document(DATA / f"{name}.pth")
    try:
        assert document.problems == []
        return [source for source in document.sources if not source.name.startswith("torch.")]
    finally:
        document.source.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_every_class_brings_its_text(version: str) -> None:
    found = own_sources(f"convolution-{version}")
    assert [source.name for source in found] == PICTURE
    for source in found:
        file = "/".join(source.module.split(".")) + ".py"
        assert source.file == f"/home/ada/project/recovery_zoo/{file}"
        text = (WRITERS / "recovery_zoo" / file).read_text(encoding="utf-8")
        assert source.text is not None
        assert source.text in text
        assert source.text.lstrip().startswith(f"class {source.qualname.rpartition('.')[2]}(")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_nested_class_knows_the_class_around_it(version: str) -> None:
    (squeeze,) = [source for source in own_sources(f"script-{version}") if source.name.endswith("Squeeze")]
    assert (squeeze.module, squeeze.qualname) == ("zoo.blocks", "Gate.Squeeze")
    assert (squeeze.text or "").startswith("    class Squeeze(nn.Module):\n")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_script_that_was_run_is_main(version: str) -> None:
    script = own_sources(f"script-{version}")[0]
    assert (script.module, script.qualname) == ("__main__", "Script")
    assert Path(script.file or "").name == "make_recovery_files.py"
    assert (script.text or "").endswith("return self.out(self.activation(self.body(x)).sum(3).sum(2))\n")


@pytest.mark.parametrize(("version", "starts"), [("1.0", "class"), ("1.4", "class"), ("2.13", "@known\nclass")])
def test_decorators_came_with_newer_python(version: str, starts: str) -> None:
    (leaf,) = own_sources(f"lost-{version}")
    assert (leaf.text or "").startswith(f"{starts} Leaf(Start):\n")
