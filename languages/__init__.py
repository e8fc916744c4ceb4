"""Translate the texts of the table and its pages, and compile the translations."""
