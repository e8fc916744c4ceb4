"""How each game is worded and drawn beyond what all games share: a file a game, and a registry."""
