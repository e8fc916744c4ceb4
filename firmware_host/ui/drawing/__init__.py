"""Draw the one-bit screens of handset and display, and the whole board. Pure; knows views and scenes alone."""
