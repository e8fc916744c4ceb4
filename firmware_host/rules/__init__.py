"""Define the rules of every game. Imports only itself and the standard library."""
