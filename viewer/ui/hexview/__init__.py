"""The hex view: bytes of any file as offsets, hex and text, coloured by region. It knows no session and no document.

`HexView` is given a reader, a provider of regions, marks and a theme; it answers with signals.
"""
