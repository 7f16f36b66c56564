"""Users of the system that the tests run on."""

from __future__ import annotations


def somebody() -> str:
    """A user that this system has, who is not root, and whom systemd takes without a warning."""
    import pwd  # not on every system

    return next(user.pw_name for user in pwd.getpwall() if user.pw_uid and user.pw_name != "nobody")
