"""Run a table as a service: start, watchdog, status file."""
