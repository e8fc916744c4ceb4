"""Recordings: everything that a table's devices say is put on a tape, and can be replayed later."""
