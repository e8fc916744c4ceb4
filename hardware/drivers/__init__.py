"""Real devices behind the ports, and what several of them share. Importing one needs no package that only a Pi has."""
