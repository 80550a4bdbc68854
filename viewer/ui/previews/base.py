"""Preview: one way to look at a tensor.

To add one: a new file in this folder with a class that derives from Preview, and a line in the tuple of
`previews/__init__.py`. A preview says for which tensors it is of use; it is asked again for each tensor.
"""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from viewer.core.tensors.statistics import Statistics
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.theme import Theme


class Preview(QWidget):
    """`key` names it; `stretch`: share of the height that it takes, 0 = as high as its content.

    `title`: English, marked for translation, of a preview that is one of the views to switch between; "" = it stands
    there always. A view is hidden while another is looked at: it starts no work until it is shown.

    element_chosen: one element of the tensor was clicked.
        Signal(index: tuple[int, ...])
    bytes_chosen: some bytes of the tensor were clicked, those of an element first where there is one.
        Signal(spans: tuple[Span, ...], element: tuple[int, ...] | None, member: str)
    message: something to tell in a bar: severity word, title, sentence.
        Signal(severity: str, title: str, sentence: str)
    """

    key: ClassVar[str]
    stretch: ClassVar[int] = 0
    title: ClassVar[str] = ""

    element_chosen = Signal(object)
    bytes_chosen = Signal(object, object, str)
    message = Signal(str, str, str)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme

    def suits(self, tensor: Tensor) -> bool:
        """True when there is something to show for this tensor."""
        raise NotImplementedError

    def show_tensor(self, tensor: Tensor | None) -> None:
        """Another tensor is looked at."""
        raise NotImplementedError

    def show_element(self, element: tuple[int, ...] | None) -> None:
        """Another element is selected."""

    def show_statistics(self, found: Statistics | None) -> None:
        """What is known of all numbers of the tensor: a sample's first for a large one; None: nothing any more."""

    def focus_target(self) -> QWidget:
        """What takes the keyboard when the preview is asked for by name."""
        return self

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.update()
