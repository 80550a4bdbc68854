"""What would do harm is seen whichever pane is in front: in a bar where no pane says it, and on the tab of Imports."""

import pytest

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global
from tests.ui.shell import SMALL_PANES, ZIP, make_window, opened, program_panes, settled
from viewer.ui.pane import Area
from viewer.ui.words import left_to_right

PANES = (*(pane for pane in SMALL_PANES if pane.key != "summary"), *program_panes("summary", "imports"))
TITLE = "Imports: 1 dangerous."


@pytest.fixture
def evil(tmp_path):
    path = tmp_path / "asking.pt"
    call = Call(Global("posix", "system"), ("mkdir x",))
    path.write_bytes(torch_zip({"w": full("float32", (1,), [1]), "x": call}))
    return path


def made(qtbot, settings, size):
    window = make_window(settings, size, PANES)
    qtbot.addWidget(window)
    return window


def bars(window):
    return [message.title for message in window.bars.shown]


def alarms(view):
    """The tab of Imports as the header in front has it: what it tells under the mouse."""
    headers = [dock.header for dock in view.in_front() if dock.kind.area is Area.BOTTOM]
    return [header.tabs.tabToolTip(at) for header in headers for at in range(header.tabs.count())]


def test_a_narrow_window_says_it_in_a_bar_that_leads_to_imports(qtbot, settings, evil):
    window = made(qtbot, settings, (900, 600))
    view = opened(qtbot, window, evil)
    qtbot.waitUntil(lambda: bars(window) == [TITLE])
    (message,) = window.bars.shown
    assert message.severity == "error"
    assert message.sentence.startswith(left_to_right("posix.system('mkdir x')") + " ")
    ((words, act),) = message.actions
    assert words == "Show imports"
    window.bars.close_first()
    view.show_pane("source")
    settled(qtbot, window)
    assert bars(window) == []
    act()
    qtbot.waitUntil(lambda: view.docks["imports"].is_in_front())


def test_the_bar_leaves_when_a_pane_says_it(qtbot, settings, evil):
    window = made(qtbot, settings, (900, 600))
    view = opened(qtbot, window, evil)
    qtbot.waitUntil(lambda: bars(window) == [TITLE])
    view.show_pane("summary")
    qtbot.waitUntil(lambda: bars(window) == [])
    window.close()


def test_a_wide_window_says_it_in_summary_and_on_the_tab(qtbot, settings, evil):
    window = made(qtbot, settings, (1440, 900))
    view = opened(qtbot, window, evil)
    qtbot.waitUntil(lambda: "Imports: 1 dangerous" in alarms(view))
    assert view.docks["summary"].is_in_front()
    assert bars(window) == []
    window.close()


def test_a_file_that_asks_for_nothing_alarms_nobody(qtbot, settings):
    window = made(qtbot, settings, (900, 600))
    view = opened(qtbot, window, ZIP)
    assert bars(window) == []
    assert view.docks["imports"].alarm == ""
    window.close()
