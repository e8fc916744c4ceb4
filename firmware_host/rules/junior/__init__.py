"""The junior game."""
