"""Show a game on lamps, handset and display, as JSON and in pictures. Uses only views and scenes."""
