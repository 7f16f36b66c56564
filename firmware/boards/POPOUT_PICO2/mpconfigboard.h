// A Raspberry Pi Pico 2 that says on the USB what it is, so that the controller finds it among others.
#include "boards/RPI_PICO2/mpconfigboard.h"

#undef MICROPY_HW_BOARD_NAME
#define MICROPY_HW_BOARD_NAME "Pop Out board on a Pico 2"
#define MICROPY_HW_USB_MANUFACTURER_STRING "popout"
#define MICROPY_HW_USB_PRODUCT_FS_STRING "Pop Out board"

// Opened at 1200 baud and closed again, the port leads to the boot loader, as with other makers' boards.
#define MICROPY_HW_USB_CDC_1200BPS_TOUCH (1)
