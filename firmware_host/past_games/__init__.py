"""Finished games: replay them from the journal, count and analyse them, and describe them for the pages."""
