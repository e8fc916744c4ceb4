"""Define the rules of the junior game."""
