"""Services for every program: logging, an orderly exit, safe file access, languages, the service manager."""
