"""Define the rules of the dice game."""
