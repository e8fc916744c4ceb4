"""Recordings: everything that a table's devices report is put on a tape, and can be replayed later."""
