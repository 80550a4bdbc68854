"""A plain object that a model keeps: torch stores no source of it."""


class Settings:
    """Numbers that a model was made with."""

    def __init__(self, width, factor):
        self.width = width
        self.factor = factor
