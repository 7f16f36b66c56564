"""How a board is wired: pins chosen for it, its layout file written, and its wiring told in a table and in pictures."""
