"""`popout layout new`: asked at a terminal, and by options alone; what it writes, and when it writes nothing."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from popout.board.layout import Layout
from popout.cli import main
from popout.commands import console

Run = Callable[..., tuple[int, str, str]]

NEXT = """\
See how to wire it: popout layout show {file}
Test it with your hands: popout doctor --hands --layout {file}
Play: popout play --layout {file}
"""


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def new(capfd: pytest.CaptureFixture[str]) -> Run:
    """Call it as a program would, without a terminal."""

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["layout", "new", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def typed(new: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call it at a terminal; the answers are those to the questions with these words in them, else Enter."""

    def call(*arguments: str, answers: dict[str, list[str | BaseException]] | None = None) -> tuple[int, str, str]:
        left = {words: list(each) for words, each in (answers or {}).items()}
        monkeypatch.setattr(console, "_is_terminal", lambda stream: True)  # noqa: ARG005
        monkeypatch.setenv("COLUMNS", "200")
        asked = [""]
        say = console.Console.say

        def listen(self: console.Console, *messages: object) -> None:
            asked.extend(map(str, messages))
            say(self, *messages)  # type: ignore[arg-type]

        def answer(prompt: str) -> str:
            print(prompt)
            # What was said last is the question, or a sentence that the answer before does not fit.
            question = next(said for said in reversed(asked) if said.endswith("?") or "? " in said)
            for words, each in left.items():
                if words in question and each:
                    found = each.pop(0)
                    if isinstance(found, BaseException):
                        raise found
                    return found
            return ""

        monkeypatch.setattr(console.Console, "say", listen)
        monkeypatch.setattr(builtins, "input", answer)
        result = new(*arguments)
        assert not any(left.values()), "a question was not asked"
        return result

    return call


# By options


def test_by_default_it_is_the_usual_board(new: Run):
    assert new("mine.toml") == (
        0,
        "Each of the 10 switches has a pin of its own; 11 pins are left.\n"
        "The layout is in mine.toml.\n" + NEXT.format(file="mine.toml"),
        "",
    )
    made, shipped = Layout.load("mine.toml"), Layout.load("7x6-pi")
    assert (made.title, made.switches, made.chain) == (shipped.title, shipped.switches, shipped.chain)


def test_every_answer_can_be_an_option(new: Run):
    answers = (
        "--title Sunday --columns 4 --rows 3 --computer pico --actuation disc --no-menu --no-take-back --powers "
        "--second-row --drop-beams --no-pop-beams --lamps cells --start top-right --along row --straight --amperes 1,5 "
        "--wiring pins"
    )

    code, _, _ = new("mine.toml", *answers.split())

    made = Layout.load("mine.toml")
    assert code == 0
    assert (made.title, made.columns, made.rows, made.driver, made.actuation) == ("Sunday", 4, 3, "serial", "disc")
    assert {"anvil", "bomb", "wall", "x2", "yellow column 4", "drop sensor 4"} <= set(made.switches)
    assert not {"menu", "take back", "pop sensor 1"} & set(made.switches)
    assert made.milliamps == 1500
    assert made.chain is not None
    assert made.chain.parts[0].start == "top right"
    assert "serpentine = false" in Path("mine.toml").read_text()


def test_without_a_name_it_takes_one_that_says_the_size(new: Run):
    assert new("--columns", "9")[0] == 0
    assert Layout.load("9x6-board.toml").columns == 9


def test_to_standard_output_comes_the_file_and_nothing_else(new: Run):
    code, said, _ = new("-", "--lamps", "none")

    assert code == 0
    Path("piped.toml").write_text(said)
    assert Layout.load("piped.toml").chain is None
    assert sorted(path.name for path in Path().iterdir()) == ["piped.toml"]


def test_a_board_on_a_pico_takes_its_firmware_first(new: Run):
    said = new("mine.toml", "--computer", "pico")[1]

    assert "Install the firmware for it: popout firmware install --layout mine.toml\nTest it" in said


