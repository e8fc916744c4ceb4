"""Choose moves at a level: easy, medium, hard and expert."""
