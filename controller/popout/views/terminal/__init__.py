"""The terminal: the whole board in letters, beside the table in the same process or attached to a running board."""
