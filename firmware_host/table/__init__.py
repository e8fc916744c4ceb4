"""The running table: inputs, outputs, devices, computer players and recording."""
