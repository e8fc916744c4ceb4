"""Commission a real board: learn its wiring and test every device."""