def test_a_matrix_is_told(new: Run):
    code, said, _ = new("mine.toml", "--columns", "32", "--lamps", "none")

    assert code == 0
    assert said.startswith(
        "The 34 switches are wired as a matrix: the buttons go between its 6 rows and 6 columns, each with a diode.\n"
    )


def test_what_is_worth_knowing_is_said(new: Run):
    _, said, _ = new("mine.toml", "--columns", "16")

    assert "GPIO14, GPIO15: the serial console of the Pi uses these too." in said


def test_a_file_that_is_there_is_kept(new: Run):
    Path("mine.toml").write_text("mine")

    assert new("mine.toml") == (
        2,
        "",
        "popout: mine.toml is there already. Choose another name, or replace it with --force.\n",
    )
    assert Path("mine.toml").read_text() == "mine"


def test_a_file_that_is_there_is_replaced_with_force(new: Run):
    Path("mine.toml").write_text("mine")

    assert new("mine.toml", "--force")[0] == 0
    assert Layout.load("mine.toml").columns == 7


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--computer", "pico", "--columns", "32"],
            "A Pico has not enough pins for the 35 switches of this board. A Raspberry Pi can read them.",
        ),
        (["--title", " "], "A title has 1 to 80 letters, all of which can be printed."),
        (["--title", "a\nb"], "A title has 1 to 80 letters, all of which can be printed."),
        (["--title", "a" * 81], "A title has 1 to 80 letters, all of which can be printed."),
        (
            ["--amperes", "much"],
            "Write the amperes of the supply as a number from 0.001, which the dark lamps take, to 60.",
        ),
        (
            ["--amperes", "nan"],
            "Write the amperes of the supply as a number from 0.001, which the dark lamps take, to 60.",
        ),
        (
            ["--amperes", "61"],
            "Write the amperes of the supply as a number from 0.001, which the dark lamps take, to 60.",
        ),
        (
            ["--amperes", "0.05"],
            "Write the amperes of the supply as a number from 0.052, which the dark lamps take, to 60.",
        ),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(new: Run, arguments: list[str], sentence: str):
    assert new("mine.toml", *arguments) == (2, "", f"popout: {sentence}\n")
    assert not Path("mine.toml").exists()


@pytest.mark.parametrize("arguments", [["--columns", "33"], ["--rows", "0"], ["--computer", "abacus"]])
def test_an_option_out_of_range_is_wrong_use(new: Run, arguments: list[str]):
    code, said, error = new("mine.toml", *arguments)

    assert (code, said) == (2, "")
    assert error.startswith("popout: Invalid value for")
    assert not Path("mine.toml").exists()


def test_a_supply_is_no_matter_where_no_chain_is_fed(new: Run):
    assert new("mine.toml", "--lamps", "none", "--amperes", "0.01")[0] == 0


def test_the_name_of_a_shipped_layout_is_refused(new: Run):
    assert new("7x6-pi") == (
        2,
        "",
        "popout: “7x6-pi” is a shipped layout. Choose another name, such as my-board.toml.\n",
    )


def test_a_folder_that_is_not_there_is_a_sentence(new: Run):
    assert new("nowhere/mine.toml") == (
        2,
        "",
        "popout: nowhere/mine.toml cannot be written: there is no such folder.\n",
    )


# At a terminal


def test_enter_takes_every_default(typed: Run):
    code, said, _ = typed()

    assert code == 0
    assert Layout.load("7x6-board.toml").switches == Layout.load("7x6-pi").switches
    assert "  [7x6 board on a Raspberry Pi]: \n" in said
    assert ("\n    o───o   o───o   o───o   E\n    │   │   │   │   │   │   │\n    o   o   o   o   o   o   o\n") in said
    assert said.endswith(NEXT.format(file="7x6-board.toml"))


