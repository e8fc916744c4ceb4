"""Computer players. Imports `rules` and `system` alone."""
