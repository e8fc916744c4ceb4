"""Finished games, replayed from the journal, counted, analysed and described for the pages."""
