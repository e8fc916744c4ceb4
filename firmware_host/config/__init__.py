"""Read a configuration: its schema, the board layout, the pins, and the files that ship."""
