"""The rules of the junior game."""
