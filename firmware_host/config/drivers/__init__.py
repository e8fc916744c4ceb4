"""The drivers that a configuration can name, one record each."""
