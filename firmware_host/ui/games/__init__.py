"""What only one game has, in words and drawings: a file for each game, and a registry."""
