"""The table in a browser: what its pages are sent and may ask for. Nothing here ever holds a whole game."""
