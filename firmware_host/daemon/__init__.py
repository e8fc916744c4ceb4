"""Run a table as a service: start, watchdog, health file."""
