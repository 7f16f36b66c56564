"""Being found by name: what is announced, what happens when it cannot be, and a second machine that finds it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from zeroconf import NonUniqueNameException

from popout.views.web.announce import KIND, NotAnnounced, announce, usual_name

HERE = ["http://192.168.1.7:8407/", "http://[fd00::7]:8407/"]


class FakeAnnouncer:
    """Takes what is announced, under another name if the first is taken."""

    def __init__(self, *, taken: bool = False, error: Exception | None = None) -> None:
        self.registered: list[Any] = []
        self.updated: list[list[str]] = []
        self.closed = 0
        self._taken = taken
        self._error = error

    async def async_register_service(self, info: Any, *, allow_name_change: bool) -> Any:
        if self._error:
            raise self._error
        assert allow_name_change
        if self._taken:
            info.name = info.name.replace(f".{KIND}", f"-2.{KIND}")
        self.registered.append(info)
        return self._done()

    async def async_update_service(self, info: Any) -> Any:
        self.updated.append(sorted(info.parsed_addresses()))
        return self._done()

    async def async_close(self) -> None:
        self.closed += 1

    async def _done(self) -> None:
        pass


def announced(announcer: FakeAnnouncer, addresses: list[list[str]] | None = None) -> list[tuple[list[str], str | None]]:
    """What the page is told while it is announced; `addresses` are those of one look after the other."""
    told: list[tuple[list[str], str | None]] = []
    looks = list(addresses or [HERE])

    def now() -> list[str]:
        return looks.pop(0) if len(looks) > 1 else looks[0]

    def found_at(at: Iterable[str], name: str | None) -> None:
        told.append((list(at), name))

    async def story() -> None:
        running = asyncio.create_task(
            announce(now, found_at, name="Pop Out (board)", open_announcer=lambda: announcer, look_again_s=0)
        )
        for _ in range(50):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        if not running.cancelled() and (error := running.exception()):
            raise error

    asyncio.run(story())
    return told


def test_the_page_is_announced_as_a_page_with_its_port_and_addresses():
    announcer = FakeAnnouncer()

    assert announced(announcer) == [(HERE, "Pop Out (board)"), (HERE, None)]
    [info] = announcer.registered
    assert info.type == "_http._tcp.local."
    assert info.port == 8407
    assert info.properties == {b"path": b"/"}
    assert sorted(info.parsed_addresses()) == ["192.168.1.7", "fd00::7"]
    assert announcer.closed == 1


def test_where_the_name_is_taken_the_page_is_told_its_other_one():
    assert announced(FakeAnnouncer(taken=True))[0] == (HERE, "Pop Out (board)-2")


def test_a_machine_that_gets_another_address_is_found_there():
    announcer = FakeAnnouncer()
    there = ["http://192.168.1.8:8407/"]

    told = announced(announcer, [HERE, HERE, there])

    assert announcer.updated == [["192.168.1.8"]]
    assert told[1] == (there, "Pop Out (board)")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(19, "No such device"), "No such device"),
        (NonUniqueNameException(), "NonUniqueNameException"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_leaves_nothing_open(error, reason):
    announcer = FakeAnnouncer(error=error)

    with pytest.raises(NotAnnounced) as refused:
        announced(announcer)

    assert str(refused.value) == (
        f"The board cannot be found by name on the network ({reason}). Its address works all the same."
    )
    assert announcer.closed == 1


def test_a_machine_without_network_waits_for_one():
    announcer = FakeAnnouncer()

    told = announced(announcer, [[], [], HERE])

    assert told[:3] == [([], None), ([], None), (HERE, "Pop Out (board)")]


def test_a_machine_that_loses_its_network_is_not_found_any_more_until_it_is_there_again():
    announcer = FakeAnnouncer()

    told = announced(announcer, [HERE, HERE, [], [], [], [], HERE])

    assert [name for _, name in told] == ["Pop Out (board)", None, None, "Pop Out (board)", None]
    assert (len(announcer.registered), announcer.closed) == (2, 2)


def test_another_machine_finds_it():
    """With real multicast, where this machine has it."""
    from zeroconf import ServiceStateChange
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

    called = "Pop Out (test)"

    async def story() -> AsyncServiceInfo | None:
        try:
            looking = AsyncZeroconf()
        except OSError:
            pytest.skip("this machine has no multicast")
        found = asyncio.Event()

        def seen(*, name: str, state_change: ServiceStateChange, **_: Any) -> None:
            if name.startswith(called) and state_change is ServiceStateChange.Added:
                found.set()

        browser = AsyncServiceBrowser(looking.zeroconf, [KIND], handlers=[seen])
        announcing = asyncio.create_task(
            announce(
                lambda: ["http://127.0.0.1:8407/"],
                lambda *_: None,
                name=called,
            )
        )
        try:
            async with asyncio.timeout(5):
                await found.wait()
            return await looking.async_get_service_info(KIND, f"{called}.{KIND}")
        except TimeoutError:
            if announcing.done():
                announcing.result()
            pytest.skip("this machine passes no multicast on")
        finally:
            announcing.cancel()
            await asyncio.gather(announcing, return_exceptions=True)
            await browser.async_cancel()
            await looking.async_close()

    info = asyncio.run(story())
    assert info is not None
    assert info.port == 8407
    assert "127.0.0.1" in info.parsed_addresses(), "others are those of other boards on this machine"


def test_the_board_is_called_by_its_machine():
    assert usual_name().startswith("Pop Out (")
