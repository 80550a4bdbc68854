"""Where the bytes of a file go: which tensor uses them, what is wasted, what is not of tensors at all."""
