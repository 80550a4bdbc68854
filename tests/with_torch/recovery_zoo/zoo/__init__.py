"""Models whose saved files are proofs of the recovery kit. Runs on Python 3.7 with torch 1.0 as well as today."""
