"""Files that hide in the arguments of pickles."""
