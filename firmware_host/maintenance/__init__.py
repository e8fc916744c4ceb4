"""What keeps a table going for years: how it is, its service, what happened on it."""
