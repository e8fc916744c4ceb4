"""The referee of a table: reads the board, asks about what is unclear, and turns events into actions. Pure."""
