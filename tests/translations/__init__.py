"""The translations in `resources/translations`: what has to be translated, what must be kept of it, work lists."""
