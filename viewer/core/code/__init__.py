"""Source text that a file holds."""
