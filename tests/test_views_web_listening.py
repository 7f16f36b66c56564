"""Taking a port: which addresses, which names, and one sentence when it cannot be had."""

from __future__ import annotations

import socket
from contextlib import closing

import pytest

from popout.views.web.guard import ANY_ADDRESS
from popout.views.web.listening import EVERYWHERE, CannotListen, PortInUse, listen
from popout.views.web.network import addresses_of_this_machine


def other_address() -> str:
    """An address of this machine that is not loopback."""
    for address in addresses_of_this_machine(1):
        if "[" not in address:
            return address.removeprefix("http://").removesuffix(":1/")
    pytest.skip("this machine has no address but loopback")


def test_loopback_is_for_this_machine_only():
    with closing(listen(port=0)) as listening:
        assert listening.address == f"http://127.0.0.1:{listening.port}/"
        assert listening.addresses() == []
        assert listening.names() == set()
        assert not listening.everywhere


def test_everywhere_is_every_address_and_this_machine_has_its_own():
    with closing(listen(EVERYWHERE, 0)) as listening:
        assert listening.everywhere
        assert listening.address == f"http://127.0.0.1:{listening.port}/"
        assert listening.addresses() == addresses_of_this_machine(listening.port)
        name = socket.gethostname().lower()
        assert {name, f"{name}.local", ANY_ADDRESS} <= listening.names()
        assert len({each.getsockname()[1] for each in listening.sockets}) == 1


@pytest.mark.parametrize(("host", "own"), [("0.0.0.0", "127.0.0.1"), ("localhost", "localhost"), ("::", "[::1]")])
def test_the_printed_address_is_one_that_a_browser_here_can_open(host, own):
    try:
        listening = listen(host, 0)
    except CannotListen:
        pytest.skip("this machine has no IPv6")
    with closing(listening):
        assert listening.address == f"http://{own}:{listening.port}/"


def test_all_addresses_of_a_kind_are_told_as_a_phone_can_use_them():
    other = other_address()
    with closing(listen("0.0.0.0", 0)) as listening:
        assert f"http://{other}:{listening.port}/" in listening.addresses()
        assert not any("0.0.0.0" in address or "[" in address for address in listening.addresses())


def test_with_one_address_of_the_network_the_page_is_on_this_machine_too():
    other = other_address()
    with closing(listen(other, 0)) as listening:
        assert listening.addresses() == [f"http://{other}:{listening.port}/"]
        assert {each.getsockname()[0] for each in listening.sockets} == {other, "127.0.0.1"}
        assert listening.address == f"http://127.0.0.1:{listening.port}/"


def test_closing_gives_every_socket_back_and_may_be_done_twice():
    listening = listen(EVERYWHERE, 0)
    listening.close()
    listening.close()

    with closing(listen(EVERYWHERE, listening.port)):
        pass


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", EVERYWHERE])
def test_a_port_in_use_is_one_sentence_with_a_way_out(host):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse) as refused:
            listen(host, port)

    assert isinstance(refused.value, OSError)
    assert str(refused.value) == (
        f"Port {port} is in use by another program, perhaps by this one in another window."
        f" Use that page, or choose another port with --port {port + 1}."
    )


def test_what_was_taken_is_given_back_when_the_rest_cannot_be_had():
    other = other_address()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse):
            listen(other, port)

        socket.create_server((other, port)).close()


def test_an_address_of_another_machine_is_refused_with_a_way_out():
    with pytest.raises(CannotListen) as refused:
        listen("198.51.100.1", 0)

    assert str(refused.value) == (
        "The page cannot be offered at 198.51.100.1, because this machine has no such address."
        " Leave --host out to offer it to this machine only."
    )


def test_a_number_that_is_no_port_is_refused():
    with pytest.raises(CannotListen, match=r"^Port 70000 is no port\. Choose one from 1 to 65535 with --port\.$"):
        listen(port=70000)
