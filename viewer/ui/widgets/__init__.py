"""Parts that several panes, dialogs and the window use; they know a theme, no session."""
