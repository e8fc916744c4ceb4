"""Show a game on lamps, handset and display, as JSON and in pictures. The input is a view or a scene."""
