"""Steps of long work: each that is reported has its words."""

from __future__ import annotations

import re

from tests.shared import ROOT
from viewer.wording.steps import STEPS


def test_every_step_that_is_reported_has_words() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "viewer" / "core").rglob("*.py"))]
    named = {name for text in texts for name in re.findall(r'\.step\(\s*"([^"]+)"', text)}
    assert len(named) >= 10
    assert sorted(named - set(STEPS)) == []
