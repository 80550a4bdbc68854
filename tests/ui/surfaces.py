"""The commands that open something: what is new among them is walked, and asked for its names, by itself."""

from __future__ import annotations

from typing import Final

from viewer.ui.actions import ACTIONS

BY_THE_SYSTEM: Final = {"file.open", "file.open_folder", "tools.compare", "edit.save_bytes", "tools.compare_bytes"}
"""They ask for a file in a dialog that is not ours."""
MENUS: Final = {"view.byte_look", "view.columns"}
"""They open a menu, which arrow keys walk."""
ASKING: Final = [spec.id for spec in ACTIONS if spec.title.endswith("…") and spec.id not in BY_THE_SYSTEM | MENUS]
TELLING: Final = [spec.id for spec in ACTIONS if spec.menu == "Help"]
