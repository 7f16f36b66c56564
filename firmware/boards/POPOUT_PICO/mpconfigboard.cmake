# A Raspberry Pi Pico, as MicroPython knows it.
include(${MICROPY_PORT_DIR}/boards/RPI_PICO/mpconfigboard.cmake)
