"""What pickled attributes tell of a class: terms of code, constructor facts of torch's modules, texts of classes."""
