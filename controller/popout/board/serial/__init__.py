"""A board behind a microcontroller on a serial link. The driver needs pyserial; the description of a board, nothing."""
