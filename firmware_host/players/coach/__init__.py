"""Tell everyone what Mister X's log gives away."""
