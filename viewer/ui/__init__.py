"""The window: the only ring that draws. Widgets show what the session holds and send commands back, nothing else.

Layers inside, high to low: application, window, panes and dialogs, previews, pane, widgets and hexview and models,
actions, theme.
"""
