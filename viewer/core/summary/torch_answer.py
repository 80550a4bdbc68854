"""What torch itself said about a file, and whether that is what was predicted. torch is asked by `torch_client`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from viewer.core.summary.answers import Answer, Loads
from viewer.wording import fill
from viewer.wording.torch_answers import AGREEMENT, TORCH_ANSWERS

_LOADS: Final = {"loads": Loads.YES, "loads-on-cpu": Loads.DEPENDS, "stops": Loads.NO}


@dataclass(frozen=True, slots=True)
class TorchAnswer:
    """`code`: of the sentence in `wording.torch_answers`, which `params` fill."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def loads(self) -> Loads | None:
        """Whether it loads with weights_only=True; None where torch could not be asked."""
        return _LOADS.get(self.code)

    @property
    def text(self) -> str:
        """The whole sentence in English."""
        return fill(TORCH_ANSWERS[self.code], self.params)

    def agrees(self, predicted: Answer) -> bool | None:
        """Whether that was predicted; a computer may have the devices that a file needs elsewhere."""
        said = self.loads
        if said is None:
            return None
        return predicted.loads is said or (predicted.loads is Loads.DEPENDS and said is Loads.YES)


def agreement(said: TorchAnswer, predicted: Answer) -> str:
    """Whether it was predicted, in English; "" where torch could not be asked."""
    agrees = said.agrees(predicted)
    return "" if agrees is None else AGREEMENT[agrees]


def torch_row(said: TorchAnswer | None, predicted: Answer) -> dict[str, Any] | None:
    """The answer as a row for JSON; None where nobody asked."""
    if said is None:
        return None
    return {
        "code": said.code,
        "loads": None if said.loads is None else str(said.loads),
        "text": said.text,
        "version": said.params.get("version"),
        "agrees": said.agrees(predicted),
    }
