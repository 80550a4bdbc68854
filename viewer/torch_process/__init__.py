"""A child process, the only one that imports torch. `viewer.torch_client` starts it and asks.

The ring's rule: knows nothing of core; what it is told and what it answers are the lines of `protocol`.
"""
