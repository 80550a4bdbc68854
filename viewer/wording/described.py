"""What stands in for values that are too much for one line."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

BITS: Final = QT_TRANSLATE_NOOP("wording", "int of {count} bits")
ENTRIES: Final = QT_TRANSLATE_NOOP("wording", "{type}, {count} entries")
ENTRY: Final = QT_TRANSLATE_NOOP("wording", "{type}, 1 entry")
ITEM: Final = QT_TRANSLATE_NOOP("wording", "{type}, 1 item")
ITEMS: Final = QT_TRANSLATE_NOOP("wording", "{type}, {count} items")
