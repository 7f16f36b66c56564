"""What can go wrong with the firmware."""

from popout.rules.messages import PopoutError


class FirmwareError(PopoutError):
    """The firmware cannot be built, or is not what it should be."""

    code = "firmware"