def test_bad_answers_are_asked_again_with_a_sentence(typed: Run):
    code, said, _ = typed(
        answers={
            "How many columns": ["40", "²", "5"],
            "Which computer": ["abacus", "p", "PICO"],
            "Is there a button for the menu": ["maybe", "n"],
            "How many amperes": ["0", "2,5"],
        }
    )

    made = Layout.load("5x6-board.toml")
    assert code == 0
    assert (made.columns, made.driver, made.milliamps) == (5, "serial", 2500)
    assert "menu" not in made.switches
    assert said.count("Write a whole number from 1 to 32.\n") == 2
    assert "“abacus” is none of these: pi, pico.\n" in said
    assert "“p” is none of these: pi, pico.\n" in said
    assert "“maybe” is none of these: yes, no.\n" in said
    assert "Write the amperes of the supply as a number from 0.038, which the dark lamps take, to 60.\n" in said


def test_what_an_option_says_is_not_asked(typed: Run):
    _, said, _ = typed("mine.toml", "--columns", "5", "--lamps", "none")

    assert "How many columns" not in said
    assert "Which lamps" not in said
    assert "Behind which corner" not in said
    assert "How many amperes" not in said
    assert "How many rows" in said


def test_with_yes_nothing_is_asked(typed: Run):
    code, said, _ = typed("mine.toml", "--yes")

    assert code == 0
    assert "?" not in said


def test_a_wire_that_runs_otherwise_is_asked_again(typed: Run):
    typed("mine.toml", answers={"Does the wire run so": ["no", "yes"], "Behind which corner": ["", "top right"]})

    chain = Layout.load("mine.toml").chain
    assert chain is not None
    assert chain.parts[0].start == "top right"


@pytest.mark.parametrize(("answer", "kind"), [("", "matrix"), ("exp", "expanders")])
def test_more_switches_than_pins_give_a_choice(typed: Run, answer: str, kind: str):
    _, said, _ = typed("mine.toml", "--columns", "32", "--lamps", "none", answers={"Which one?": [answer]})

    made = Layout.load("mine.toml")
    assert "There are more switches than pins. Two ways to wire them are possible.\n" in said
    assert (made.matrix is not None, bool(made.expanders)) == (kind == "matrix", kind == "expanders")


def test_a_board_that_cannot_be_wired_is_asked_again(typed: Run):
    code, said, _ = typed(
        "mine.toml",
        "--lamps",
        "none",
        "--rows",
        "6",
        answers={"How many columns": ["32", "7"], "Which computer": ["pico"]},
    )

    made = Layout.load("mine.toml")
    assert code == 0
    assert "A Pico has not enough pins for the 35 switches of this board. A Raspberry Pi can read them.\n" in said
    assert (made.columns, made.driver, made.title) == (7, "serial", "7x6 board on a Pico")


def test_more_lamps_than_the_supply_can_feed_ask_for_it_again(typed: Run):
    code, said, _ = typed(
        "mine.toml",
        answers={
            "How many columns": ["20", "32"],
            "How many rows": ["32"],
            "Which computer": ["pico", "pi"],
            "Has yellow a row": ["yes"],
            "How many amperes": ["0.7", ""],
        },
    )

    assert code == 0
    assert (
        "There are not enough pins for the 43 switches of this board. It can be wired if one of these is given up: "
        "second-row.\n"
    ) in said
    assert "Write the amperes of the supply as a number from 1.059, which the dark lamps take, to 60.\n" in said
    assert "How many amperes can the 5 V supply give to the lamps?\n  [42]: \n" in said
    assert Layout.load("mine.toml").milliamps == 42_000


def test_a_supply_given_as_an_option_that_is_too_weak_is_refused(typed: Run):
    code, _, error = typed("mine.toml", "--amperes", "0.05")

    assert (code, error) == (
        2,
        "popout: Write the amperes of the supply as a number from 0.052, which the dark lamps take, to 60.\n",
    )
    assert not Path("mine.toml").exists()


