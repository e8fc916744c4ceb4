"""Putting a real board into service: learning how it is wired, and trying out every device."""
