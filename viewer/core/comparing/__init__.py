"""Two files beside each other: names, shapes, types and elements of tensors, plain values, sources of classes."""
