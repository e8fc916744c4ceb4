"""Give every program what it needs: logging, an orderly end, safe file reads, and the service manager."""
