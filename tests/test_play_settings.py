import errno
import os

import platformdirs
import pytest

from popout.link import debounce
from popout.opponent.levels import LEVELS
from popout.play.settings import Settings, SettingsError, default_settings_path, load_settings

KNOWN = (
    "glitch_ms, lockout_ms, disc_lockout_ms, count_down_after_ms, take_back_hold_ms, menu_hold_ms, menu_leave_ms, "
    "stuck_after_ms, disc_wait_ms, opponent, opponent_hands, opponent_pause_ms, "
    "palette, dark_on_exit, board, device, layout, language, port"
)


@pytest.fixture
def written(tmp_path):
    """Writes a settings file and gives its path."""

    def write(content):
        file = tmp_path / "settings.toml"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    """The folder in which the user's own settings lie."""
    monkeypatch.setattr(platformdirs, "user_config_path", lambda name: tmp_path / name)
    (tmp_path / "popout").mkdir()
    return tmp_path / "popout"


def refusal(file):
    with pytest.raises(SettingsError) as caught:
        load_settings(file)
    assert caught.value.code == "settings"
    return str(caught.value)


def test_a_file_that_is_nested_too_deeply_is_no_toml(written):
    assert refusal(written("a = " + "[" * 60_000)).startswith("Line 1, column ")


def test_a_file_far_too_large_for_settings_is_not_read_to_its_end(written):
    file = written("#" * 100_000)
    assert refusal(file) == f"The settings file {file} cannot be read: {os.strerror(errno.EFBIG)}."


def test_a_byte_order_mark_is_passed_over(written):
    assert load_settings(written(b"\xef\xbb\xbfport = 8500\n")).port == 8500


def test_the_defaults_are_those_that_players_are_told():
    settings = Settings()
    assert settings.lockout_ms == 30
    assert settings.disc_lockout_ms == 200
    assert settings.glitch_ms == 2
    assert settings.count_down_after_ms == 600
    assert settings.take_back_hold_ms == 1500
    assert settings.menu_hold_ms == 1500
    assert settings.menu_leave_ms == 20_000
    assert settings.disc_wait_ms == 3000
    assert settings.palette == "classic"
    assert settings.dark_on_exit is True


def test_the_defaults_agree_with_those_of_the_debouncer():
    settings = Settings()
    assert settings.glitch_ms == debounce.GLITCH_MS
    assert settings.lockout_ms == debounce.BUTTON_LOCKOUT_MS
    assert settings.disc_lockout_ms == debounce.DISC_LOCKOUT_MS


def test_settings_do_not_change_once_made():
    with pytest.raises(AttributeError):
        Settings().port = 1


def test_a_file_sets_what_it_names_and_leaves_the_rest(written):
    file = written(
        'palette = "mono"\ntake_back_hold_ms = 2500\nboard = "sim"\nlayout = "5x4"\nlanguage = "nl"\nport = 0'
    )
    assert load_settings(file) == Settings(
        palette="mono", take_back_hold_ms=2500, board="sim", layout="5x4", language="nl", port=0
    )


def test_an_empty_file_leaves_everything_as_it_is(written):
    assert load_settings(written("")) == Settings()


def test_without_a_file_of_ones_own_the_usual_settings_hold(own_folder):
    assert default_settings_path() == own_folder / "settings.toml"
    assert load_settings() == Settings()


def test_ones_own_file_is_read_when_none_is_named(own_folder):
    (own_folder / "settings.toml").write_text("port = 9000")
    assert load_settings().port == 9000


def test_a_named_file_that_is_missing_is_said(tmp_path):
    file = tmp_path / "gone.toml"
    assert refusal(file) == (
        f"There is no settings file {file}. Name one that exists, or none to play with the usual settings."
    )


def test_a_file_that_cannot_be_read_is_said(tmp_path):
    assert refusal(tmp_path).startswith(f"The settings file {tmp_path} cannot be read: ")


def test_an_unknown_setting_is_named_with_the_file_and_the_known_ones(written):
    file = written("colour = 3")
    assert refusal(file) == (f"The settings file {file} has an unknown setting colour. The settings are: {KNOWN}.")


