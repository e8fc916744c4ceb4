"""Configurations: the schema, the board layout, the drivers, and the shipped files."""
