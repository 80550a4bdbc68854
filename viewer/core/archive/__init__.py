"""Containers of records: reading and writing zip, reading tar. Records are given as sources of their own."""
