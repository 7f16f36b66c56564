// Where everything of the board is, in units of a hundredth of a cell; y grows downwards.

export const CELL = 100;
export const HOLE = 41;
export const DISC = 44.5;

const MARGIN = 20; // room beside the posts for the ends of the bar
const POST = 30;
const TOWER = 110; // a post with the discs of a filled outer column in it
const FRAME = 8; // panel left and right of the outer cells; a 7 x 6 board must have wide buttons on a narrow phone
const HEAD = 52; // room above the panel, from which a disc comes
const LIP = 34; // the panel's upper edge, with the slots
const SOLE = 12;
const BAR = 28;
const TRAY = 74;
const CONSOLE = 124;
const FOOT = 26;
const SECOND_ROW = 70; // the console is so much higher where yellow has a row of buttons of its own

export const SLIDE = 50; // how far the bar slides

/**
 * The places of a board of that many playable columns and rows. `first` is the number of the first playable column: 2 if
 * a filled column stands on either side of them. Columns are numbered as in the grid, those filled ones counted. With
 * `twoRows` each side has its own row of buttons.
 */
export function geometry(columns, rows, first, twoRows = false) {
  const outer = first - 1;
  const console = CONSOLE + (twoRows ? SECOND_ROW : 0);
  const post = outer ? TOWER : POST;
  const left = MARGIN + post;
  const panelWidth = columns * CELL + 2 * FRAME;
  const width = panelWidth + 2 * left;
  const last = outer + columns;
  const gridTop = HEAD + LIP;
  const panelBottom = gridTop + rows * CELL + SOLE;
  const consoleTop = panelBottom + BAR + TRAY;
  return {
    columns,
    rows,
    first,
    last,
    gridColumns: columns + 2 * outer,
    playable: Array.from({ length: columns }, (_, index) => first + index),
    filled: outer ? [1, last + 1] : [],
    width,
    height: consoleTop + console + FOOT,
    left,
    panelWidth,
    postLeft: MARGIN,
    post,
    gridLeft: left + FRAME,
    gridTop,
    panelTop: HEAD,
    panelBottom,
    barTop: panelBottom,
    bar: BAR,
    trayTop: panelBottom + BAR,
    tray: TRAY,
    consoleTop,
    console,
    bottom: consoleTop + console,
    x: (column) => {
      if (column < first) return MARGIN + post / 2;
      return column > last ? width - MARGIN - post / 2 : left + FRAME + (column - outer - 0.5) * CELL;
    },
    y: (row) => gridTop + (rows - row + 0.5) * CELL,
    above: HEAD - 6, // where a disc is held over its slot
    below: consoleTop + 10, // where a disc that was let out ends
    floor: consoleTop - 16, // where discs lie in the tray
    // Where the rows of buttons are, and whose each is: one row of both sides, or red's over yellow's.
    keyRows: (twoRows ? ["red", "yellow"] : [null]).map((side, row) => ({ side, y: consoleTop + 80 + row * SECOND_ROW })),
    lamp: consoleTop + 26,
  };
}

/** What the button of a column is called among those of the picture; `side` is null where both press the same ones. */
export function keyName(column, side) {
  return side ? `${side} ${column}` : String(column);
}

/** A circle as a path, for holes in a panel. */
export function circlePath(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}
