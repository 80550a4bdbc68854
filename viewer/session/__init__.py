"""What is open, what is selected, what is being done. The ring's rule: QtCore only, no widgets.

Panes read the session's document and selection, and change them only by its methods.
"""
