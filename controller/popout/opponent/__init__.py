"""Players that are not people: what a position is worth, which move to make, at which level."""
