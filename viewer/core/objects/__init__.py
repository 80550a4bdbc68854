"""What the values of a pickle mean: state_dicts, modules, optimizers, and the rows that show them."""
