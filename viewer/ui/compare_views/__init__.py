"""What of two files is compared: one file, one view. The pane knows them by their names in its switch."""
