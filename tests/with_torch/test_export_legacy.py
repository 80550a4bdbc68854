"""State_dicts in the form before torch 1.6, as torch of today loads them with weights_only=True.

What torch of that time makes of them: packaging/prove_old_torch.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.builders.torch_values import DTYPES, Storage, state_dict, tensor
from tests.core.export.reading import document_of, exported
from tests.core.export.trees import TYPES
from viewer import torch_client
from viewer.core.export.plan import Verdict
from viewer.core.progress import Progress

pytestmark = pytest.mark.torch
HELD: Final = [name for name in TYPES if DTYPES[name][0]]


def verified(path: Path, change: int | None = None) -> Verdict:
    """What torch says of an export of every type. `change`: a byte that is turned round before it looks."""
    storages = {name: Storage(name, bytes([1, 0] * 3 * DTYPES[name][1])) for name in HELD}
    value = state_dict({name: tensor(storage, (2, 2), (1, 2), 1) for name, storage in storages.items()})
    report = exported(document_of(value), path, "legacy_state_dict")
    assert [item.name for item in report.plan.items] == HELD
    if change is not None:
        data = bytearray(path.read_bytes())
        data[change] ^= 1
        path.write_bytes(data)
    return torch_client.verify(report, Progress())


def test_torch_loads_every_type_and_reads_the_same(tmp_path: Path) -> None:
    verdict = verified(tmp_path / "out.pth")
    assert (verdict.code, verdict.good, verdict.params["count"]) == ("torch-verified", True, len(HELD))


def test_a_changed_element_is_seen(tmp_path: Path) -> None:
    # The last storage of a sorted key list is that of the tenth type; its last element but one is used.
    verdict = verified(tmp_path / "out.pth", change=-1 - 2 * DTYPES[HELD[9]][1])
    assert (verdict.code, verdict.good) == ("torch-differs", False)
    assert verdict.params["reason"] == f"the elements of {HELD[9]} differ"


def test_a_count_that_is_wrong_is_seen(tmp_path: Path) -> None:
    verdict = verified(tmp_path / "out.pth", change=-8 - 6 * DTYPES[HELD[9]][1])
    assert (verdict.code, verdict.good) == ("torch-refuses", False)
