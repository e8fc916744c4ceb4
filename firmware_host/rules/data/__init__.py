"""Readers of the files that maps, boxes and tile sets are written in."""
