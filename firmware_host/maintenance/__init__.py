"""Keep a table going for years: its health, its service, its recordings."""
