"""Search for moves in pursuit games, on compiled kernels. Needs numpy and numba."""
