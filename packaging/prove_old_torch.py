"""Proves from which torch on exported state_dicts load: every element type in both forms, in old interpreters.

    python packaging/prove_old_torch.py PYTHON...

PYTHON: interpreters that have torch, of any version since 1.0. Today's torch makes the tensors, the exporters write
them, each interpreter loads them and prints what it read. A row says what loads; the last line counts where the
version that an export names is wrong: it loads before (allowed, the named one is only the first that was tried) or not.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import OrderedDict
from pathlib import Path
from typing import Final

import numpy as np
import torch

from viewer.core.export import exporter_of
from viewer.core.export.plan import Plan
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import STORAGE_CLASSES

FORMS: Final = ("state_dict", "legacy_state_dict")
QUANTISED: Final = ("qint8", "quint8", "qint32")
PACKED: Final = ("quint4x2", "quint2x4")
SHAPE: Final = (3, 4)
# Runs in every torch since 1.0, so in the words of its time.
LOADER: Final = """
import json, sys, torch
def numbers(t):
    if t.is_quantized if hasattr(t, "is_quantized") else False:
        t = t.dequantize()
    if str(t.dtype).startswith("torch.complex"):
        t = torch.view_as_real(t)
    return [t.stride(), list(t.size()), t.double().contiguous().view(-1).tolist()]
answers = {"version": torch.__version__}
for path in sys.argv[1:]:
    try:
        loaded = torch.load(path, map_location=None)
        answers[path] = [[name, numbers(t)] for name, t in loaded.items()] + [loaded._metadata[""]["version"]]
    except Exception as fault:
        answers[path] = str(fault)[:200]
print(json.dumps(answers))
"""


def tensors(dtype: str) -> OrderedDict[str, torch.Tensor]:
    """A whole tensor, a view with strides and an offset on the same storage, and a scalar."""
    numbers = torch.from_numpy(np.arange(12.0).reshape(SHAPE))
    if dtype in QUANTISED:
        whole = torch.quantize_per_tensor(numbers.float(), 0.5, 0, getattr(torch, dtype))
    elif dtype in PACKED:
        scales, zeros = torch.ones(SHAPE[0]), torch.zeros(SHAPE[0])
        whole = torch.quantize_per_channel(numbers.float() % 4, scales, zeros, 0, getattr(torch, dtype))
        return OrderedDict(whole=whole)
    else:
        whole = numbers.to(getattr(torch, dtype))
    return OrderedDict(whole=whole, view=whole.t()[1:], one=whole[2, 3])


def files(folder: Path) -> list[tuple[str, Path, Plan]]:
    """Each type in each form: what it is, the file, the plan of the export."""
    found = []
    for dtype in sorted(set(STORAGE_CLASSES.values()) - {""}):
        if not isinstance(getattr(torch, dtype, None), torch.dtype):
            continue
        value = tensors(dtype)
        vars(value)["_metadata"] = OrderedDict({"": {"version": 7}})
        torch.save(value, folder / "made.pt")
        for form in FORMS:
            path = folder / f"{dtype}.{form}.pt"
            document = open_document(folder / "made.pt")
            exporter = exporter_of(form)
            plan = exporter.plan(document, Wanted())
            exporter.write(plan, path, Progress())
            document.source.close()
            found.append((f"{form} {dtype}", path, plan))
    return found


def version(text: str) -> tuple[int, ...]:
    """1.10.2+cu102 as numbers, the first two."""
    return tuple(int(part) for part in text.split("+")[0].split(".")[:2])


def main(interpreters: list[str]) -> int:
    """Print the table; 1 when an export names a version that does not load it."""
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = files(folder)
        script = folder / "loader.py"
        script.write_text(LOADER)
        paths = [str(path) for _, path, _ in made]
        answers = [
            json.loads(subprocess.run([python, str(script), *paths], check=True, capture_output=True).stdout)
            for python in (sys.executable, *interpreters)
        ]
        expected = answers[0]
        for label, path, plan in made:
            row = []
            for answer in answers:
                loads = answer[str(path)] == expected[str(path)] and isinstance(expected[str(path)], list)
                claimed = version(answer["version"]) >= version(plan.needs.removeprefix("torch "))
                wrong += claimed and not loads
                row.append(
                    f"{answer['version']}: {'loads' if loads else 'no'}{'' if loads or not claimed else ' WRONG'}"
                )
            print(f"{label:32} needs {plan.needs:12} {'; '.join(row)}")
    print(f"wrong: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
