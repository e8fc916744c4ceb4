"""Read a configuration: its schema, board layout, drivers, and the shipped files."""
