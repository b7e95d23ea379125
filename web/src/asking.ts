/** What a practice board is, as its element says it; the server keeps nothing of it. */
export interface Described {
  readonly spec: string;
  readonly setup: string;
  readonly position: string;
  readonly moves: readonly string[];
  readonly open: boolean;
  readonly signs: string;
}

/** Moves as an attribute holds them: none has a comma. */
export function written(moves: readonly string[]): string {
  return moves.join(",");
}

export function read(moves: string | undefined): string[] {
  return moves ? moves.split(",") : [];
}

export function described({ dataset }: HTMLElement): Described {
  const { spec = "", setup = "", position = "", moves, signs = "" } = dataset;
  return { spec, setup, position, moves: read(moves), open: "open" in dataset, signs };
}

/** Who of several people that share a screen looks at it; null: there is one only, or nobody looks. */
export function looks({ dataset: { own = "", seat } }: HTMLElement): number | null {
  return own.includes(" ") && seat !== undefined ? Number(seat) : null;
}

/** Asks the server about a table beside its socket: with a body by POST. A practice board always tells what it is; a
 * screen that several people share says whose turn at it is. */
export function ask(table: HTMLElement, what: string, body?: object, options: RequestInit = {}): Promise<Response> {
  const { practice, at } = table.dataset;
  const seat = looks(table);
  const who = seat === null ? "" : `?seat=${seat}`;
  const address = `${practice ?? at ?? location.pathname}${what && "/"}${what}${who}`;
  const told = practice === undefined ? body : { ...described(table), ...body };
  if (!told) return fetch(address, { cache: "no-store", ...options });
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return fetch(address, { method: "POST", headers, body: JSON.stringify(told), cache: "no-store", ...options });
}
