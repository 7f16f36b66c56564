"""Where a connection comes from."""

from __future__ import annotations

from typing import Any

import pytest

from popout.views.web.peers import client_of, host_name, is_local, is_loopback, plain


def scope(client: str, host: str, **headers: str) -> dict[str, Any]:
    named = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return {
        "type": "websocket",
        "client": (client, 50000),
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }


@pytest.mark.parametrize("client", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost:8407", "127.0.0.1:8407", "[::1]:8407"])
def test_this_machines_own_pages_and_programs_are_local(client, host):
    assert is_local(scope(client, host))


@pytest.mark.parametrize("client", ["192.168.1.20", "::ffff:192.168.1.20", "fe80::1%eth0", "10.0.0.1", "testclient"])
def test_another_machine_is_not_whatever_it_calls_this_one(client):
    for host in ("localhost:8407", "192.168.1.7:8407"):
        assert not is_local(scope(client, host))


@pytest.mark.parametrize("host", ["board.local:8407", "board:8407", "192.168.1.7:8407", "localhost.evil.example", ""])
def test_a_page_that_was_found_by_a_name_that_others_could_answer_for_is_not_trusted(host):
    assert not is_local(scope("127.0.0.1", host))


@pytest.mark.parametrize("header", ["x_forwarded_for", "forwarded", "x_real_ip", "via"])
def test_what_a_program_here_passes_on_for_others_is_not_local(header):
    assert not is_local(scope("127.0.0.1", "localhost:8407", **{header: "192.168.1.20"}))


def test_an_address_is_the_same_in_every_dress():
    assert plain("::ffff:192.168.1.20") == "192.168.1.20"
    assert plain("fe80::1%eth0") == "fe80::1"
    assert plain("fd00::2") == "fd00::2"
    assert client_of({"type": "http", "client": None}) == ""


@pytest.mark.parametrize(
    ("host", "name"), [("Board.LOCAL:80", "board.local"), ("[::1]:80", "::1"), ("[", ""), ("", "")]
)
def test_a_host_is_read_without_its_port(host, name):
    assert host_name(host) == name


def test_loopback_has_more_than_one_name():
    assert is_loopback("localhost")
    assert is_loopback("::ffff:127.0.0.1")
    assert not is_loopback("localhost.example")
    assert not is_loopback("0.0.0.0")
