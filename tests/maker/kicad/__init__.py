"""KiCad's own checks of the files that are written for it."""
