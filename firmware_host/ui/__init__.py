"""Show a game on lamps, handset, display, as JSON and in pictures. Uses only views and scenes."""
