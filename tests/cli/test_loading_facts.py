"""What torch.load would do, in `inspect --json` and in its text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders.torch_values import ModuleClass, full, module, parameter, state_dict
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Global, Instance
from tests.cli.running import inspected
from viewer.cli import main

Capture = pytest.CaptureFixture[bytes]


def one(device: str = "cpu") -> object:
    return full("float32", (1,), [1], device)


@pytest.fixture
def look(tmp_path: Path, capfdbinary: Capture) -> Any:
    """The key `loading` of some bytes."""

    def look(data: bytes) -> Any:
        path = tmp_path / "file.pt"
        path.write_bytes(data)
        return inspected(path, capfdbinary)[0]["loading"]

    return look


def lines(tmp_path: Path, capfdbinary: Capture, data: bytes) -> list[str]:
    """The section of the text report."""
    path = tmp_path / "file.pt"
    path.write_bytes(data)
    main(["inspect", str(path)])
    text = capfdbinary.readouterr()[0].decode()
    return text.partition("Loading with torch\n")[2].splitlines()


def test_a_state_dict(look: Any) -> None:
    blocker = {
        "code": "device-cuda",
        "text": "On cuda:3: 1 of 2 storages",
        "count": 1,
        "document": 0,
        "record": "archive/data.pkl",
        "offset": 293,
    }
    assert look(torch_zip(state_dict({"a": one(), "b": one("cuda:3")}))) == {
        "answers": [
            {"weights_only": True, "loads": "depends", "blockers": [blocker]},
            {"weights_only": False, "loads": "depends", "blockers": [blocker]},
        ],
        "torch": None,
        "code": ("import torch\n\nstate_dict = torch.load('file.pt', map_location=\"cpu\", weights_only=True)"),
        "expectations": [
            {
                "code": "device-cuda",
                "text": "On cuda:3: 1 of 2 storages. torch.load stops on a computer without that GPU. "
                'map_location="cpu" reads them anywhere, map_location="cuda:0" puts them on the first GPU.',
                "params": {"location": "cuda:3", "count": 1, "all": 2, "map_location": "cpu"},
            },
            {
                "code": "needs-torch-version",
                "text": "It needs torch 1.6 or later. It is a zip archive of version 3; "
                "torch before 1.6 saved and reads the legacy form.",
                "params": {"version": "3"},
            },
        ],
        "missing_classes": [],
        "devices": [{"location": "cpu", "storages": 1}, {"location": "cuda:3", "storages": 1}],
    }


def test_classes_with_the_paths_of_all_objects(look: Any) -> None:
    net = module(ModuleClass("nets", "Net"), {}, {"w": parameter(one())})
    found = look(torch_zip({"nets": [net, net, module(ModuleClass("nets", "Net"), {}, {})]}))
    assert found["missing_classes"] == [{"class": "nets.Net", "count": 2, "paths": [["nets", 0], ["nets", 2]]}]


def test_a_file_that_is_no_checkpoint(look: Any) -> None:
    found = look(b"some text\n" * 9)
    assert found["code"] is None
    assert [told["code"] for told in found["expectations"]] == ["not-torch"]
    assert (found["missing_classes"], found["devices"]) == ([], [])


def test_the_report_names_places_and_gives_the_code(tmp_path: Path, capfdbinary: Capture) -> None:
    objects = [Instance(Global("app", "A"), (), {}) for _ in range(5)]
    found = lines(tmp_path, capfdbinary, torch_zip({"log": objects, "state_dict": state_dict({"a": one()})}))
    assert found[:4] == [
        "  torch.load(weights_only=True) does not load it:",
        "    a name that is not on its list: app.A  record archive/data.pkl, 0x54 (84)",
        "  torch.load(weights_only=False) loads it on some computers, and runs what the file asks for:",
        "    stops where this cannot be imported: app.A  5 x  record archive/data.pkl, 0x54 (84)",
    ]
    found = found[4:]
    assert found[0].startswith("  warning: Classes and functions that torch does not bring: 1. ")
    assert "  missing: app.A  5 x  log.0, log.1, log.2, and 2 more" in found
    assert "    from app import A" in found
    assert "    state_dict = loaded['state_dict']" in found


def test_the_report_cuts_a_long_list(tmp_path: Path, capfdbinary: Capture) -> None:
    objects = [Instance(Global("app", f"A{number}"), (), {}) for number in range(25)]
    found = lines(tmp_path, capfdbinary, torch_zip(objects))
    assert sum(line.startswith("  missing: app.A") for line in found) == 20
    assert "  missing: and 5 more" in found


def test_no_control_character_of_a_name_reaches_the_terminal(tmp_path: Path, capfdbinary: Capture) -> None:
    value = Instance(Global("app\x1b[31m", "A"), (), {})
    found = lines(tmp_path, capfdbinary, torch_zip({"\x1b[2J": value}, protocol=4))
    assert any("\\x1b[31m" in line for line in found)
    assert all(line.isprintable() for line in found)
