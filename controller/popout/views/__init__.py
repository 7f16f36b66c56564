"""What people look at: the page, the terminal, and the words of the referee."""
