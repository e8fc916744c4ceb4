"""The rules of every game. This package imports only itself and the standard library."""
