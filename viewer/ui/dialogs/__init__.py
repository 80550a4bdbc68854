"""What asks a person: about, shortcuts, the go-to bar, the export dialog. None of them knows the window."""
