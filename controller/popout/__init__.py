"""A controller for a slotted four-in-a-row board that plays Pop Out: rules, board, play and views.

The rules core is `popout.rules`; the command is `popout` (see `popout.cli`).
"""

__version__ = "0.1.0"
