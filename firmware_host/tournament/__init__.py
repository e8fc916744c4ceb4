"""Play many games between players and compute who is stronger."""
