"""Players at five levels: easy, medium, skilled, hard and expert."""
