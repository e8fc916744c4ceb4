"""Draw the one-bit screens of handset and display, and the whole board. Uses only views and scenes."""
