"""Odd models, saved whole by odd_models.py under the name of this package."""
