"""The texts of torch's own classes, as the torch process gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from viewer.wording import fill
from viewer.wording.checks import TORCH_TEXTS


@dataclass(frozen=True, slots=True)
class TorchText:
    """One class of the installed torch.

    `name`: as it was asked for, or as the class states it. `text`: as `inspect.getsource` gives it, `line`: where
    it begins in `file`, from 1. `signature`: of its constructor. `bases`: those that are modules, in method
    resolution order, nn.Module last. `version`: of torch.
    """

    name: str
    text: str
    file: str
    line: int
    signature: str
    bases: tuple[str, ...]
    version: str


@dataclass(frozen=True, slots=True)
class TorchTexts:
    """What was fetched: `texts` by name, their bases among them; `refused`: name -> code, for those that were not had.

    `failure`: a code of `wording.checks.TORCH_TEXTS` where nothing could be fetched, else "".
    """

    texts: Mapping[str, TorchText] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    failure: str = ""
    params: Mapping[str, object] = field(default_factory=dict)

    def sentence(self, name: str = "") -> str:
        """Why nothing was fetched, or why this class was not; "" where it was."""
        code = self.failure or self.refused.get(name, "")
        return fill(TORCH_TEXTS[code], {"name": name, **self.params}) if code else ""
