"""A text size that is chosen while a file is open reaches what stands around numbers and names, as if chosen before."""

import pytest

from viewer.ui.panes.tensor import TensorPane
from viewer.ui.previews.values import ValuesPreview
from viewer.ui.theme import load_theme
from viewer.ui.widgets.name_fields import NameFields


@pytest.fixture
def larger(qtbot):
    """The theme with half as large letters again."""
    return load_theme("light", text_scale=1.5)


@pytest.fixture
def values(legacy, shown, qtbot, larger):
    """The grid of a tensor of four axes."""
    legacy.select_tensor(next(one for one in legacy.document.tensors if len(one.shape) == 4), "test", (0,) * 4)
    pane = shown(TensorPane, legacy)
    pane.resize(1000, 900)
    preview = next(one for one in pane.previews if isinstance(one, ValuesPreview))
    pane.set_theme(larger)
    qtbot.waitUntil(lambda: preview.grid.isVisible() and not legacy.jobs.busy)
    yield preview
    pane.close()


def test_axes_have_room_for_their_numbers(values, qtbot, larger):
    choices = (values.rows_choice, values.columns_choice)
    qtbot.waitUntil(lambda: all(choice.width() >= choice.sizeHint().width() for choice in choices))
    assert all(spin.lineEdit().font().pixelSize() == larger.mono().pixelSize() for spin in values.slice.spins)


def test_titles_and_the_button_of_the_grid_grow(values, larger):
    small = larger.mono("small").pixelSize()
    assert values.grid.horizontalHeader().font().pixelSize() == small
    assert values.grid.verticalHeader().font().pixelSize() == small
    assert values.grid.minimumHeight() == larger.px(120)
    assert values.export.iconSize().width() == larger.px(16)


def test_fields_of_names_grow(qtbot, larger):
    fields = NameFields(load_theme("light"))
    qtbot.addWidget(fields)
    row = fields.add_rule()
    fields.set_theme(larger)
    for field in (fields.strip, fields.add, row.old, row.new):
        assert field.font().pixelSize() == larger.mono().pixelSize()
        assert field.minimumWidth() == larger.px(60)
    assert row.gone.iconSize().width() == larger.px(16)
    assert fields.note.font().pixelSize() == larger.text("small").pixelSize()
