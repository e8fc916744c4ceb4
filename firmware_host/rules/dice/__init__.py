"""The rules of the dice game."""
