"""Computer players and the coach. This package imports only `rules` and `system`."""
