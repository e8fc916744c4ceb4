"""Search for moves in pursuit games with compiled code. Needs numpy and numba."""
