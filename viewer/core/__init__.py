"""The reading of files. The ring's rule: no Qt, no torch, no printing, no threads of its own."""
