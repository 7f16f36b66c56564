"""The earlier games as a page gets them, and that nobody who asks for them can slow the board down."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from popout.record.archive import Archive
from popout.record.journal import Entry, apply
from popout.record.store import Store
from popout.rules import RED, Game, RuleSet, parse_move, read_records, set_up
from popout.views.web import history
from popout.views.web.history import MOST_WAITING, ON_A_PAGE, Reader, RecordBusy, routes
from popout.views.web.speaker import Speaker

WON = "d1 d2 d1 d2 d1 d2 d1"


def record(path: Path, *games: str, rules: str = "popout 7x6") -> Path:
    """Put games, each as its moves, into the record in `path`."""
    with Store(path) as store:
        for moves in games:
            ruleset = RuleSet.parse(rules)
            game = Game.start(ruleset)
            store.append(Entry.new(ruleset), game)
            for word in moves.split():
                game = write(store, game, Entry.move(parse_move(word)))
    return path


def write(store: Store, game: Game, entry: Entry) -> Game:
    after = apply(game, entry)
    assert after is not None
    store.append(entry, after)
    return after


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
def client(path: Path) -> Iterator[TestClient]:
    with TestClient(Starlette(routes=routes(path, Speaker("en")))) as client:
        yield client


def test_games_that_are_kept_in_memory_have_no_history():
    assert routes(None, Speaker()) == []


def test_the_newest_game_is_listed_first_with_what_became_of_it(client, path):
    record(path, WON, "d4")

    answer = client.get("/games.json").json()

    assert [(game["number"], game["result"], game["current"]) for game in answer["games"]] == [
        (2, "unfinished", True),
        (1, "red", False),
    ]
    assert answer["more"] is False


def test_more_games_than_are_listed_at_once_are_asked_for_by_the_last_number(client, path):
    record(path, *["d4"] * (ON_A_PAGE + 2))

    first = client.get("/games.json").json()
    second = client.get("/games.json", params={"before": first["games"][-1]["number"]}).json()

    assert len(first["games"]) == ON_A_PAGE
    assert (first["more"], second["more"]) == (True, False)
    assert [game["number"] for game in second["games"]] == [2, 1]


@pytest.mark.parametrize("before", ["", "x", "-1", "9" * 5000, "²"])
def test_a_number_that_makes_no_sense_is_left_out(client, path, before):
    record(path, WON)

    assert len(client.get("/games.json", params={"before": before}).json()["games"]) == 1


def test_a_game_comes_with_the_position_after_each_move(client, path):
    record(path, WON)

    game = client.get("/games/1.json").json()

    assert [move["text"] for move in game["said"]] == WON.split()
    assert len(game["positions"]) == 8
    assert game["positions"][3]["grid"] == ["XX", "O", "", "", "", "", ""]
    assert game["positions"][3]["last"]["row"] == 2
    assert game["outcome"]["sentence"] == "Red wins: 4 in a row."
    assert game["corrected"] is False


def test_power_discs_are_known_by_their_signs_in_the_past_as_well(client, path):
    record(path, "a4 d1", rules="power 7x6")

    positions = client.get("/games/1.json").json()["positions"]

    assert [position["signs"] for position in positions] == [[], [[4, 1, "a"]], [[4, 1, "a"]]]


def test_a_game_whose_discs_were_corrected_says_so(client, path):
    record(path, "d4 d4")
    with Store(path) as store:
        game = store.game()
        assert game is not None
        seen = set_up(game.rules, ("", "", "", "", "X", "O", ""), RED)
        game = write(store, game, Entry.correction(game.position, seen))
        write(store, game, Entry.move(parse_move("d1")))

    told = client.get("/games/1.json").json()

    assert told["corrected"] is True
    assert told["positions"][0]["grid"] == ["", "", "", "", "X", "O", ""]


def test_a_game_that_is_too_long_to_be_stepped_through_is_given_as_text(client, path, monkeypatch):
    monkeypatch.setattr(history, "MOST_REPLAYED", 6)
    record(path, WON)

    game = client.get("/games/1.json").json()

    assert (game["positions"], game["said"]) == ([], [])
    assert game["outcome"]["winner"] == "red"
    assert WON in client.get("/games/1.txt").text


def test_a_game_as_text_can_be_read_again(client, path):
    record(path, "d4 d4", WON)

    answer = client.get("/games/2.txt")

    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    (read,) = read_records(answer.text)
    assert " ".join(str(each.move) for each in read.moves) == WON


@pytest.mark.parametrize("address", ["/games/3.json", "/games/3.txt", "/games/x.json", f"/games/{'9' * 5000}.json"])
def test_a_game_that_is_not_there_is_not_found(client, path, address):
    record(path, WON)

    answer = client.get(address)

    assert answer.status_code == 404
    assert answer.text.startswith("There is no game ")


def test_a_record_that_cannot_be_read_is_told_in_a_sentence(client, path):
    path.write_text("Dear diary")

    answer = client.get("/stats.json")

    assert answer.status_code == 503
    assert str(path) in answer.text


def test_statistics_count_every_game(client, path):
    record(path, WON, "d4 d4")

    told = client.get("/stats.json").json()

    assert (told["total"]["games"], told["total"]["red"], told["total"]["unfinished"]) == (2, 1, 1)
    assert told["lengths"] == [{"least": 7, "most": 7, "count": 1}]


def test_words_are_in_the_language_of_the_page(client, path):
    record(path, "d4")

    english, danish = (client.get("/games/1.json", params={"lang": tag}) for tag in ("en", "da"))

    assert english.json()["said"][0]["said"] == "Red drops a disc in column 4."
    assert danish.json()["said"][0]["said"] != english.json()["said"][0]["said"]
    assert danish.headers["content-language"] == "da"


# Who asks


def test_the_record_is_read_once_until_it_changes(client, path, monkeypatch):
    opened = []

    class Counted(Archive):
        def __init__(self, path: Path) -> None:
            opened.append(path)
            super().__init__(path)

    monkeypatch.setattr(history, "Archive", Counted)
    record(path, WON)

    for _ in range(3):
        assert len(client.get("/games.json").json()["games"]) == 1
    assert len(opened) == 1

    record(path, "d4")
    assert len(client.get("/games.json").json()["games"]) == 2
    assert len(opened) == 2


def test_one_question_is_answered_at_a_time_and_too_many_are_refused(path):
    record(path, WON)
    go_on, inside = threading.Event(), []

    def slowly(_: Archive) -> bytes:
        inside.append("in")
        go_on.wait(20)
        assert inside.pop() == "in"
        assert inside == []
        return b"answer"

    async def story() -> None:
        reader = Reader(path)
        asking = [asyncio.create_task(reader.read((number,), slowly)) for number in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(RecordBusy, match="Try again in a moment"):
            await reader.read(("one more",), slowly)
        go_on.set()
        assert await asyncio.gather(*asking) == [b"answer"] * MOST_WAITING
        assert await reader.read(("one more",), slowly) == b"answer"

    asyncio.run(story())


def test_between_two_readings_the_record_rests(path, monkeypatch):
    record(path, WON)
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def noted(seconds: float, *more: Any) -> None:
        pauses.append(seconds)
        await sleep(0, *more)

    async def story() -> None:
        reader = Reader(path)
        monkeypatch.setattr(asyncio, "sleep", noted)
        for number in range(2):
            await reader.read((number,), answering(b""))
        monkeypatch.undo()

    asyncio.run(story())
    assert pauses[0] == 0
    assert pauses[1] > 0


def test_who_fails_does_not_keep_the_others_from_asking(path):
    record(path, WON)

    def broken(_: Archive) -> bytes:
        raise ZeroDivisionError

    async def story() -> None:
        reader = Reader(path)
        for number in range(MOST_WAITING + 1):
            with pytest.raises(ZeroDivisionError):
                await reader.read((number,), broken)
        assert await reader.read(("next",), answering(b"answer")) == b"answer"

    asyncio.run(story())


def answering(answer: bytes) -> Callable[[Archive], bytes]:
    return lambda _: answer
