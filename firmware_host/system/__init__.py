"""Provide services for every program: logging, orderly exit, safe file reads, the service manager."""
