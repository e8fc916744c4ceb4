"""The documents, scripts and pictures that the server sends to browsers."""
