"""Proofs that take long: power cuts, kills, spoiled inputs, soaks, and our own kernel. `make test` leaves them out."""
