"""Choose moves at one of four levels: easy, medium, hard and expert."""
