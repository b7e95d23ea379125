/** A move of a study, with all that was tried after it, what somebody wrote about it, and what an engine said of it. */
export interface Node {
  readonly move: string;
  /** The move as people read it. */
  label: string;
  comment: string;
  /** What the move is called where it gave something away; and what an engine says of it, once it was asked. */
  fell: string;
  said: string;
  /** The first seat's share of the win after it. */
  score: number | null;
  readonly next: Node[];
}

/** Which of the moves is taken at each node, from the start. */
export type Path = readonly number[];

/** Moves in a study; more aren't kept. */
export const MOST = 5000;

export function node(move: string, label = move): Node {
  return { move, label, comment: "", fell: "", said: "", score: null, next: [] };
}

/** A study that begins as one line. */
export function line(moves: readonly string[], labels: readonly string[] = moves): Node {
  const root = node("");
  let last = root;
  moves.forEach((move, at) => {
    const next = node(move, labels[at] ?? move);
    last.next.push(next);
    last = next;
  });
  return root;
}

/** The nodes on the way to a path's end, without the root; as far as the path exists. */
export function along(root: Node, path: Path): Node[] {
  const way: Node[] = [];
  let last = root;
  for (const step of path) {
    const next = last.next[step];
    if (!next) break;
    way.push(next);
    last = next;
  }
  return way;
}

export function at(root: Node, path: Path): Node {
  return along(root, path).at(-1) ?? root;
}

/** The path and, from there, always the first move. */
export function onward(root: Node, path: Path): Path {
  const whole = [...path];
  for (let last = at(root, path); last.next.length; last = last.next[0]!) whole.push(0);
  return whole;
}

/** The same place in a branch beside this one, or the nearest place before it that has one. */
export function beside(root: Node, path: Path, by: 1 | -1): Path | null {
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const wanted = path[depth]! + by;
    const branches = at(root, path.slice(0, depth)).next;
    if (wanted >= 0 && wanted < branches.length) return [...path.slice(0, depth), wanted];
  }
  return null;
}

/** The path to a move played at a path's end; a move that is there already begins no second branch. */
export function played(root: Node, path: Path, move: string, label: string): Path {
  const { next } = at(root, path);
  let step = next.findIndex((known) => known.move === move);
  if (step < 0) step = next.push(node(move, label)) - 1;
  return [...path, step];
}

/** Takes away the end of a path with all that follows; gives the path that is left. */
export function removed(root: Node, path: Path): Path {
  const rest = path.slice(0, -1);
  at(root, rest).next.splice(path.at(-1) ?? 0, 1);
  return rest;
}

export function count(root: Node): number {
  return root.next.reduce((sum, next) => sum + 1 + count(next), 0);
}

type Written = [move: string, label: string, comment: string, fell: string, said: string, score: number | null, next: Written[]];

function packed({ move, label, comment, fell, said, score, next }: Node): Written {
  return [move, label, comment, fell, said, score, next.map(packed)];
}

function unpacked(written: unknown): Node {
  const [move, label, comment, fell, said, score, next] = written as Written;
  if (![move, label, comment, fell, said].every((text) => typeof text === "string")) throw new TypeError("no move");
  return { move, label, comment, fell, said, score: typeof score === "number" ? score : null, next: next.map(unpacked) };
}

export function text(root: Node): string {
  return JSON.stringify(packed(root));
}

/** A study that was kept; null where the text is none. */
export function read(written: string | null): Node | null {
  try {
    const root = unpacked(JSON.parse(written ?? ""));
    return count(root) <= MOST ? root : null;
  } catch {
    return null;
  }
}
