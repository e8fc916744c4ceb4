"""Run one table: inputs, outputs, devices, recording."""
