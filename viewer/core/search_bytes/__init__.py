"""Finding bytes: hexadecimal with wildcards, text, expressions, numbers; in blocks, from any place on.

To add a form: a file here with a class that derives from `base.BlockQuery` or `base.Query`, and a
line in `viewer/ui/widgets/find_form.py`.
"""
