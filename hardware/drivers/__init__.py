"""Real devices behind the ports, one file a device family. Importing one needs no package that only a Pi has."""
