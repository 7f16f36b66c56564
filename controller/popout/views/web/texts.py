"""The page's own words, each under the key by which the page asks for it.

Places in braces that the page fills in itself, such as ``{column}``, stay as they are. A sentence that counts
something is a list with one form for each count, so that the page needs to know nothing of plurals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from popout.play.menu import POWER_TITLES
from popout.rules.messages import N_, Message
from popout.rules.ruleset import LARGEST
from popout.views.rulecards import NOTES_TITLE

_PLACE = re.compile(r"\{(\w+)\}")


def page_texts(say: Callable[[Message], str]) -> dict[str, str | list[str]]:
    """Every text of the page in the language that `say` speaks."""
    texts: dict[str, str | list[str]] = {key: say(_open(text)) for key, text in _TEXTS.items()}
    for key, (one, many) in _COUNTED.items():
        places = {name: f"{{{name}}}" for name in _PLACE.findall(one) if name != "count"}
        texts[key] = [say(Message(one, plural=many, count=count, **places)) for count in range(LARGEST + 1)]
    for disc, title in POWER_TITLES.items():
        texts[f"power {disc.value}"] = say(title)
    texts["cardNotes"] = say(NOTES_TITLE)
    return texts


def _open(text: str) -> Message:
    """A message that leaves its places open, for the page to fill in."""
    places: dict[str, Any] = {name: f"{{{name}}}" for name in _PLACE.findall(text)}
    return Message(text, **places)


_COUNTED = N_(
    {
        "mayPress": (
            "Column {columns} can be pressed now.",
            "Columns {columns} can be pressed now.",
        ),
        "columnTopRed": (
            "Column {column}, {count} disc, top red.",
            "Column {column}, {count} discs, top red.",
        ),
        "columnTopYellow": (
            "Column {column}, {count} disc, top yellow.",
            "Column {column}, {count} discs, top yellow.",
        ),
    }
)

_TEXTS = N_(
    {
        # The page
        "name": "Pop Out board",
        "pageTitle": "{status} – Pop Out",
        "gameTitle": "{game} · {columns} × {rows} · {connect} in a row",
        "gameTitleTarget": "{game} · {columns} × {rows} · {connect} in a row · {target} discs to keep",
        "actions": "Game and help",
        "board": "The board",
        "playedOn": "Played on {board}.",
        "languageMenu": "Language",
        "game": "This game",
        "red": "Red",
        "yellow": "Yellow",
        "toMove": "to move",
        "wins": "wins",
        "inHand": "{count} in hand",
        "kept": "{count} of {target} kept",
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
        "keysRed": "Red's buttons",
        "keysYellow": "Yellow's buttons",
        "keyRed": "Red's button of column {column}",
        "keyYellow": "Yellow's button of column {column}",
        "pressDrop": "Press to drop.",
        "pressPop": "Press to pop the bottom disc.",
        "pressFull": "It is full.",
        "pressMayNotDrop": "A disc may not be dropped here now.",
        "pressMayNotPop": "The bottom disc may not be popped now.",
        "pressNothingToPop": "There is nothing to pop.",
        "pressNoPops": "In this game nothing is popped. Close the bar first.",
        "pressCameFrom": "The popped disc came out of this column and goes into another one.",
        "pressWouldLine": "A second disc would make a line here, and may not.",
        "drop a": "Press to drop the anvil.",
        "drop b": "Press to drop the bomb.",
        "drop w": "Press to drop the wall.",
        "drop x": "Press to drop the x2.",
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
        "outerColumn": "Column {column} is a filled outer column: its discs stay. Choose a column from 2 to {last}.",
        "outer": "Outer column {column}, filled. Its discs stay.",
        # What the game waits for
        "phase fill": "The marked cells are free. Lines count for nothing yet.",
        "phase pop": "Pop one of the marked discs. If it is part of a line, you keep it and pop again.",
        "phase put": "Drop the disc into a column.",
        "phase put barred": "The disc came out of the crossed column. Put it into another one.",
        "phase bomb": "Pop one of the marked discs. It leaves the game.",
        "phase wall": "Drop one more disc.",
        "phase wall barred": "Drop one more disc. In a crossed column it would make a line, and it may not.",
        "phase x2": "Drop one more disc.",
        "openBar": "Open the bar to pop.",
        "closeBar": "Close the bar to drop.",
        # Power discs
        "powersRed": "Red's power discs",
        "powersYellow": "Yellow's power discs",
        "chosen a": "The anvil is chosen. Press a column to drop it.",
        "chosen b": "The bomb is chosen. Press a column to drop it.",
        "chosen w": "The wall is chosen. Press a column to drop it.",
        "chosen x": "The x2 is chosen. Press a column to drop it.",
        "chosenNone": "An ordinary disc is next.",
        "chooseAgain": "Choose it again, or press Escape, for an ordinary disc.",
        "used a": "The anvil has been played.",
        "used b": "The bomb has been played.",
        "used w": "The wall has been played.",
        "used x": "The x2 has been played.",
        "powersOther": "These power discs are the other side's.",
        # The menu of the board
        "menuButton": "Menu of the board",
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
        "adoptText": "The game takes over what lies on the board. What comes next?",
        "differs": "The discs on the board are not where the game has them. The marked cells show where.",
        # Putting the board right, and setting a position up
        "wrongOnBoard": "Something is wrong on the board",
        "stepDone": "Done",
        "repaired": "Everything is right now",
        "telling": "At the board, somebody is telling what lies on it. Cells that differ from the game: {count}.",
        "editorTitle": "What is on the board?",
        "editorText": "Make the picture like the real board. A tap puts a disc of the chosen colour on top of a column,"
        " or changes the disc that is tapped.",
        "editorBrush": "What a tap does",
        "editorOut": "Take it out",
        "editorCells": "The cells. Choose one with the arrow keys.",
        "editorCount": "Cells that differ from the game: {count}. They are marked.",
        "editorSame": "This is what the game has.",
        "editorAgain": "As the game has it",
        "editorEmpty": "Empty board",
        "editorGuide": "Guide me back",
        "editorTake": "Take it as it is",
        "editorSet": "Play on like this",
        "back": "Back",
        "cell red": "Column {column}, row {row}: red.",
        "cell yellow": "Column {column}, row {row}: yellow.",
        "cell empty": "Column {column}, row {row}: empty.",
        "game red": "The game has a red disc there.",
        "game yellow": "The game has a yellow disc there.",
        "game empty": "The game has no disc there.",
        "whoMoves": "Who is to move?",
        "whichStep": "What is the next step?",
        "cameFrom": "Column that the popped disc came from",
        "keptDiscs": "Discs kept",
        "handDiscs": "Discs in hand",
        # Phones
        "phones": "Phones",
        "phonesText": "Everybody on your network can watch: open this address, or point a phone's camera at the code.",
        "networkName": "On the network it is called “{name}”.",
        "phonesPlay": "Playing on a phone",
        "phonesCode": "Whoever types the six digits there makes that side's moves."
        " They are good once, for five minutes.",
        "inviteRed": "Let red play on a phone",
        "inviteYellow": "Let yellow play on a phone",
        "codeLeft": "{minutes}:{seconds} left",
        "devices": "Devices that play",
        "noDevices": "No device plays.",
        "device red": "Red, since {time}, from {address}",
        "device yellow": "Yellow, since {time}, from {address}",
        "putOut": "Put out",
        "watching": "You are watching.",
        "watchingPress": "You are watching. To play, type the code that the board's page or terminal shows.",
        "plays red": "You play red.",
        "plays yellow": "You play yellow.",
        "enterCode": "Code from the board",
        "enter": "Play",
        "sixDigits": "The code has six digits. The board's page or terminal shows it.",
        # Earlier games and statistics
        "gamesPlayed": "Games that were played",
        "history": "Earlier games",
        "statistics": "Statistics",
        "noGames": "No game has been played yet.",
        "moreGames": "Show more",
        "backToGames": "All games",
        "gameNumber": "Game {number}: {title}",
        "gameCorrected": "In this game the discs were corrected. It is shown from the last correction on.",
        "gameLong": "This game is too long to be stepped through here. It can be copied or saved.",
        "beginning": "The beginning of the game.",
        "stepEnd": "To the end of the game",
        "players": "{red} – {yellow}",
        "moveCount": "Moves: {moves}",
        "wonRed": "Red won",
        "wonYellow": "Yellow won",
        "drawn": "Draw",
        "unfinished": "Not finished",
        "goesOn": "Goes on at the board",
        "copyRefused": "The browser did not allow copying. Save the game as a file.",
        "notFetched": "This could not be fetched. Wait for the connection and try again.",
        "ofThemUnfinished": "of them not finished: {count}",
        "gamesColumn": "Games",
        "howLong": "Time from the first move to the end",
        "howManyMoves": "Moves in a game",
        "spread": "Half of the games took {median} or less; the shortest {shortest}, the longest {longest}.",
        "whoBegan": "The first move",
        "beganWon": "Of the games with a winner, whoever began won {share}.",
        "gamesByDay": "Games by day",
        "gamesByWeek": "Games by week",
        "gamesByMonth": "Games by month",
        "gamesAxis": "How many games began, and what became of them",
        "gameLengths": "How long the games were",
        "lengthsAxis": "How many games ended after so many moves",
        "asTable": "As a table",
        "byGame": "By game",
        # A new game
        "whichGame": "Game",
        "combine": "Combine with",
        "sizeTitle": "Board",
        "size": "{columns} × {rows}",
        "columnsField": "Columns",
        "rowsField": "Rows",
        "connectField": "In a row",
        "sizeFixed": "The size is that of the board.",
        "moreRules": "More rules",
        "losingGame": "The game at hand ends here; it stays in the record.",
        "start": "Start",
        # How to play
        "helpTitle": "How to play: {game}",
        "gotIt": "Got it",
        "allRules": "All the rules",
        "helpHands": "On the board",
        "helpPress": "Press the button under a column, or anywhere in the column, and let go."
        " The move counts when you let go.",
        "helpBar": "Slide the bar open to pop: then a press pops the bottom disc. Slide it closed to drop again.",
        "helpBarItself": "In a step that can only be a pop, or only a drop, a press moves the bar of a simulated board"
        " by itself.",
        "helpPower": "Choose a power disc in your rack beside your name, then press a column.",
        "helpHold": "Hold a button for a second and a half to take the last move back.",
        "keyColumn": "Press a column",
        "keyArrows": "Choose a column and press it",
        "keyBar": "Open or close the bar",
        "keyPower": "Choose the anvil, the bomb, the wall or the x2",
        "keyOrdinary": "Choose an ordinary disc, or go back to now",
        "space": "Space",
        # Agreeing a draw
        "agreeQuestion": "Do both sides agree to a draw?",
        "agreeText": "The game ends at once. Taking back still brings it back.",
        "agreeYes": "Both agree",
        "playOn": "Play on",
    }
)
