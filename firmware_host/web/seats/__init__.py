"""Decide which page may play which seat, by tokens, links and sessions."""
