"""Playing at a board: gestures, lights, and the controller that joins rules, board and record."""
