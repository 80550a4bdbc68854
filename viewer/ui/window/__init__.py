"""The window of the program."""

from viewer.ui.window.main_window import MainWindow

__all__ = ["MainWindow"]
