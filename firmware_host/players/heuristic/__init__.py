"""Heuristics: rules of thumb that choose moves at once."""
