"""What a file is, in a few facts."""
