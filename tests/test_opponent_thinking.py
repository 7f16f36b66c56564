"""Asking the opponent's process from an event loop: a real process, with an engine that thinks as a test wants it."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import aclosing
from pathlib import Path

import pytest

from popout.opponent.process import OpponentGone
from popout.opponent.thinking import Thinker
from popout.opponent.verdicts import Worth
from popout.rules import Drop, Move, Pop
from stories import game_of
from tables import in_a_loop
from thinkers import DEAF, DYING, OF_BETTER, ONCE, QUICK, SLOW, WRONG, thinker
from waiting import until

GAME = game_of("popout 4x4", "d1 d1 d1 d1")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes"


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def noted(notes: Path) -> list[str]:
    return notes.read_text().splitlines() if notes.exists() else []


async def asked_of(opponent: Thinker, notes: Path) -> asyncio.Task[Move]:
    """A question to it, once it thinks about it."""
    asked = asyncio.create_task(opponent.choose(GAME, 1))
    await until(lambda: "choose 1  None" in noted(notes))
    return asked


def test_nothing_runs_before_the_first_question_nor_after_the_end(notes: Path):
    async def story() -> None:
        opponent = thinker(QUICK, notes)
        assert opponent.process is None
        assert await opponent.choose(GAME, 1) == Drop(2)
        process = opponent.process
        assert process is not None
        assert is_alive(process)
        await opponent.close()
        assert opponent.process is None
        assert not is_alive(process)
        await opponent.close()

    in_a_loop(story)


def test_asked_again_after_the_end_it_is_started_again(notes: Path):
    async def story() -> None:
        opponent = thinker(QUICK, notes)
        await opponent.start()
        await until(lambda: noted(notes) == ["started"])
        await opponent.close()
        assert await opponent.choose(GAME, 2, player="yellow", seconds=0.5) == Pop(1)
        await opponent.close()
        assert noted(notes) == ["started", "started", "choose 2 yellow 0.5"]

    in_a_loop(story)


def test_an_analysis_is_given_as_it_grows(notes: Path):
    async def story() -> None:
        opponent = thinker(QUICK, notes)
        found = [analysis async for analysis in opponent.analyse(GAME, seconds=3)]
        assert [(each.best.worth, each.best.plies, each.positions, each.final) for each in found] == [
            (Worth.UNKNOWN, None, 10, False),
            (Worth.WIN, 5, 20, True),
        ]
        assert set(found[0].moves) == set(GAME.legal_moves)
        assert found[0].moves[Pop(1)].estimate == 0.25
        await opponent.close()

    in_a_loop(story)


def test_who_stops_waiting_stops_the_thoughts_and_waits_for_nothing(notes: Path):
    async def story() -> None:
        opponent = thinker(SLOW, notes)
        asked = await asked_of(opponent, notes)
        process = opponent.process
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        await until(lambda: noted(notes)[-1] == "stopped")
        notes.with_name("go").touch()
        assert await opponent.choose(GAME, 1) == Drop(2)
        assert opponent.process == process
        await opponent.close()

    in_a_loop(story)


def test_an_analysis_that_nobody_reads_on_is_stopped(notes: Path):
    async def story() -> None:
        opponent = thinker(SLOW, notes)
        async with aclosing(opponent.analyse(GAME)) as growing:
            async for _ in growing:
                break
        await until(lambda: noted(notes)[-1] == "stopped")
        await opponent.close()

    in_a_loop(story)


def test_all_can_be_stopped_at_once(notes: Path):
    async def story() -> None:
        opponent = thinker(SLOW, notes)
        asked = await asked_of(opponent, notes)
        opponent.stop()
        with pytest.raises(OpponentGone):
            await asked
        await until(lambda: noted(notes)[-1] == "stopped")
        await opponent.close()

    in_a_loop(story)


def test_one_that_does_not_stop_is_ended_and_the_next_question_is_answered_by_another(notes: Path):
    async def story() -> None:
        opponent = thinker(DEAF, notes)
        asked = await asked_of(opponent, notes)
        process = opponent.process
        assert process is not None
        asked.cancel()
        await until(lambda: not is_alive(process))
        notes.with_name("go").touch()
        assert await opponent.choose(GAME, 1) == Drop(2)
        await opponent.close()

    in_a_loop(story)


def test_one_that_thinks_on_does_not_keep_the_program_from_ending(notes: Path):
    async def story() -> None:
        opponent = thinker(DEAF, notes)
        asked = await asked_of(opponent, notes)
        process = opponent.process
        assert process is not None
        asked.cancel()
        await opponent.close()
        assert not is_alive(process)

    in_a_loop(story)


def test_one_that_dies_is_started_again_and_asked_again(notes: Path):
    async def story() -> None:
        opponent = thinker(ONCE, notes)
        assert await opponent.choose(GAME, 1) == Drop(2)
        assert noted(notes) == ["started", "choose 1  None", "started", "choose 1  None"]
        await opponent.close()

    in_a_loop(story)


def test_one_that_was_killed_between_two_questions_is_started_again(notes: Path):
    async def story() -> None:
        opponent = thinker(QUICK, notes)
        await opponent.start()
        process = opponent.process
        assert process is not None
        os.kill(process, 9)
        assert await opponent.choose(GAME, 1) == Drop(2)
        await opponent.close()

    in_a_loop(story)


def test_one_that_dies_twice_is_gone_in_one_sentence(notes: Path):
    async def story() -> None:
        opponent = thinker(DYING, notes)
        with pytest.raises(OpponentGone) as caught:
            await opponent.choose(GAME, 1)
        assert str(caught.value) == "The opponent has failed (exit code 7). The game goes on without it."
        assert noted(notes).count("started") == 2
        assert opponent.process is None
        await opponent.close()

    in_a_loop(story)


def test_an_engine_that_fails_is_gone_in_one_sentence(notes: Path):
    async def story() -> None:
        opponent = thinker(WRONG, notes)
        with pytest.raises(OpponentGone) as caught:
            await opponent.choose(GAME, 1)
        assert str(caught.value) == "The opponent has failed (KeyError: 11). The game goes on without it."
        await opponent.close()

    in_a_loop(story)


def test_a_process_that_cannot_be_started_is_gone_in_one_sentence(tmp_path: Path):
    async def story() -> None:
        opponent = Thinker([str(tmp_path / "nothing")])
        for _ in range(2):
            with pytest.raises(OpponentGone) as caught:
                await opponent.choose(GAME, 1)
            assert str(caught.value) == (
                "The opponent cannot be started (No such file or directory). The game goes on without it."
            )
        await opponent.close()

    in_a_loop(story)


@pytest.mark.parametrize("answer", ['{"id": 1, "move": "d1"}', '{"id": 1, "move": 7}', '{"id": 1, "move": "hello"}'])
def test_a_move_that_the_rules_do_not_allow_is_not_taken(answer: str):
    async def story() -> None:
        opponent = Thinker([sys.executable, "-c", f"input(); print('''{answer}''', flush=True); input()"])
        with pytest.raises(OpponentGone):
            await opponent.choose(GAME, 1)
        await opponent.close()

    in_a_loop(story)


# A better one


def noted_of_better(notes: Path) -> list[str]:
    return noted(notes.with_name(f"{notes.name}{OF_BETTER}"))


async def until_it_took_over(opponent: Thinker, plain: int | None) -> None:
    """Ask until another process answers."""
    while opponent.process == plain:
        await opponent.choose(GAME, 1)
        await asyncio.sleep(0.01)


def test_a_better_one_takes_over_when_it_is_ready_and_the_first_one_ends(notes: Path):
    async def story() -> None:
        opponent = thinker(QUICK, notes, better=QUICK)
        await opponent.choose(GAME, 1)
        plain = opponent.process
        assert plain is not None
        await until(lambda: noted_of_better(notes) == ["started"])
        await opponent.choose(GAME, 1)
        assert opponent.process == plain
        notes.with_name("ready").touch()
        await until_it_took_over(opponent, plain)
        await opponent.choose(GAME, 4)
        assert noted_of_better(notes)[-1] == "choose 4  None"
        assert not is_alive(plain)
        await opponent.close()
        assert opponent.process is None

    in_a_loop(story)


def test_who_thinks_when_the_better_one_takes_over_thinks_to_the_end(notes: Path):
    async def story() -> None:
        opponent = thinker(SLOW, notes, better=QUICK)
        asked = asyncio.create_task(opponent.choose(GAME, 2))
        await until(lambda: "choose 2  None" in noted(notes))
        plain = opponent.process
        notes.with_name("ready").touch()
        await until(lambda: opponent.process != plain)
        assert await opponent.choose(GAME, 1) == Drop(2)
        notes.with_name("go").touch()
        assert await asked == Pop(1)
        await opponent.close()
        assert plain is not None
        assert not is_alive(plain)

    in_a_loop(story)


def test_a_better_one_that_never_gets_ready_is_done_without(notes: Path):
    notes.with_name("ready").write_text("never")

    async def story() -> None:
        opponent = thinker(QUICK, notes, better=QUICK)
        await opponent.choose(GAME, 1)
        plain = opponent.process
        await until(lambda: noted_of_better(notes) == ["started"])
        await asyncio.sleep(0.1)
        assert await opponent.choose(GAME, 1) == Drop(2)
        assert opponent.process == plain
        assert noted_of_better(notes) == ["started"]
        await opponent.close()

    in_a_loop(story)


def test_a_better_one_that_dies_is_done_without(notes: Path):
    notes.with_name("ready").touch()

    async def story() -> None:
        opponent = thinker(QUICK, notes, better=DYING)
        plain = None
        while "choose 1  None" not in noted_of_better(notes):
            assert await opponent.choose(GAME, 1) == Drop(2)
            plain = opponent.process
            await asyncio.sleep(0.01)
        assert plain is not None
        assert await opponent.choose(GAME, 4) == Pop(1)
        assert noted(notes)[-1] == "choose 4  None"
        await opponent.close()

    in_a_loop(story)


def test_one_that_is_not_ready_when_all_ends_is_ended(notes: Path):
    async def story() -> None:
        opponent = thinker(QUICK, notes, better=QUICK)
        await opponent.choose(GAME, 1)
        await until(lambda: noted_of_better(notes) == ["started"])
        await opponent.close()
        assert await opponent.choose(GAME, 1) == Drop(2)
        await opponent.close()

    in_a_loop(story)


def test_what_nobody_understands_is_passed_over(caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        says = 'input(); print("hm"); print("[]"); print(\'{"id": 1, "move": "d2"}\', flush=True); input()'
        opponent = Thinker([sys.executable, "-c", says])
        assert await opponent.choose(GAME, 1) == Drop(2)
        await opponent.close()

    in_a_loop(story)
    assert caplog.messages == [
        "The opponent said what nobody understands: b'hm\\n'",
        "The opponent said what nobody understands: b'[]\\n'",
    ]


def test_one_that_never_answers_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch, notes: Path):
    monkeypatch.setattr("popout.opponent.thinking.HUNG_AFTER_S", 0.2)

    async def story() -> None:
        opponent = thinker(DEAF, notes)
        with pytest.raises(OpponentGone) as caught:
            await opponent.choose(GAME, 1, seconds=0.1)
        assert str(caught.value) == "The opponent has failed (no answer). The game goes on without it."
        await opponent.close()

    in_a_loop(story)
