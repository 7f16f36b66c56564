"""The debouncer: from the raw edges of one switch to presses and releases. Every driver and the firmware use it.

The file runs unchanged on CPython and on MicroPython, so it imports nothing. It owns no clock: time is an
argument, in milliseconds as int or float, on any clock that does not wrap around.

How it decides, with the times that `check_times` names:

- A new level counts once it has stayed for the glitch limit (at once if that is 0). The report bears the time of
  the edge that stayed, not the time at which that was certain.
- Then the switch is ignored for the lock-out; after it, the level is compared with what was last reported, and a
  change is treated in the same way. A release is debounced as a press is, so the two always alternate.
- A switch that is closed at the start is stuck: said once, and ignored until it has been open.
- More than 50 edges within 1000 ms: the switch is faulty and muted until it has been quiet for 5000 ms.
"""

PRESSED = 1
"""The switch closed."""
RELEASED = 2
"""The switch opened."""
STUCK = 3
"""The switch is closed without having been pressed: at the start, or after it was muted. Ignored until open."""
FAULTY = 4
"""The switch chatters and is muted. A press that is under way has no meaning any more: cancel it."""
HEALED = 5
"""The switch that was stuck or faulty is in use again. If a press was cut short, its release follows."""

GLITCH_MS = 2
BUTTON_LOCKOUT_MS = 30
DISC_LOCKOUT_MS = 200

MOST_EDGES = 50
WITHIN_MS = 1000
QUIET_MS = 5000

MOST_GLITCH_MS = 100
MOST_LOCKOUT_MS = 2000


def check_times(
    glitch_ms: float = GLITCH_MS,
    lockout_ms: float = BUTTON_LOCKOUT_MS,
    disc_lockout_ms: float = DISC_LOCKOUT_MS,
) -> None:
    """Refuse debouncing times that make no sense.

    The glitch limit is 0 to 100 ms, where 0 turns it off; a lock-out is 1 to 2000 ms and longer than the limit.

    :raises ValueError: a sentence that names the setting, its value and its unit.
    """
    _check("glitch_ms", glitch_ms, 0, MOST_GLITCH_MS)
    for setting, value in (("lockout_ms", lockout_ms), ("disc_lockout_ms", disc_lockout_ms)):
        _check(setting, value, 1, MOST_LOCKOUT_MS)
        if value <= glitch_ms:
            raise ValueError(
                f"{setting} is {value} ms and glitch_ms is {glitch_ms} ms: the lock-out must be longer than the "
                "glitch limit."
            )


