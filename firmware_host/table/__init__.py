"""The running table, which combines inputs, outputs, devices, computer players and recording."""
