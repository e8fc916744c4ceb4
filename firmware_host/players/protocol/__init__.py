"""The player protocol and the processes of computer players."""
