"""Show a game: lamps, handset, display, JSON and pictures. Drawn from views and scenes alone."""
