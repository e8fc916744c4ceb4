"""Proofs that take long: power cuts, kills, spoiled inputs, and a kernel of our own. `make test` leaves them out."""
