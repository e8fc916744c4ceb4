"""What keeps a table running for years: its service, its health, backups and bug reports."""
