"""Word and draw each game's own things: a file per game, and a registry."""
