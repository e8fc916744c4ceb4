"""Define the drivers that a configuration can name, a record each."""
