"""What can be wrong with a board layout."""

from popout.rules.messages import PopoutError


class LayoutError(PopoutError):
    """A board layout cannot be used."""

    code = "layout"


class LayoutMissing(LayoutError, FileNotFoundError):
    """There is no layout of that name."""

    code = "layout-missing"


class LayoutUnreadable(LayoutError, OSError):
    """The file cannot be opened, or is not TOML at all."""

    code = "layout-unreadable"


class LayoutInvalid(LayoutError, ValueError):
    """A key of the layout is unknown, missing or has an impossible value."""

    code = "layout-invalid"


class LayoutSizeError(LayoutInvalid):
    """The grid is smaller than 1x1 or larger than 32x32."""

    code = "layout-size"


class LayoutPinConflict(LayoutError, ValueError):
    """A pin is used for two things."""

    code = "layout-pin-conflict"
