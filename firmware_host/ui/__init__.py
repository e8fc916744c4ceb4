"""Show a game: lamps, handset, display, JSON and pictures. Pure; drawn from views and scenes alone."""
