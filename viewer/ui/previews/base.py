"""Preview: one way to look at a tensor.

To add one: a new file in this folder with a class that derives from Preview, and a line in the tuple of
`previews/__init__.py`. A preview says for which tensors it is of use; it is asked again for each tensor.
"""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.theme import Theme


class Preview(QWidget):
    """`key` names it; `stretch`: share of the height that it takes, 0 = as high as its content.

    element_chosen: one element of the tensor was clicked.
        Signal(index: tuple[int, ...])
    """

    key: ClassVar[str]
    stretch: ClassVar[int] = 0

    element_chosen = Signal(object)

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

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.update()
