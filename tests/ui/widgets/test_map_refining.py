"""The entropy of the map: exact after a while, only while it is seen and nothing else is done."""

import numpy as np
import pytest

from viewer.core.progress import Progress
from viewer.core.source import FileSource
from viewer.session.session import Session
from viewer.ui.hexview.map import HexMap
from viewer.ui.hexview.marks import NO_REGIONS
from viewer.ui.hexview.overview import Overview, entropies, shares, whole_entropy
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import load_theme
from viewer.ui.widgets import map_refining
from viewer.ui.widgets.map_refining import REFINING, MapRefining

ROWS = 16
SIZE = 2**20


@pytest.fixture
def source(tmp_path):
    """Rows of 64 KiB, of which the first 4 KiB are zeros and the rest takes 2, 4, 6 ... values evenly."""
    rows = []
    for row in range(ROWS):
        values = np.arange(SIZE // ROWS - 4096) % (2 * row + 2)
        rows.append(bytes(4096) + values.astype(np.uint8).tobytes())
    path = tmp_path / "rows.bin"
    path.write_bytes(b"".join(rows))
    made = FileSource(path)
    yield made
    made.close()


@pytest.fixture
def session(source):
    made = Session(source.path)
    yield made
    made.close()


@pytest.fixture
def chart(qtbot):
    view = HexView(load_theme("light"))
    made = HexMap(view, load_theme("light"), view)
    qtbot.addWidget(view)
    return made


def test_samples_are_refined_row_by_row(source, session, chart, qtbot, monkeypatch):
    monkeypatch.setattr(map_refining, "PIECE", 200_000)
    sampled = Overview(shares(NO_REGIONS, SIZE, ROWS), entropies(source, ROWS, Progress()))
    assert not sampled.entropy.any()
    exact = [whole_entropy(source, at, at + SIZE // ROWS, Progress()) for at in range(0, SIZE, SIZE // ROWS)]
    assert exact == sorted(exact)
    assert 0.1 < exact[0] < exact[-1] < 1
    refining = MapRefining(session, chart)
    refining.begin(source, sampled)
    session.jobs.idle.emit()
    assert not session.jobs.is_running(REFINING)
    chart.parentWidget().show()
    chart.show()
    qtbot.waitUntil(lambda: refining.done)
    assert chart._overview.entropy.tolist() == exact


def test_other_work_goes_first(source, session, chart, qtbot):
    chart.parentWidget().show()
    chart.show()
    refining = MapRefining(session, chart)
    sampled = Overview(shares(NO_REGIONS, SIZE, ROWS), entropies(source, ROWS, Progress()))
    session.jobs.start("other", lambda progress: None, lambda _: None)
    refining.begin(source, sampled)
    refining._next()
    assert not session.jobs.is_running(REFINING)
    qtbot.waitUntil(lambda: refining.done)


def test_small_and_very_large_files_stay_as_they_are(source, session, chart, monkeypatch):
    refining = MapRefining(session, chart)
    refining.begin(source, Overview(shares(NO_REGIONS, SIZE, 256), np.zeros(256)))
    assert refining.done
    monkeypatch.setattr(map_refining, "MOST", SIZE - 1)
    refining.begin(source, Overview(shares(NO_REGIONS, SIZE, ROWS), np.zeros(ROWS)))
    assert refining.done


def test_what_is_read_for_another_file_is_dropped(source, session, chart, qtbot):
    chart.parentWidget().show()
    chart.show()
    refining = MapRefining(session, chart)
    sampled = Overview(shares(NO_REGIONS, SIZE, ROWS), np.zeros(ROWS))
    refining.begin(source, sampled)
    refining._next()
    assert session.jobs.is_running(REFINING)
    refining.stop()
    assert not session.jobs.is_running(REFINING)
    refining._refined((sampled, ROWS, np.ones(ROWS)))
    assert not chart._overview.entropy.any()
