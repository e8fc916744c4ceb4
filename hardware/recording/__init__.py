"""Record everything that passes between a program and its devices, and play it back."""
