"""Remarks on a file as a whole, one file each theme; `adding` lists them."""
