"""Takes jobs from the store, has the referee play matches and the league pair rounds, and commits."""
