"""A TorchScript archive whose code leads back to Python: a scripted class, a traced one, and their debug records."""

from __future__ import annotations

from typing import Final

from tests.builders.programs import int_list, scripted, torch_script
from tests.builders.torch_values import full
from tests.builders.torch_zip import ZipPickler

NET: Final = b"""class Net(Module):
  __parameters__ = ["weight", ]
  weight : Tensor
  def forward(self: __torch__.Net,
    x: Tensor) -> Tensor:
    w\xc3\xa9 = self.weight
    y = torch.mul(x, w\xc3\xa9)
    return torch.add(y, 1)
  def other(self: __torch__.Net) -> int:
    return 7
"""
TRACED: Final = b"""class Traced(Module):
  __parameters__ = []
  def forward(self: __torch__.traced.Traced,
    x: Tensor) -> Tensor:
    return torch.relu(x)
"""
FORWARD: Final = "    def forward(self, x):\n        y = x * self.weight  # é\n        return y + 1\n"
OTHER: Final = "    @torch.jit.export\n    def other(self) -> int:\n        return 7\n"
FILE: Final = "/home/a/nets.py"
CALLS: Final = (
    "/home/a/nets.py(70): forward\n/torch/nn/modules/module.py(5): _call_impl\n/home/a/train.py(9): <module>\n"
)


def at(code: bytes, piece: bytes) -> int:
    """Where a piece of the code begins."""
    return code.index(piece)


def debug_record(code: bytes, pieces: dict[bytes, tuple[str, str, int, str]]) -> bytes:
    """The record of torch 1.12 and later. `pieces`: what begins with some code came from text, file, line, and part."""
    texts = [""]
    entries: list[object] = [(0, ((int_list(), 0, 0), 0, 0), 0)]
    for number, (piece, (text, file, first, part)) in enumerate(pieces.items(), 1):
        lines = text.splitlines(keepends=True)
        first_line = len(texts)
        texts += [*lines, file]
        source = (int_list(*range(first_line, first_line + len(lines))), first_line + len(lines), first)
        start = len(text[: text.index(part)].encode())
        entries.append((at(code, piece), (source, start, start + len(part.encode())), number))
    return ZipPickler().dumps(("FORMAT_WITH_STRING_TABLE", tuple(texts), tuple(entries)))


def early_record(code: bytes, pieces: dict[bytes, tuple[str, str, int, str]]) -> bytes:
    """The record before torch 1.12."""
    entries = []
    for piece, (text, file, first, part) in pieces.items():
        start = len(text[: text.index(part)].encode())
        entries.append((at(code, piece), ((text, file, first), start, start + len(part.encode()))))
    return ZipPickler().dumps(tuple(entries))


PIECES: Final = {
    b"torch.mul(": (FORWARD, FILE, 41, "x * self.weight"),
    b"torch.add(": (FORWARD, FILE, 41, "y + 1"),
    b"7\n": (OTHER, FILE, 50, "7"),
}


def traceable(early: bool = False) -> bytes:
    """The archive."""
    value = scripted("__torch__", "Net", weight=full("float32", (2,), [1, 2]))
    make = early_record if early else debug_record
    records = {
        "code/__torch__.py.debug_pkl": make(NET, PIECES),
        "code/__torch__/traced.py.debug_pkl": make(TRACED, {b"torch.relu": (CALLS, FILE, 70, CALLS)}),
    }
    return torch_script(value, {"__torch__.py": NET, "__torch__/traced.py": TRACED}, records=records)
