"""Pictures that a person has looked at. Each file of them is drawn in a process of its own (test_alone.py)."""

ALONE = "PICKLESCOPE_SCREENS"
"""In the environment of that process: what other tests did to the program's style and fonts is not in its pictures."""
