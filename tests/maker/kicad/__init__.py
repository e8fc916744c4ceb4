"""What KiCad itself says of the files that are written for it."""
