"""Whatever hands, faults, time, orders and the disk do to the controller, in whatever order."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from popout.board.driver import HandError
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent, numbered
from popout.play.modes import holding, pressed_move
from popout.play.opposing import doing
from popout.record.journal import Entry, Kind, read
from popout.rules import RED, YELLOW, Claim, Drop, Message, Pop, PopoutError, RuleSet, Side, parse_move
from popout_sim import faults
from popout_sim.contacts import LIGHT, PERFECT, WORN
from tabletop import TableTop, with_beams, with_levers, with_two_rows

COLUMNS, ROWS = 4, 3
RULES = st.sampled_from(
    [
        "popout 4x3 connect=3",
        "popout 4x3 connect=4 full-grid=claim",
        "popout 4x3 connect=4 full-grid=continue empty-grid=continue",
        "standard 4x3 connect=4 first=yellow",
        "popout 4x3 connect=4 supply=3 repetition=3",
    ]
)
LAYOUTS = {
    "buttons": Layout.plain(COLUMNS, ROWS),
    "levers": with_levers(COLUMNS, ROWS),
    "two rows": with_two_rows(COLUMNS, ROWS),
    "beams": with_beams(COLUMNS, ROWS),
    "levers and beams": with_beams(COLUMNS, ROWS, actuation="disc"),
}
COLUMN = st.integers(1, COLUMNS)
LEVEL = st.integers(1, 10)
TIMES = st.sampled_from([0, 1, 3, 15, 40, 120, 250, 600, 1500, 3000, 11_000])


class Attack(RuleBasedStateMachine):
    """Everything that can come to a controller."""

    table: TableTop

    @initialize(
        rules=RULES,
        layout=st.sampled_from(sorted(LAYOUTS)),
        contact=st.sampled_from([PERFECT, LIGHT, WORN]),
        careful=st.booleans(),
    )
    def sit_down(self, rules, layout, contact, careful):
        self.table = TableTop(rules, layout=LAYOUTS[layout], contact=contact)
        self.table.act(do="careful", on=careful)
        self.allowed: Counter[int] = Counter()
        self.lost = False
        self.turn = self.table.game.turn
        self.entries = len(self.table.saved)

    # Hands

    @rule(data=st.data(), time=TIMES)
    def touch(self, data, time):
        switch = data.draw(st.sampled_from(sorted(set(self.table.board.layout.switches) - {"bar"})))
        if switch in self.table.board.twin.pressed:
            self.table.release(switch)
        else:
            self.table.press(switch)
            self._allow(switch)
        self.table.wait(time)

    @rule(column=COLUMN, length=TIMES)
    def tap(self, column, length):
        self._allow(f"column {column}")
        self.table.tap(column, length=length)

    @rule(to=st.sampled_from(["open", "half", "closed"]), time=TIMES)
    def slide(self, to, time):
        self.table.act(do="bar", to=to)
        self.table.wait(time)

    @rule(what=st.sampled_from(["drop", "pop", "take", "empty", "tidy"]), column=COLUMN, disc=st.sampled_from("XO"))
    def move_a_disc(self, what, column, disc):
        with suppress(HandError):
            self.table.act(do=what, column=column, disc=disc)
            for each in range(1, COLUMNS + 1) if what == "empty" else [column]:
                self.allowed[each] += ROWS  # all that fell may have been seen
        self.table.wait(300)

    @rule(column=COLUMN)
    def choose_in_the_menu(self, column):
        self.table.tap("menu")
        self.tap(column, 60)

    # Faults

    @rule(data=st.data(), closed=st.booleans())
    def stray_edge(self, data, closed):
        switch = data.draw(st.sampled_from(sorted(self.table.board.layout.switches)))
        self._allow(switch)
        self.table.inject([SwitchEvent(switch, closed, self.table.time)])
        self.table.wait(40)

    @rule(data=st.data(), fault=st.sampled_from([faults.chattering, faults.bounce_on_press, faults.bounce_on_release]))
    def broken_switch(self, data, fault):
        switch = data.draw(st.sampled_from(sorted(self.table.board.layout.switches)))
        edges = fault(switch, self.table.time)
        for _ in edges:
            self._allow(switch)
        self.table.inject(edges)
        self.table.wait(500)

    @rule(data=st.data())
    def lose_an_edge(self, data):
        self.table.board.lose_edge(data.draw(st.sampled_from(sorted(self.table.board.layout.switches))))

    @rule()
    def cable(self):
        if self.lost:
            self.table.controller.found(self.table.board.levels(), self.table.time)
        else:
            self.table.controller.lost(Message("The cable was pulled."), self.table.time)
        self.lost = not self.lost

    # Time and disk

    @rule(time=TIMES)
    def wait(self, time):
        self.table.wait(time)

    @rule(time=TIMES)
    def sleep(self, time):
        """The program is busy elsewhere, and comes back late."""
        self.table.time += time
        self.table._settle()
        self.table.controller.tick(self.table.time, self.table.board.levels())
        self.table._settle()

    @rule(disk=st.sampled_from(["quick", "slow", "full"]))
    def change_the_disk(self, disk):
        self.table.disk = disk
        self.table._settle()

    @precondition(lambda self: self.table.controller.unsaved is not None)
    @rule(fails=st.booleans())
    def the_disk_is_done(self, fails):
        if fails:
            self.table.controller.save_failed(Message("The disk is full."), self.table.time)
        else:
            self.table.finish_saving()

    # Orders

    @rule(data=st.data(), rules=RULES)
    def order(self, data, rules):
        controller, now = self.table.controller, self.table.time
        grid = st.tuples(*[st.text("XO", max_size=ROWS)] * COLUMNS)
        orders = {
            "take back": controller.take_back,
            "new game": lambda: controller.new_game(RuleSet.parse(rules)),
            "agree": controller.agree_draw,
            "claim": lambda: controller.play(Claim()),
            "menu": lambda: controller.toggle_menu(now),
            "correct": lambda: controller.correct(data.draw(grid), now),
            "red": lambda: controller.adopt(RED),
            "yellow": lambda: controller.adopt(YELLOW),
            "let go": controller.let_go,
            "hint": lambda: controller.hint(now),
            "swap sides": controller.swap_sides,
            "opponent": lambda: controller.seat(data.draw(st.dictionaries(st.sampled_from(list(Side)), LEVEL))),
            "no opponent": lambda: controller.opponent_gone(Message("It is gone."), now),
        }
        with suppress(PopoutError):
            orders[data.draw(st.sampled_from(sorted(orders)))]()
        self.table._settle()

    @precondition(lambda self: self.table.controller.question is not None)
    @rule(data=st.data())
    def the_opponent_has_thought(self, data):
        question = self.table.controller.question
        move = data.draw(st.sampled_from(question.game.legal_moves))
        self.table.controller.answered(question, move, self.table.time)
        self.table._settle()

    # What always holds

    @invariant()
    def the_game_is_what_is_on_disk(self):
        assert read(self.table.saved) == self.table.controller.game

    @invariant()
    def the_turn_changes_only_with_an_entry(self):
        turn = self.table.controller.game.turn
        if turn is not self.turn:
            assert len(self.table.saved) > self.entries
        self.turn, self.entries = turn, len(self.table.saved)

    @invariant()
    def it_never_asks_to_be_woken_at_once(self):
        now = self.table.time
        self.table.controller.tick(now, self.table.board.levels())
        self.table._settle()
        due = self.table.controller.due(now)
        assert due is None or due > now

    @invariant()
    def it_can_always_be_seen(self):
        controller = self.table.controller
        assert isinstance(controller.frame(self.table.time), Frame)
        holding(controller)
        pressed_move(controller)
        if controller.correction:
            assert str(controller.correction.reason)
            assert controller.correction.steps
        newest = controller.notices.newest
        assert newest is None or "{" not in str(newest.message)

    @invariant()
    def what_is_announced_may_be_done(self):
        controller = self.table.controller
        if controller.chosen:
            assert controller.chosen.move in controller.game.legal_moves
            assert controller.chosen.side is controller.game.turn
            assert controller.chosen.hint is not controller.is_opponents_turn
        assert doing(controller) is None or not controller.game.outcome

    @invariant()
    def no_move_comes_from_nothing(self):
        made: Counter[int] = Counter()
        outer = 0  # the menu may have begun a game with filled outer columns, in which the board's first is the second
        for entry in self.table.saved:
            if entry.kind is Kind.NEW:
                outer = RuleSet.parse(entry.text).first_column - 1
            elif entry.kind is Kind.MOVE and isinstance(move := parse_move(entry.text), Drop | Pop):
                made[move.column - outer] += 1
        assert all(made[column] <= self.allowed[column] for column in made)

    @invariant()
    def what_waits_is_legal(self):
        entry = self.table.controller.unsaved
        if entry is not None:
            assert isinstance(entry, Entry)
            read([*self.table.saved, entry])

    def teardown(self):
        """However it went, the board can be played again once all hands are off and the disk has room."""
        if not hasattr(self, "table"):
            return
        table = self.table
        if self.lost:
            table.controller.found(table.board.levels(), table.time)
        table.disk = "quick"
        table.act(do="bar", to="closed")
        for switch in table.board.twin.pressed:
            table.release(switch)
        table.wait(600)
        for switch in table.board.layout.switches:  # edges that are still to be lost are lost here
            table.inject([*faults.pulse(switch, table.time, 40), *faults.pulse(switch, table.time + 80, 40)])
        table.wait(5500)
        table.controller.seat({})
        table._settle()
        table.controller.new_game(RuleSet.parse("popout 4x3 connect=4"))
        table._settle()
        table.wait(3500)
        table.tap(2)
        table.wait(500)
        assert table.moves == "d2"

    def _allow(self, switch):
        named = numbered(switch)
        if named:
            self.allowed[named[1]] += 1


TestAttack = Attack.TestCase
TestAttack.settings = settings(max_examples=40, stateful_step_count=40)
