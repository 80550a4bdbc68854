"""Opening a distributed checkpoint of a hundred thousand tensors: eleven million opcodes of metadata."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.bench import Figure
from tests.bench.decode import step
from tests.bench.measure import held, in_child, seconds
from tests.builders.distributed import large_set
from viewer.core.opening import open_document

TENSORS: Final = 100_000
FILES: Final = 8
OURS: Final = """
from time import perf_counter, process_time
from tests.bench.measure import peak
from viewer.core.opening import open_document
from viewer.session.rereading import linked
from viewer.core.formats.base import Options
from viewer.core.summary.facts import facts
steps = []
from viewer.core.progress import Progress
start, used = perf_counter(), process_time()
document = open_document({path!r}, Progress(steps.append))
opened, used = perf_counter(), process_time() - used
contents = linked(document, Options()).contents
node = contents.node_of_tensor(document.tensors[len(document.tensors) // 2])
facts(document)
print(len(document.pickles[0].code), opened - start, used, perf_counter() - opened, peak(), len(steps))
"""


def opened(path: Path) -> int:
    """Open and close; gives the number of tensors."""
    document = open_document(path)
    document.close()
    return len(document.tensors)


def run() -> Iterator[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as name:
        folder = Path(name)
        large_set(folder, TENSORS, FILES)
        count, clock, used, rows, resident, steps = in_child(OURS.format(path=name))
        title = f"{TENSORS:,} tensors, {count / 1e6:.1f} M opcodes: "
        data = (folder / ".metadata").read_bytes()
        yield Figure(title + "open, beside genops", used, seconds(lambda: step(data), 1), goal="10")
        yield Figure(title + "open, on the clock", clock, None, goal="10")
        yield Figure(title + "contents, first click, summary", rows, None, goal="2")
        yield Figure(title + "resident", resident, None, "MB", "1000")
        yield Figure(title + "steps of progress", steps, None, "", "some")
        late = held(lambda: opened(folder))
        yield Figure(title + "another thread waits, p99", late.p99, None, "ms", "30")
        yield Figure(title + "another thread waits, longest", late.longest, None, "ms", "60")
