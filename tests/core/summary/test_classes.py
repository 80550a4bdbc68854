"""Whether modules stand in a file, looked for in a few of its tensors."""

from __future__ import annotations

from tests.builders.programs import scripted, torch_script
from tests.builders.torch_values import full, module, parameter
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Global
from tests.opened import opened
from viewer.core.progress import Progress
from viewer.core.summary.class_finding import find_classes
from viewer.core.summary.classes import holds_modules


def test_a_module_behind_a_long_optimizer_is_found() -> None:
    state = [full("float32", (1,), [number]) for number in range(300)]
    names = [f"p{number}" for number in range(20)]
    net = module(Global("zoo", "Net"), parameters={name: parameter(full("float32", (1,), [1])) for name in names})
    assert holds_modules(opened(torch_zip({"optimizer": state, "model": net})))
    assert not holds_modules(opened(torch_zip({"optimizer": state})))


def test_scripted_modules_are_none() -> None:
    code = b"class Net(Module):\n  def forward(self, x: Tensor) -> Tensor:\n    return x\n"
    script = torch_script(scripted("__torch__", "Net", w=full("float32", (1,), [1])), {"__torch__.py": code})
    assert not holds_modules(opened(script))


def test_objects_are_named_from_the_root_of_the_file_on() -> None:
    inner = module(Global("zoo", "Part"), parameters={"w": parameter(full("float32", (1,), [1]))})
    net = module(Global("zoo", "Net"), children={"body": inner})
    for root, names in ((net, ["", "body"]), ([net, None], ["0", "0.body"]), ({"model": net}, ["model", "model.body"])):
        document = opened(torch_zip(root))
        rows = find_classes(document, "utf-8", Progress()).rows
        places = {row.name: [place.name for place in row.places] for row in rows if row.own}
        assert places == {"zoo.Net": names[:1], "zoo.Part": names[1:]}
