"""Players at four levels: easy, medium, hard and expert."""