def test_a_file_that_is_there_is_asked_about_first(typed: Run):
    Path("mine.toml").write_text("mine")

    code, said, _ = typed("mine.toml", answers={"Is it to be replaced": [""]})

    assert code == 130
    assert "mine.toml is there already. Is it to be replaced?\n" in said
    assert "How many columns" not in said
    assert Path("mine.toml").read_text() == "mine"


def test_another_name_can_be_chosen(typed: Run):
    Path("7x6-board.toml").write_text("mine")

    code, _, _ = typed(answers={"Into which file": ["", "other.toml"], "Is it to be replaced": ["n"]})

    assert code == 0
    assert Path("7x6-board.toml").read_text() == "mine"
    assert Layout.load("other.toml").columns == 7


def test_a_file_is_replaced_when_that_is_wanted(typed: Run):
    Path("mine.toml").write_text("mine")

    assert typed("mine.toml", answers={"Is it to be replaced": ["yes"]})[0] == 0
    assert Layout.load("mine.toml").columns == 7


@pytest.mark.parametrize("ending", [KeyboardInterrupt(), EOFError()], ids=["Ctrl+C", "end of input"])
@pytest.mark.parametrize("question", ["How many columns", "How many amperes", "Into which file"])
def test_leaving_early_leaves_nothing_behind(typed: Run, question: str, ending: BaseException):
    code, _, error = typed(answers={question: [ending]})

    assert (code, error) == (130, "")
    assert list(Path().iterdir()) == []


def test_every_question_explains_itself_in_a_line_and_has_a_default(typed: Run):
    _, said, _ = typed("mine.toml")

    questions = re.findall(r"(.*\?.*)\n(?:    \w+ +\w.*\n)*  \[.+\]: \n", said)
    assert len(questions) == 17
    assert all(len(question) <= 120 for question in questions)


def test_choices_that_need_a_word_are_explained_a_line_each(typed: Run):
    _, said, _ = typed("mine.toml")

    assert (
        "Which computer reads the board?\n"
        "    pi         a Raspberry Pi with its own pins\n"
        "    pico       a Pico on USB\n"
        "  [pi]: \n"
    ) in said
    assert (
        "Which lamps?\n"
        "    none       no lamps\n"
        "    turns      two plain LEDs\n"
        "    columns    a chain at the buttons and the turns\n"
        "    cells      a chain behind each cell too\n"
        "  [cells]: \n"
    ) in said


@pytest.mark.parametrize(("options", "matrix"), [([], "diodes only"), (["--drop-beams"], "a diode at each button")])
def test_a_matrix_beside_expanders_is_not_said_to_be_diodes_only(typed: Run, options: list[str], matrix: str):
    _, said, _ = typed("mine.toml", "--columns", "32", "--lamps", "none", *options, answers={"Which one?": [""]})

    assert (f"Which one?\n    matrix     {matrix}\n    expanders  fewer wires, chips on I2C\n  [matrix]: \n") in said


def test_a_wire_that_is_drawn_small_says_so(typed: Run):
    told = "The drawing is smaller than the board; the wire begins and ends as there.\n"

    assert told in typed("large.toml", "--columns", "13")[1]
    assert told not in typed("small.toml", "--columns", "12")[1]


def test_a_name_that_no_file_can_have_is_a_sentence(new: Run):
    code, _, err = new("x" * 300 + ".toml", "--yes")
    assert code in (1, 2)
    assert "File name too long" in err
    assert "fault of the program" not in err


def test_a_file_in_the_home_folder_is_found_again(new: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert new("~/my.toml", "--yes")[0] == 0
    assert main(["layout", "check", "~/my.toml"]) == 0
    code, _, err = new("~/my.toml", "--yes")
    assert code != 0
    assert f"{tmp_path}/my.toml is there already." in err
