"""Every command that talks to people does so in the language of --lang, of the settings or of the computer."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import catalogues
from popout.cli import main

LANGUAGES = sorted(catalogues.LANGUAGES)
WON = "rules: popout 7x6\nmoves: d1 d2 d1 d2 d1 d2 d1\n"
RECORDING = (
    '{"popout-recording": 1, "layout": {"columns": 7, "rows": 6}, "rules": "popout 7x6"}\n'
    '{"t": 0, "switch": "column 4", "closed": true}\n{"t": 100, "switch": "column 4", "closed": false}\n'
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    Path("won.txt").write_text(WON, "utf-8")
    Path("recording.jsonl").write_text(RECORDING, "utf-8")
    return tmp_path


def said(language: str, sentence: str, **places: object) -> str:
    """A sentence as the translators wrote it, read without the program's own catalogue."""
    string = catalogues.read(language)[sentence].string
    translated = string[0 if places["count"] == 1 else 1] if not isinstance(string, str) else string
    assert translated, f"{sentence!r} has no translation"
    assert translated != sentence
    return translated.format(**places)


def settings(files: Path, text: str) -> None:
    folder = files / "config/popout"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text(text, "utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_check_judges_in_every_language(capsys, language: str):
    assert main(["check", "won.txt", "--lang", language]) == 0

    ending = said(language, "Red wins: {connect} in a row.", connect=4)
    verdict = said(language, "{ending} ({count} move)", count=7, ending=ending)
    whole = said(language, "{place}: Game {number}. {verdict}", place="won.txt:1", number=1, verdict=verdict)
    assert capsys.readouterr().out.splitlines()[0] == whole


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_referee_answers_in_every_language(capsys, monkeypatch, language: str):
    monkeypatch.setattr("sys.stdin", io.StringIO("d4\n"))

    assert main(["referee", "--lang", language]) == 0

    drop = said(language, "Red drops a disc in column {column}.", column=4)
    assert f"1. {drop} {said(language, 'Yellow to move.')}" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_replay_tells_in_every_language_what_the_board_said(capsys, language: str):
    assert main(["replay", "recording.jsonl", "--lang", language]) == 0

    assert said(language, "Red drops a disc in column {column}.", column=4) in capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_told_in_every_language(capsys, language: str):
    assert main(["rules", "popout", "--lang", language]) == 0

    assert said(language, "Both sides may agree a draw at any time.") in capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_goes_wrong_is_told_in_every_language(capsys, language: str):
    assert main(["sim", "--rules", "chess", "--lang", language]) == 2

    # Only the beginning: the games that there are follow.
    expected = said(language, 'There is no game "{name}". Choose one of: {known}.', name="chess", known="\n")
    assert capsys.readouterr().err.startswith(f"popout: {expected.partition(chr(10))[0]}")


def test_a_language_that_is_not_there_is_refused_with_those_that_are(capsys):
    assert main(["check", "won.txt", "--lang", "tlh"]) == 2

    assert capsys.readouterr().err == ('popout: There is no language "tlh". Choose one of: en, da, el, fr, nl, pt.\n')


def test_the_settings_name_a_language_and_lang_another(files, capsys):
    settings(files, 'language = "nl"\n')

    main(["check", "nothing.txt"])
    main(["check", "nothing.txt", "--lang", "da"])

    problem = "There is no such file. Look at its name and folder."
    dutch, danish = capsys.readouterr().err.splitlines()
    assert said("nl", problem) in dutch
    assert said("da", problem) in danish


def test_the_computers_language_is_spoken_if_nothing_else_is_said(capsys, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "el_GR:en")

    main(["check", "nothing.txt"])

    assert said("el", "There is no such file. Look at its name and folder.") in capsys.readouterr().err


def test_settings_that_cannot_be_read_keep_nobody_from_judging(files, capsys):
    settings(files, "language = \n")

    assert main(["check", "won.txt"]) == 0
    assert capsys.readouterr().out.startswith("won.txt:1: Game 1. Red wins: 4 in a row. (7 moves)\n")


def test_a_language_of_the_settings_that_is_not_there_is_passed_over(files, capsys):
    settings(files, 'language = "tlh"\n')

    assert main(["check", "won.txt"]) == 0
    assert capsys.readouterr().out.startswith("won.txt:1: Game 1. Red wins: 4 in a row. (7 moves)\n")
