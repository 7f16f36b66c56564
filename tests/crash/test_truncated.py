"""A record that was cut short on the disk is resumed at the table as far as it can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from popout.board.layout import Layout
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.journal import Entry, read
from popout.record.store import Store
from popout.rules import Drop, Game, RuleSet
from popout_sim.driver import SimulatedBoard

SECTOR = 512
RULES = RuleSet.parse("popout 7x6 connect=7")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Game]]:
    """A whole record, and the game after each entry of it."""
    path = tmp_path_factory.mktemp("whole") / "games.sqlite3"
    games: list[Game] = [Game.start(RULES)]
    with Store(path) as store:
        store.append(Entry.new(RULES), games[-1])
        for number in range(400):
            if number % 10 == 9 and games[-1].moves:
                games.append(games[-1].take_back())
                store.append(Entry.take_back(), games[-1])
            elif len(games[-1].moves) < 40:
                move = Drop(len(games[-1].moves) % 7 + 1)
                games.append(games[-1].play(move))
                store.append(Entry.move(move), games[-1])
            else:
                games.append(Game.start(RULES))
                store.append(Entry.new(RULES), games[-1])
    return path.read_bytes(), games


def test_at_every_sector_the_table_resumes_a_game_that_was_there(record: tuple[bytes, list[Game]], tmp_path: Path):
    whole, games = record
    cuts = range(0, len(whole) + 1, SECTOR)
    assert len(cuts) > 50
    for cut in cuts:
        path = tmp_path / str(cut) / "games.sqlite3"
        path.parent.mkdir()
        path.write_bytes(whole[:cut])
        with Store(path) as store, SimulatedBoard(Layout.plain(7, 6), clock=lambda: 0.0) as board:
            table = Table(board, store, Settings())
            game = table.controller.game
            assert game == read(store.current())
            if cut == len(whole):
                assert game == games[-1]
                assert store.recovered is None
            elif game.moves:
                assert game in games
                assert [other.read_bytes() for other in path.parent.glob("*damaged*.sqlite3")] == [whole[:cut]]
