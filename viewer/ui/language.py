"""The language of the window: sentences out of resources/translations, the direction, and how numbers are written.

A language is a file CODE.json there: {"context": {"English": "translation"}}, complete by test. English needs none.
"""

from __future__ import annotations

import json
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, Qt, QTranslator, Signal
from PySide6.QtWidgets import QApplication
from typing_extensions import override

from viewer import resources
from viewer.session.settings import LANGUAGE, Settings
from viewer.ui.directions import isolated
from viewer.ui.words import SPOKEN, with_latin_digits

FOLDER: Final = "translations"
ENGLISH: Final = "en"


class Sentences(QTranslator):
    """One language of ours. What it lacks stays English.

    From right to left, what fills a place keeps its own direction (U+2068, U+2069): a name of the file or an offset at
    the end of a sentence would trade places with the full stop, and a shape would be turned round.
    """

    def __init__(self, code: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._contexts: dict[str, dict[str, str]] = json.loads(resources.read_text(f"{FOLDER}/{code}.json"))
        self._turned = QLocale(code).textDirection() == Qt.LayoutDirection.RightToLeft
        if self._turned:
            for words in self._contexts.values():
                words.update({source: isolated(text) for source, text in words.items()})

    @override
    def isEmpty(self) -> bool:
        return not self._contexts

    @override
    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        if self._turned and context == "QShortcut":
            # Keys are called as is written on them; Qt's Persian has words for some, and signs between both.
            return source
        # Qt takes None for "not known" and goes on to the English; the stub of PySide does not say so.
        return self._contexts.get(context, {}).get(source)  # type: ignore[return-value]


class Language(QObject):
    """Follows the setting and the system.

    changed: another language holds; what is on the screen is to be made anew.
        Signal(code: str)
    """

    changed = Signal(str)

    def __init__(self, app: QApplication, settings: Settings) -> None:
        super().__init__(app)
        self._app = app
        self._settings = settings
        self._translators: list[QTranslator] = []
        self._first = QLocale()
        self.code = ENGLISH
        self._use(self._wanted())
        settings.changed.connect(self._setting_changed)

    def _setting_changed(self, key: str) -> None:
        wanted = self._wanted()
        if key == LANGUAGE.key and wanted != self.code:
            self._use(wanted)
            self.changed.emit(wanted)

    def _wanted(self) -> str:
        chosen = self._settings.get(LANGUAGE)
        return chosen if chosen in languages() else of_system(self._first)

    def _use(self, code: str) -> None:
        for translator in self._translators:
            QCoreApplication.removeTranslator(translator)
        self._translators = []
        if code != ENGLISH:
            self._translators = [_of_qt(code, self._app), Sentences(code, self._app)]
        for translator in self._translators:
            QCoreApplication.installTranslator(translator)
        self.code = code
        found = self._first if of_system(self._first) == code else QLocale(code)
        # Fields and dialogs of Qt write numbers with the digits of the words around them.
        QLocale.setDefault(found if found.zeroDigit() == "0" else with_latin_digits())
        self._app.setProperty(SPOKEN, found)
        self._app.setLayoutDirection(QLocale(code).textDirection())


def languages() -> list[str]:
    """Codes of the languages that there are, English first."""
    try:
        names = resources.names(FOLDER)
    except FileNotFoundError:
        return [ENGLISH]
    return [ENGLISH, *(name.removesuffix(".json") for name in names if name.endswith(".json"))]


def of_system(system: QLocale) -> str:
    """The best of our languages for what the system asks for, in its order."""
    for name in system.uiLanguages():
        asked = QLocale(name)
        # The system's list ends with names without a script: zh for a person in Taiwan.
        script = system.script() if asked.language() == system.language() else asked.script()
        for code in languages():
            mine = QLocale(code)
            if (mine.language(), mine.script()) == (asked.language(), script):
                return code
    return ENGLISH


def _of_qt(code: str, parent: QObject) -> QTranslator:
    """The words of Qt's own dialogs and buttons."""
    made = QTranslator(parent)
    made.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    return made
