# A Raspberry Pi Pico 2 with its ARM cores, as MicroPython knows it.
include(${MICROPY_PORT_DIR}/boards/RPI_PICO2/mpconfigboard.cmake)
include(${MICROPY_PORT_DIR}/boards/RPI_PICO2/mpconfigvariant.cmake)
