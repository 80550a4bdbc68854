"""What the scan of values found, as rows for `inspect --health`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from viewer.core.document import Document
from viewer.core.summary.rows.opcodes import int_text
from viewer.core.tensors.columns import shown_name
from viewer.core.tensors.health import Health
from viewer.wording import fill
from viewer.wording.health import HEALTH, SCANNED

Row = dict[str, Any]


def health_rows(document: Document, found: Sequence[Health]) -> Iterator[Row]:
    """A row a finding: which document and tensor, what, how often, where first; `others`: names of equal tensors."""
    for part, health in zip(document.holders(), found, strict=True):
        for finding in health.findings:
            yield {
                "document": part.index,
                "tensor": shown_name(part.tensors[finding.tensor]),
                "finding": finding.fault.value,
                "severity": HEALTH[finding.fault][1],
                "count": finding.count,
                "first": list(finding.first) if finding.first is not None else None,
                "value": int_text(finding.value) if isinstance(finding.value, int) else finding.value,
                "others": [shown_name(part.tensors[number]) for number in finding.others],
                "text": finding.text(part.tensors),
            }


def health_lines(document: Document, found: Sequence[Health]) -> Iterator[str]:
    """The same in lines for people, behind one on how much was looked at."""
    for part, health in zip(document.holders(), found, strict=True):
        code = "found" if health.findings else "good"
        yield f"  {fill(SCANNED[code], {'count': health.scanned, 'found': len(health.findings)})}"
        for finding in health.findings:
            title, severity, _ = HEALTH[finding.fault]
            yield f"  {severity}: {shown_name(part.tensors[finding.tensor])}: {title}. {finding.text(part.tensors)}"
