"""What loading a file would import and call."""