@pytest.mark.parametrize(
    ("content", "line", "column"),
    [("port = 1\npalette mono", 2, 9), ("port = ", 1, 8), ("port = 1\nport = 2", 2, 9), ('\nboard = """', 2, 12)],
)
def test_a_file_that_is_not_toml_is_named_with_the_place(written, content, line, column):
    file = written(content)
    assert refusal(file) == (
        f"Line {line}, column {column} of the settings file {file} is not TOML. "
        "Write each setting once, as a line such as: port = 8407"
    )


def test_a_file_that_is_not_a_text_is_said(written):
    file = written(b"\xff\xfe\x00")
    assert refusal(file) == f"The settings file {file} is not a text. Save it as UTF-8."


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("lockout_ms = 0", "The setting lockout_ms is 0; it must be a time from 1 to 2000 ms."),
        ("glitch_ms = -1", "The setting glitch_ms is -1; it must be a time from 0 to 100 ms."),
        ("glitch_ms = nan", "The setting glitch_ms is NaN; it must be a time from 0 to 100 ms."),
        ("menu_leave_ms = inf", "The setting menu_leave_ms is Infinity; it must be a time from 1000 to 3600000 ms."),
        ('menu_hold_ms = "long"', 'The setting menu_hold_ms is "long"; it must be a time from 200 to 30000 ms.'),
        ("menu_hold_ms = true", "The setting menu_hold_ms is true; it must be a time from 200 to 30000 ms."),
        (
            "menu_hold_ms = 1979-05-27",
            'The setting menu_hold_ms is "1979-05-27"; it must be a time from 200 to 30000 ms.',
        ),
        ("port = 65536", "The setting port is 65536; it must be a port number from 0 to 65535."),
        ("port = 80.5", "The setting port is 80.5; it must be a port number from 0 to 65535."),
        (
            'opponent = "yellow=5, green=3"',
            'The opponent "yellow=5, green=3" cannot be read. '
            "Write such as yellow=5, or red=3,yellow=7 for both sides, or off for none.",
        ),
        (
            'opponent = "yellow=11"',
            'There is no level "11". Choose a number from 1 to 10, or a name: '
            + ", ".join(str(level.name) for level in LEVELS)
            + ".",
        ),
        (
            'opponent_hands = "robot"',
            'The setting opponent_hands is "robot"; it must be one of "board", "person".',
        ),
        (
            'palette = "pink"',
            'The setting palette is "pink"; it must be one of "classic", "colour-blind", "mono".',
        ),
        ("dark_on_exit = 1", "The setting dark_on_exit is 1; it must be true or false."),
        ("board = 7", "The setting board is 7; it must be a text in quotation marks."),
        (
            "glitch_ms = 30",
            "The setting glitch_ms is 30 ms; it must be shorter than lockout_ms, which is 30 ms.",
        ),
        (
            "disc_lockout_ms = 1.5",
            "The setting glitch_ms is 2 ms; it must be shorter than disc_lockout_ms, which is 1.5 ms.",
        ),
        (
            "take_back_hold_ms = 500",
            "The setting count_down_after_ms is 600 ms; it must be shorter than take_back_hold_ms, which is 500 ms.",
        ),
    ],
)
def test_nonsense_is_refused_with_the_setting_its_unit_and_the_file(written, line, problem):
    file = written(line)
    assert refusal(file) == f"{problem} Change it in {file}."


def test_nonsense_is_refused_in_a_program_too():
    with pytest.raises(SettingsError) as caught:
        Settings(take_back_hold_ms=1e9)
    assert str(caught.value) == ("The setting take_back_hold_ms is 1000000000; it must be a time from 200 to 30000 ms.")
    with pytest.raises(SettingsError, match="palette"):
        Settings(palette="pink")
    with pytest.raises(ValueError, match="port"):
        Settings(port=-1)


def test_a_layout_file_is_looked_for_beside_the_settings(tmp_path, monkeypatch):
    file = tmp_path / "settings.toml"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    file.write_text('layout = "my-board.toml"')
    assert load_settings(file).layout == str(tmp_path / "my-board.toml")
    file.write_text('layout = "/srv/my-board.toml"')
    assert load_settings(file).layout == "/srv/my-board.toml"
    file.write_text('layout = "5x4"')
    assert load_settings(file).layout == "5x4"
