"""Where MicroPython begins: the board runs until a host sends it to the prompt. What fails is kept for the next start.

A program that fails leaves its lamps dark and waits for the watchdog, which starts the chip anew.
"""

import failure


def main() -> None:
    """Be a board."""
    board = None
    try:
        from board import Board  # here, so that what fails in it is kept too

        board = Board()
        board.run()
    except Exception as error:
        failure.keep(error)
        if board is not None:
            board.darken()
        failure.wait_for_the_watchdog()


main()
