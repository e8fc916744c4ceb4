"""The search for moves in pursuit games, in compiled code. It needs numpy and numba."""
