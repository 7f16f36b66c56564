"""The durable record of games: what happened at the board, in order, and on disk before it counts."""
