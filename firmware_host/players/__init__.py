"""Computer players. Imports only `rules` and `system`."""
