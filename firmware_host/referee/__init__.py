"""Referee a table: read the board, ask what is unclear, and turn events into actions. Pure."""
