"""What is wrong with this computer and its board, and what to type: facts are gathered, then findings made of them."""
