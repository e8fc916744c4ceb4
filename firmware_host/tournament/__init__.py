"""Let players play each other, many games, and tell who is stronger."""