class Debouncer:
    """One switch, debounced.

    Hand it each edge as it comes, and call `poll` at the time that `due` names::

        debouncer = Debouncer(closed=False, now=0)
        for kind, time in debouncer.edge(True, 100):
            ...

    `edge` and `poll` return the reports in order of time: a tuple of pairs of a kind (`PRESSED`, `RELEASED`,
    `STUCK`, `FAULTY`, `HEALED`) and a time in milliseconds; nearly always the empty tuple, which costs no memory.

    An edge may be heard late, after polls of a later time that read the level already: it keeps its own time. One that
    lies before an earlier edge, or before what was reported last, is taken to be as late as that.

    :ivar stuck: closed without having been pressed, and ignored until it is open.
    :ivar muted: it chattered, and is ignored until it has been quiet.
    """

    def __init__(
        self,
        closed: bool = False,
        now: float = 0,
        glitch_ms: float = GLITCH_MS,
        lockout_ms: float = BUTTON_LOCKOUT_MS,
    ) -> None:
        """Begin with the level that the switch has `now`.

        `lockout_ms` is 30 for a button, and meant to be 200 for a lever or a beam that a disc moves.

        :raises ValueError: the times make no sense, see `check_times`.
        """
        check_times(glitch_ms, lockout_ms)
        self.stuck = closed
        self.muted = False
        self._glitch = glitch_ms
        self._lockout = lockout_ms
        self._level = closed  # as last seen
        self._since = now  # when it became so
        self._settled = closed  # the level that counts: the last one reported, or closed while stuck
        self._locked_until: float | None = None
        self._pressed = False  # the last of PRESSED and RELEASED that was reported
        self._untold_stuck = closed
        self._heard = now  # the time of the last edge or the last report: nothing can be heard of before
        self._latest = now  # the latest time of all
        # The times of the last edges, as a ring that is written over: its memory never grows.
        self._edges: list[float] = [0] * MOST_EDGES
        self._edge_count = 0

    @property
    def closed(self) -> bool:
        """The level of the switch as it was seen last."""
        return self._level

    @property
    def pressed(self) -> bool:
        """Whether a press has been reported whose release has not."""
        return self._pressed

    def edge(self, closed: bool, now: float) -> tuple[tuple[int, float], ...]:
        """The switch changed to `closed` at the time `now`.

        An edge to the level that it has already means that the edge between them was lost.
        """
        now = self._not_before(now)
        # What has become certain before this edge counts, however late the edge or the poll comes.
        reports = self._first() + self._settle(now)
        self._heard = now
        return reports + self._change(closed, now) + self._settle(now)

    def poll(self, now: float, level: bool | None = None) -> tuple[tuple[int, float], ...]:
        """Let time pass until `now`; `level` is the switch as read at that time, if it was read.

        A level that differs from the last edge's means that an edge was lost; the switch changed now, then.
        """
        now = self._not_before(now)
        reports = self._first()
        if level is not None and level != self._level:
            # The change that waits for its glitch limit, if there is one, is thereby no longer known to have stayed.
            # It is no edge: lost ones do not chatter, and those that wait in a queue are counted when they come.
            self._level = level
            self._since = now
        return reports + self._settle(now)

    def due(self) -> float | None:
        """The time from which on `poll` has something to decide, or None while nothing does.

        Poll with the level read, so that the end of a lock-out finds an edge that was lost in it.
        """
        if self._untold_stuck:
            return self._since
        if self.muted:
            return self._edges[self._edge_count % MOST_EDGES - 1] + QUIET_MS
        if self._level != self._settled:
            return self._certain_at()
        if self._locked_until is not None and self._latest < self._locked_until:
            return self._locked_until
        return None

    def _not_before(self, now: float) -> float:
        """The time at which something is heard; one that lies before what was heard already is as late as that."""
        if now < self._heard:
            now = self._heard
        if now > self._latest:
            self._latest = now
        return now

    def _first(self) -> tuple[tuple[int, float], ...]:
        """Say once that the switch was closed at the start."""
        if not self._untold_stuck:
            return ()
        self._untold_stuck = False
        return ((STUCK, self._since),)

    def _change(self, closed: bool, now: float) -> tuple[tuple[int, float], ...]:
        """Note an edge, and mute a switch that has had too many."""
        if closed != self._level:
            self._level = closed
            self._since = now
        slot = self._edge_count % MOST_EDGES
        too_many = self._edge_count >= MOST_EDGES and now - self._edges[slot] < WITHIN_MS
        self._edges[slot] = now
        self._edge_count += 1
        if self._edge_count >= 2 * MOST_EDGES:
            self._edge_count -= MOST_EDGES  # the place in the ring stays; the number stays small
        if too_many and not self.muted:
            self.muted = True
            self.stuck = False
            self._locked_until = None
            return ((FAULTY, now),)
        return ()

    def _settle(self, now: float) -> tuple[tuple[int, float], ...]:
        """Decide what has become certain by `now`."""
        if self.muted:
            return self._heal(now)
        if self._level == self._settled:
            return ()
        certain = self._certain_at()
        if now < certain:
            return ()
        self._settled = self._level
        if self._heard < self._since:
            self._heard = self._since
        self._locked_until = certain + self._lockout
        if self.stuck:
            self.stuck = False
            return ((HEALED, self._since),)
        self._pressed = self._level
        return ((PRESSED if self._level else RELEASED, self._since),)

    def _certain_at(self) -> float:
        """When the level that differs from the settled one will count, if it stays."""
        certain = self._since + self._glitch
        if self._locked_until is not None and self._locked_until > certain:
            return self._locked_until
        return certain

    def _heal(self, now: float) -> tuple[tuple[int, float], ...]:
        """Use a muted switch again once it has been quiet. A press is never made of it."""
        healed = self._edges[self._edge_count % MOST_EDGES - 1] + QUIET_MS
        if now < healed:
            return ()
        self._heard = healed
        self.muted = False
        self._edge_count = 0
        self._settled = self._level
        if self._level and not self._pressed:
            # Nobody saw it being pressed, so it is as a switch that is closed at the start.
            self.stuck = True
            return ((HEALED, healed), (STUCK, healed))
        if self._pressed and not self._level:
            self._pressed = False
            return ((HEALED, healed), (RELEASED, healed))
        return ((HEALED, healed),)


def _check(setting: str, value: float, least: float, most: float) -> None:
    # A text, a truth value or "not a number" comes from a settings file, so the type is looked at.
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{setting} is {value!r}: it must be a number of milliseconds.")
    if not least <= value <= most:
        raise ValueError(f"{setting} is {value} ms: it must be from {least} to {most} ms.")
