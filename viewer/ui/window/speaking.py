"""The choice of a language, as a menu: each is named in itself, so that it is found by who reads no other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from viewer.session.settings import LANGUAGE, Settings
from viewer.ui.language import languages
from viewer.ui.window.menus import Line


def language_lines(settings: Settings) -> Sequence[Line]:
    """As the system says, then each language that there is."""
    from viewer.ui.dialogs.preferences import said

    chosen, there = settings.get(LANGUAGE), {LANGUAGE.default, *languages()}
    return [
        Line(said(words), partial(settings.set, LANGUAGE, code), code == chosen)
        for code, words in zip(LANGUAGE.choices, LANGUAGE.words, strict=True)
        if code in there
    ]
