"""`python -m tests.bench [NAME...]`: measure and print a row a figure, with the ratio to the peer."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from tests.bench import Figure

MODULES = (
    "hex_repaint",
    "hex_search",
    "hex_compare",
    "hex_view",
    "hex_scroll",
    "decode",
    "effect",
    "opening",
    "export_speed",
    "tensor_statistics",
    "tensors_dock",
    "comparing",
    "start",
    "window_open",
    "pane_making",
    "export_window",
    "held_by_jobs",
    "keeping",
    "sets",
    "sets_distributed",
    "search",
)


def main(names: Sequence[str]) -> int:
    """Run the modules whose name contains one of the words; all without words."""
    chosen = [module for module in MODULES if not names or any(name in module for name in names)]
    if not chosen:
        print(f"nothing of that name; there are: {', '.join(MODULES)}", file=sys.stderr)
        return 2
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(f"{'what':58} {'ours':>10} {'peer':>10} {'ratio':>7}  goal")
    for module in chosen:
        for row in importlib.import_module(f"tests.bench.{module}").run():
            print(line(row), flush=True)
    return 0


def line(row: Figure | tuple[str, float, float]) -> str:
    """One figure as a line."""
    figure = row if isinstance(row, Figure) else Figure(*row)
    peer = "" if figure.peer is None else f"{figure.peer:.4g}"
    ratio = "" if not figure.peer else f"{figure.ours / figure.peer:.2f}"
    return f"{figure.name:58} {figure.ours:>10.4g} {peer:>10} {ratio:>7}  {figure.goal} {figure.unit}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
