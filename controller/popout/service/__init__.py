"""A board that runs for months: what it tells the system that runs it, the log, and people who ask how it is."""
