"""The rules of every game. This package imports only itself, the standard library and `system.language`."""
