"""Words and drawings that only one game needs: a file for each game, and registries of them."""
