"""Put a real board into service: learn how it is wired, and try out every device."""
