"""Run by test_debug_lines.py in a process of its own: saves a scripted, a traced and a mobile module.

FOLDER   writes scripted.pt, traced.pt and mobile.ptl there.
"""

import sys
import warnings
from pathlib import Path

import torch

warnings.simplefilter("ignore")


def main(folder: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    from script_zoo import Net, Traced

    scripted = torch.jit.script(Net())
    scripted.save(str(folder / "scripted.pt"))
    scripted._save_for_lite_interpreter(str(folder / "mobile.ptl"))
    torch.jit.trace(Traced(), torch.ones(2)).save(str(folder / "traced.pt"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
