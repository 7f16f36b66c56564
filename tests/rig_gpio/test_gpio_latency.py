"""How long it takes from a line that changes to the light that shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from hands import Edge, Hands, line_of
from pinboard import PI, SeenLamps, in_time, playing

from popout.board.frame import Frame
from popout.board.switches import column_switch
from waiting import until

ROUNDS = 105
REST_MS = 40.0
GLITCH_MS = 2.0
"""A shorter pulse is no press, so that nothing is shown before."""


def test_the_light_follows_the_finger(tmp_path: Path, hands: Hands, figure: Callable[[str], None]):
    lamps = SeenLamps()
    took: list[float] = []

    async def move(column: int, high: bool) -> float:
        ((moved, _),) = await hands.doing([Edge(REST_MS, line_of(PI, column_switch(column)), high)])
        return moved

    async def see(moved: float, bright: bool) -> None:
        def first() -> float | None:
            shown = (time for time, frame in lamps.frames if time > moved and _is_bright(frame) == bright)
            return next(shown, None)

        await until(first)
        took.append((first() or 0) - moved)

    async def story() -> None:
        async with playing(tmp_path / "games", "popout 7x6", PI, lamps):
            for _ in range(ROUNDS):
                # A press is shown at once; that of a second column means that neither was meant, and is shown too.
                await see(await move(4, high=False), bright=True)
                await see(await move(5, high=False), bright=False)
                await move(4, high=True)
                await move(5, high=True)
                lamps.frames.clear()

    in_time(story)
    assert len(took) >= 200
    assert min(took) > GLITCH_MS
    figure(
        f"from a line that changes to the frame that shows it, {len(took)} times, of which the glitch limit takes "
        f"{GLITCH_MS:.0f} ms: median {median(took):.1f} ms, 99th percentile {quantiles(took, n=100)[-1]:.1f} ms"
    )


def _is_bright(frame: Frame) -> bool:
    """Whether the lamp of the fourth column shows more than that it may be played: red, and at its full light."""
    return frame.columns[3] >> 16 > 64
