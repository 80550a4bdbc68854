"""Ways to look at a tensor: one file, one preview."""

from __future__ import annotations

from typing import Final

from viewer.ui.previews.base import Preview
from viewer.ui.previews.channels import ChannelsPreview
from viewer.ui.previews.element import ElementPreview
from viewer.ui.previews.entries import EntriesPreview
from viewer.ui.previews.facts import FactsPreview
from viewer.ui.previews.heat_map import HeatMapPreview
from viewer.ui.previews.held import HeldPreview
from viewer.ui.previews.histogram import HistogramPreview
from viewer.ui.previews.image import ImagePreview
from viewer.ui.previews.parts import PartsPreview
from viewer.ui.previews.statistics import StatisticsPreview
from viewer.ui.previews.values import ValuesPreview

PREVIEWS: Final[tuple[type[Preview], ...]] = (
    StatisticsPreview,
    PartsPreview,
    ElementPreview,
    ValuesPreview,
    HistogramPreview,
    HeatMapPreview,
    ImagePreview,
    ChannelsPreview,
    EntriesPreview,
    HeldPreview,
    FactsPreview,
)
