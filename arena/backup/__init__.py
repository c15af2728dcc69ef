"""An arena in one file: written while it plays, and a new arena made of it."""
