"""What every program needs: logging, an orderly end, safe file reads, and the service manager."""
