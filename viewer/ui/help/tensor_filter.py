"""The filter of the tensors: all that can be typed there, with an example of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QCoreApplication
from typing_extensions import override

from viewer.ui.help.base import Entry, HelpPage, Part
from viewer.ui.words import said
from viewer.wording import QT_TRANSLATE_NOOP
from viewer.wording.tensor_filter import TENSOR_FORMS


class TensorFilterPage(HelpPage):
    """One entry a form, the plainest first."""

    key: ClassVar[str] = "tensor-filter"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("help", "Filter of tensors")

    @override
    def entries(self) -> Sequence[Entry]:
        heading = QCoreApplication.translate("help", "What it finds")
        return [
            Entry(form.example, said(form.title), (Part(heading, said(form.finds)),), icon="filter")
            for form in TENSOR_FORMS
        ]
