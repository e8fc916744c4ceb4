"""The service that runs a table: its start, its watchdog and its health file."""
