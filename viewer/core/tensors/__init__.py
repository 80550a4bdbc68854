"""Tensors of a file: dtypes, storages, shapes and strides, and their elements read from the bytes."""
