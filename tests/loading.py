"""Programs that start a window in a process of their own and say what was loaded until it was shown."""

from __future__ import annotations

from typing import Final

BARE: Final = """
import sys
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.resize(1440, 900)
window.setWindowTitle("a bare window")
window.show()
sys.exit(app.exec())
"""
START: Final = """
import json, sys
from viewer.session.jobs import Jobs
from viewer.ui.application import Application, Program
app = Application(["picklescope"])
program = Program(app)
Jobs.hold()
program.running.workspace.open_targets(sys.argv[1:])
program.running.window.show()
print(json.dumps(sorted(sys.modules)))
program.stop()
"""
"""Without the event loop: threads that load code have not begun."""
