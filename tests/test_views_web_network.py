"""What the board's own page is told of the network."""

from __future__ import annotations

import pytest

from popout.rules import RED, YELLOW
from popout.views.web import network as module
from popout.views.web.admission import TRIES, CodeRunOut, WrongCode
from popout.views.web.network import Network, NotOnNetwork, addresses_of_this_machine, url

HERE = "http://192.168.1.7:8407/"


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds on the network's clock; the clock on the wall is a thousand seconds ahead."""
    now = [100.0]
    monkeypatch.setattr(module.time, "time", lambda: now[0] + 1000.2)
    return now


@pytest.fixture
def network(now: list[float]) -> Network:
    return Network([HERE], clock=lambda: now[0])


def test_codes_and_players_are_told_with_the_time_on_the_wall(network, now):
    network.invite(RED)
    code = network.seen()["invited"][0]["code"]
    assert network.seen() == {
        "addresses": [HERE],
        "name": None,
        "players": [],
        "invited": [{"side": "red", "code": code, "until": 1_400_000}],
    }
    now[0] += 50
    network.enter("192.168.1.20", code)

    assert network.seen()["invited"] == []
    assert network.seen()["players"] == [{"id": 1, "side": "red", "since": 1_150_000, "address": "192.168.1.20"}]


def test_what_is_told_is_the_same_from_one_moment_to_the_next(network, now):
    network.invite(RED)
    before = network.seen()
    now[0] += 0.25

    assert network.seen() == before


def test_without_a_network_nothing_is_told_and_nobody_can_be_invited():
    network = Network()

    assert network.seen() is None
    with pytest.raises(NotOnNetwork) as refused:
        network.invite(RED)
    assert str(refused.value) == ("No phone can reach this board. Stop the program, and start it again with --listen.")


def test_every_change_is_told_and_wrong_codes_are_none(network):
    told: list[int] = []
    network.changed = lambda: told.append(1)

    network.invite(YELLOW)
    code = network.seen()["invited"][0]["code"]
    assert len(told) == 1
    with pytest.raises(WrongCode):
        network.enter("192.168.1.66", "x")
    assert len(told) == 1
    player = network.enter("192.168.1.20", code)
    assert len(told) == 2
    network.put_out(player.number)
    assert len(told) == 3
    network.is_at([HERE], "Pop Out (board)")
    network.is_at([HERE], "Pop Out (board)")
    assert len(told) == 4
    assert network.seen()["name"] == "Pop Out (board)"


def test_a_code_that_was_withdrawn_is_told(network):
    network.invite(YELLOW)
    told: list[int] = []
    network.changed = lambda: told.append(1)

    for number in range(TRIES):
        with pytest.raises((WrongCode, CodeRunOut)):
            network.enter(f"10.0.0.{number}", "x")

    assert len(told) == 1
    assert network.seen()["invited"] == []


def test_addresses_are_those_that_another_machine_can_reach():
    for address in addresses_of_this_machine(8407):
        assert address.endswith(":8407/")
        assert not any(part in address for part in ("127.0.0.1", "[::1]", "[fe80", "169.254."))


def test_an_address_of_ipv6_stands_in_brackets():
    assert url("fd00::2", 80) == "http://[fd00::2]:80/"
    assert url("192.168.1.7", 80) == "http://192.168.1.7:80/"
