"""Drawings of the one-bit screens of handset and display, and of the whole board."""
