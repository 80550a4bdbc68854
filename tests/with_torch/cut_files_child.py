"""Saves files of the kinds that torch writes into a folder, for tests that cut them."""

from __future__ import annotations

import sys
from pathlib import Path

import torch


class Net(torch.nn.Module):
    """A few layers, one of them shared."""

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(4, 3)
        self.norm = torch.nn.BatchNorm1d(3)
        self.again = self.first

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        """One step."""
        return self.norm(self.first(given))


def main(folder: Path) -> None:
    """All files."""
    torch.manual_seed(5)
    net = Net().eval()
    base = torch.arange(24, dtype=torch.float32)
    values = {
        "model": net.state_dict(),
        "view": base[5:9],
        "grid": base.view(4, 6).t(),
        "half": torch.ones(7, dtype=torch.bfloat16),
        "quantised": torch.quantize_per_tensor(torch.randn(3, 3), 0.1, 3, torch.qint8),
        "float8": torch.ones(5).to(torch.float8_e4m3fn),
        "epoch": 3,
    }
    torch.save(values, folder / "zip.pt")
    torch.save(net.state_dict(), folder / "legacy.pt", _use_new_zipfile_serialization=False)
    optimizer = torch.optim.Adam(net.parameters())
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    torch.save(optimizer.state_dict(), folder / "optimizer.pt")
    torch.jit.trace(net, torch.zeros(2, 4)).save(str(folder / "script.pt"))
    with torch.package.PackageExporter(str(folder / "package.pt")) as package:
        package.save_pickle("model", "model.pkl", {"w": torch.ones(3, 3), "s": torch.arange(5)})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
