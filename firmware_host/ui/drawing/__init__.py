"""Draw the one-bit screens of handset and display, and the whole board. Knows views and scenes alone."""
