/** A board drawn square by square: rows from above, true for its squares, false for those cut out. */
export type Squares = boolean[][];

const SIZE = /^([1-9][0-9]?)x([1-9][0-9]?)$/;
const RUNS = /^[0-9]+(-[0-9]+)*(\.[0-9]+(-[0-9]+)*)*$/;

export function whole(rows: number, columns: number): Squares {
  return Array.from({ length: rows }, () => Array<boolean>(columns).fill(true));
}

/** The squares that a text means, a size or lengths of runs; null for other texts and for boards that are too large. */
export function read(text: string, most: number): Squares | null {
  const size = SIZE.exec(text);
  if (size) return fitting(whole(Number(size[1]), Number(size[2])), most);
  if (!RUNS.test(text)) return null;
  const rows = text.split(".").map((row) => row.split("-").map(Number));
  if (rows.some((lengths) => sum(lengths) > most)) return null;
  const drawn = rows.map((lengths) => lengths.flatMap((length, k) => Array<boolean>(length).fill(k % 2 === 1)));
  return fitting(sized(drawn, drawn.length, Math.max(...drawn.map((row) => row.length))), most);
}

/** The squares of a picture: `#` there, `.` cut out, rows from above joined by `/`. */
export function pictured(text: string): Squares {
  return text.split("/").map((row) => [...row].map((square) => square === "#"));
}

/** The text of a board, without empty rows and columns around it: its size, or the lengths of runs in each row. */
export function written(squares: Squares): string {
  const down = squares.flatMap((row, y) => (row.includes(true) ? [y] : []));
  const across = squares.flatMap((row) => row.flatMap((there, x) => (there ? [x] : [])));
  if (!down.length) return "0";
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const kept = squares.slice(down[0], (down.at(-1) ?? 0) + 1).map((row) => row.slice(left, right + 1));
  if (kept.every((row) => !row.includes(false))) return `${kept.length}x${right - left + 1}`;
  return kept.map(runs).join(".");
}

function runs(row: readonly boolean[]): string {
  const lengths = [0];
  for (const there of row) {
    if (there !== (lengths.length % 2 === 0)) lengths.push(0);
    lengths[lengths.length - 1]! += 1;
  }
  // What is cut out at the end goes without saying.
  if (lengths.length % 2) lengths.pop();
  return lengths.join("-") || "0";
}

/** A board of another size; the lower left corner stays where it is, and what is new is there. */
export function sized(squares: Squares, rows: number, columns: number, there = false): Squares {
  const over = rows - squares.length;
  return Array.from({ length: rows }, (_, y) =>
    Array.from({ length: columns }, (_, x) => squares[y - over]?.[x] ?? there),
  );
}

function fitting(squares: Squares, most: number): Squares | null {
  return squares.length <= most && (squares[0]?.length ?? 0) <= most ? squares : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
