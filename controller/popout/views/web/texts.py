"""The page's own words, each under the key by which the page asks for it.

Places in braces that the page fills in itself, such as ``{column}``, stay as they are. A sentence that counts
something is a list with one form for each count, so that the page needs to know nothing of plurals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from popout.rules.messages import Message
from popout.rules.options import OPTIONS
from popout.rules.ruleset import LARGEST

_PLACE = re.compile(r"\{(\w+)\}")


def page_texts(say: Callable[[Message], str]) -> dict[str, str | list[str]]:
    """Every text of the page in the language that `say` speaks."""
    texts: dict[str, str | list[str]] = {key: say(_open(text)) for key, text in _TEXTS.items()}
    for key, (one, many) in _COUNTED.items():
        texts[key] = [say(Message(one, plural=many, count=count, column="{column}")) for count in range(LARGEST + 1)]
    for option in OPTIONS:
        texts[f"{option.name}?"] = say(option.question)
    return texts


def _open(text: str) -> Message:
    """A message that leaves its places open, for the page to fill in."""
    places: dict[str, Any] = {name: f"{{{name}}}" for name in _PLACE.findall(text)}
    return Message(text, **places)


_COUNTED = {
    "columnTopRed": (
        "Column {column}, {count} disc, top red.",
        "Column {column}, {count} discs, top red.",
    ),
    "columnTopYellow": (
        "Column {column}, {count} disc, top yellow.",
        "Column {column}, {count} discs, top yellow.",
    ),
}

_TEXTS = {
    # The page
    "name": "Pop Out board",
    "pageTitle": "{status} – Pop Out",
    "gameTitle": "{game} · {columns} × {rows} · {connect} in a row",
    "actions": "Game and help",
    "board": "The board",
    "playedOn": "Played on {board}.",
    "game": "This game",
    "red": "Red",
    "yellow": "Yellow",
    "toMove": "to move",
    "wins": "wins",
    "inHand": "{count} in hand",
    "newGame": "New game",
    "help": "How to play",
    "takeBack": "Take back",
    "agreeDraw": "Agree a draw",
    "claim": "Claim the draw",
    "close": "Close",
    "cancel": "Cancel",
    # The connection
    "offline": "The connection to the board is lost. This page tries again by itself.",
    "tryNow": "Try now",
    "connectedAgain": "Connected again.",
    "notNow": "Nothing was done, because there is no connection to the board. Wait a moment and try again.",
    "begin": "Press a column to drop the first disc.",
    # The board
    "columns": "Columns. Press a column to drop a disc; with the bar open, to pop one.",
    "columnEmpty": "Column {column}, empty.",
    "pressDrop": "Press to drop.",
    "pressPop": "Press to pop the bottom disc.",
    "pressFull": "It is full.",
    "pressMayNotDrop": "A disc may not be dropped here now.",
    "pressMayNotPop": "The bottom disc may not be popped now.",
    "pressNothingToPop": "There is nothing to pop.",
    "pressNoPops": "In this game nothing is popped. Close the bar first.",
    "pressBottomRed": "The bottom disc is red's and may not be popped.",
    "pressBottomYellow": "The bottom disc is yellow's and may not be popped.",
    "pressOver": "The game is over.",
    "pressPast": "This is the past. Go back to now to play.",
    "pressOffline": "There is no connection to the board.",
    "pressMenu": "Press for: {entry}.",
    "pressNothing": "Nothing to choose here.",
    "pressDiscIn": "Press to let a disc in, without the button.",
    "pressDiscOut": "Press to let the bottom disc out, without the button.",
    "pressTake": "Press to take the top disc out.",
    "bar": "Pop-release bar open",
    "barOpen": "The bar is open.",
    "barClosed": "The bar is closed.",
    "captionOpen": "bar open",
    "captionClosed": "bar closed",
    "holdTakeBack": "Keep holding to take the last move back.",
    "holdMenu": "Keep holding to open the menu.",
    # The menu of the board
    "menuButton": "Menu of the board",
    "menuTitle": "Menu of the board",
    "menuOpen": "The menu is open.",
    "menuEntry": "Column {column}: {text}.",
    # The moves
    "moves": "Moves",
    "noMoves": "No move yet.",
    "moveLabel": "Move {ply}: {said}",
    "stepFirst": "To the start of the game",
    "stepPrevious": "One move back",
    "stepNext": "One move on",
    "stepLast": "To the game as it is now",
    "stepPlace": "{ply} of {count}",
    "backToNow": "Back to now",
    "notInPast": "You are looking at an earlier position. Go back to now to play.",
    "copy": "Copy game",
    "copied": "Copied.",
    "download": "Save as a file",
    "recordTitle": "The game as text",
    "recordText": "The browser did not allow copying by itself. The text is selected: copy it.",
    "recordLost": "The record could not be fetched. Wait for the connection and try again.",
    # The hands on a simulated board
    "hands": "Hands",
    "modeCareful": "Careful hand: the discs follow each move",
    "modeDisc": "Only the disc: let it in or out, press no button",
    "modeButton": "Only the button: press it, leave the discs alone",
    "modeTake": "Take the top disc out",
    "discInHand": "Disc in hand",
    "discOfTurn": "Of the side to move",
    "tidy": "Put the discs right",
    "empty": "Let all discs out",
    "adopt": "Play on from these discs",
    "adoptQuestion": "Play on from the discs as they are?",
    "adoptText": "The game takes over what lies on the board. Who is to move then?",
    "adoptRed": "Red to move",
    "adoptYellow": "Yellow to move",
    "differs": "The discs on the board are not where the game has them. The marked cells show where.",
    # A new game
    "whichGame": "Game",
    "sizeTitle": "Board",
    "size": "{columns} × {rows}",
    "columnsField": "Columns",
    "rowsField": "Rows",
    "connectField": "In a row",
    "sizeFixed": "The size is that of the board.",
    "moreRules": "More rules",
    "losingGame": "The game at hand ends here; it stays in the record.",
    "start": "Start",
    "both-lines=mover": "The one who popped wins",
    "both-lines=draw": "It is a draw",
    "both-lines=other": "The other side wins",
    "full-grid=draw": "It is a draw at once",
    "full-grid=claim": "The side to move may claim a draw",
    "full-grid=continue": "The game goes on with pops",
    "empty-grid=draw": "It is a draw",
    "empty-grid=continue": "The game goes on",
    "repetition=0": "None",
    "repetition=3": "The third",
    "first=red": "Red",
    "first=yellow": "Yellow",
    # How to play
    "helpTitle": "How to play: {game}",
    "ruleGoal": "Be the first to get {connect} of your own discs in a straight line: across, upright or diagonal.",
    "ruleDrop": "In your turn, drop one of your discs into a column. It falls to the lowest free place.",
    "rulePop": "Or pop: let one of your own discs out at the bottom of a column. It leaves the game.",
    "ruleFall": "Everything above a popped disc comes down one row. That can make or break lines, yours and theirs.",
    "ruleRedStarts": "Red starts.",
    "ruleYellowStarts": "Yellow starts.",
    "helpEnds": "How it ends",
    "ruleFull": "If the grid is full and nobody has a line, it is a draw.",
    "rule both-lines=mover": "If a pop makes a line for both sides, the one who popped wins."
    " A line for the other side alone wins for them.",
    "rule both-lines=draw": "If a pop makes a line for both sides, it is a draw."
    " A line for the other side alone wins for them.",
    "rule both-lines=other": "If a pop makes a line for both sides, the one who did not pop wins.",
    "rule full-grid=draw": "A drop that fills the grid without a line ends the game as a draw.",
    "rule full-grid=claim": "On a full grid without a line, the side to move may claim a draw, or pop.",
    "rule full-grid=continue": "On a full grid without a line, the game goes on with pops only.",
    "rule empty-grid=draw": "If pops empty the grid, it is a draw.",
    "rule empty-grid=continue": "If pops empty the grid, the game goes on.",
    "rule repetition": "If the same position stands {count} times, it is a draw.",
    "rule move-cap": "After {count} moves it is a draw.",
    "rule supply": "Each side has {count} discs. Popped discs do not come back.",
    "ruleAgree": "Both sides may agree a draw at any time.",
    "helpHands": "On the board",
    "helpPress": "Press the button under a column, or anywhere in the column, and let go."
    " The move counts when you let go.",
    "helpBar": "Slide the bar open to pop: then a press pops the bottom disc. Slide it closed to drop again.",
    "helpHold": "Hold a button for a second and a half to take the last move back.",
    "keyColumn": "Press a column",
    "keyArrows": "Choose a column and press it",
    "keyBar": "Open or close the bar",
    "space": "Space",
    # Agreeing a draw
    "agreeQuestion": "Do both sides agree to a draw?",
    "agreeText": "The game ends at once. Taking back still brings it back.",
    "agreeYes": "Both agree",
    "playOn": "Play on",
}
