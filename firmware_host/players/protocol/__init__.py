"""The protocol of computer players, and the processes in which they run."""
