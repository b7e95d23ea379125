/** Where a piece can lie: by square from the left, from the top. */
export interface Spot {
  readonly column: number;
  readonly row: number;
}

/** One way in which a piece can lie: its size and the squares that it covers, and what turning and flipping lead to. */
export interface Form {
  readonly width: number;
  readonly height: number;
  readonly covers: readonly Spot[];
  readonly turned: number;
  readonly flipped: number;
}

/** A piece of the tray; of some there is only one. */
export interface Piece {
  readonly id: string;
  readonly once: boolean;
  readonly forms: readonly Form[];
}

/** A piece on the board: its upper left corner, and its form. */
export interface Laid extends Spot {
  readonly id: string;
  readonly form: number;
}

/** Steps that can be undone. */
const MOST = 200;

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

/** The squares of a panel on which pieces can be laid, as drafts call them. */
export class Grid {
  readonly columns: number;
  readonly rows: number;
  private readonly names = new Map<string, string>();
  private readonly spots = new Map<string, Spot>();

  constructor(squares: readonly (Spot & { readonly lay: string })[]) {
    this.columns = Math.max(0, ...squares.map(({ column }) => column + 1));
    this.rows = Math.max(0, ...squares.map(({ row }) => row + 1));
    for (const { lay, column, row } of squares) {
      this.names.set(`${column},${row}`, lay);
      this.spots.set(lay, { column, row });
    }
  }

  lay({ column, row }: Spot): string | undefined {
    return this.names.get(`${column},${row}`);
  }

  spot(lay: string): Spot | undefined {
    return this.spots.get(lay);
  }

  /** The corner nearest to this one with which a form lies on the board; null where there is none. */
  fit(form: Form, corner: Spot): Spot | null {
    const column = clamp(corner.column, this.columns - form.width);
    const row = clamp(corner.row, this.rows - form.height);
    for (let x = 0; x < form.width; x++) {
      for (let y = 0; y < form.height; y++) {
        if (this.lay({ column: column + x, row: row + y }) === undefined) return null;
      }
    }
    return { column, row };
  }
}

/** The square of a form that lies under the pointer where nobody grabbed another: the one in the middle. */
export function middle(form: Form): Spot {
  return { column: Math.floor((form.width - 1) / 2), row: Math.floor((form.height - 1) / 2) };
}

export function part(grid: Grid, laid: Laid): string {
  return `${laid.id}${grid.lay(laid) ?? ""}${laid.form}`;
}

/** A draft's text: letter, square and number of the form of each piece, joined by +. */
export function text(grid: Grid, laid: readonly Laid[]): string {
  return laid.map((one) => part(grid, one)).join("+");
}

/** The pieces that a text names; what isn't among the tray's pieces or leaves the board is left out. */
export function read(grid: Grid, pieces: ReadonlyMap<string, Piece>, written: string): Laid[] {
  return written.split("+").flatMap((one) => {
    const id = one.slice(0, 1);
    const number = Number(one.slice(-1));
    const form = pieces.get(id)?.forms[number];
    const spot = grid.spot(one.slice(1, -1));
    if (!form || !spot) return [];
    const fitted = grid.fit(form, spot);
    return fitted?.column === spot.column && fitted.row === spot.row ? [{ id, ...spot, form: number }] : [];
  });
}

/** The pieces of a draft, with every step undoable; nothing here knows what they mean. */
export class Draft {
  laid: readonly Laid[] = [];
  /** The piece that turning, moving and removing are about. */
  chosen: Laid | null = null;
  private past: (readonly Laid[])[] = [];

  constructor(
    readonly pieces: ReadonlyMap<string, Piece>,
    public grid: Grid,
  ) {}

  get text(): string {
    return text(this.grid, this.laid);
  }

  get undoable(): boolean {
    return this.past.length > 0;
  }

  form({ id, form }: { readonly id: string; readonly form: number }): Form | undefined {
    return this.pieces.get(id)?.forms[form];
  }

  /** Begins with a text; there is nothing to undo then. */
  begin(written: string): void {
    this.laid = read(this.grid, this.pieces, written);
    this.past = [];
    this.chosen = null;
  }

  /** The pieces that cover a square, those that were laid last first. */
  at({ column, row }: Spot): Laid[] {
    const covers = (one: Laid) =>
      this.form(one)?.covers.some((spot) => one.column + spot.column === column && one.row + spot.row === row);
    return this.laid.filter(covers).reverse();
  }

  /** Where a piece of which there is only one lies. */
  only(id: string): Laid | undefined {
    return this.pieces.get(id)?.once ? this.laid.find((one) => one.id === id) : undefined;
  }

  /** Lays a piece; a note that lies there in the same form is taken away instead. */
  lay(id: string, number: number, corner: Spot): boolean {
    const piece = this.pieces.get(id);
    const form = piece?.forms[number];
    const spot = form && this.grid.fit(form, corner);
    if (!piece || !spot) return false;
    const laid: Laid = { id, column: spot.column, row: spot.row, form: number };
    const there = (one: Laid) => one.id === id && (piece.once || (one.column === spot.column && one.row === spot.row));
    const same = this.laid.find((one) => there(one) && one.form === number && !piece.once);
    const others = this.laid.filter((one) => !there(one));
    this.change(same ? others : [...others, laid], piece.once ? laid : null);
    return true;
  }

  /** Lays the chosen piece elsewhere or in another form. */
  put(number: number, corner: Spot): boolean {
    const { chosen } = this;
    const form = chosen && this.pieces.get(chosen.id)?.forms[number];
    const spot = form && this.grid.fit(form, corner);
    if (!chosen || !spot) return false;
    if (spot.column === chosen.column && spot.row === chosen.row && number === chosen.form) return false;
    const laid: Laid = { id: chosen.id, column: spot.column, row: spot.row, form: number };
    this.change(
      this.laid.map((one) => (one === chosen ? laid : one)),
      laid,
    );
    return true;
  }

  /** Turns or flips the chosen piece about its middle. */
  reform(how: "turned" | "flipped"): boolean {
    const { chosen } = this;
    const form = chosen && this.form(chosen);
    if (!chosen || !form) return false;
    const number = form[how];
    const next = this.form({ id: chosen.id, form: number });
    if (!next) return false;
    const column = chosen.column + Math.trunc((form.width - next.width) / 2);
    const row = chosen.row + Math.trunc((form.height - next.height) / 2);
    return this.put(number, { column, row });
  }

  nudge(columns: number, rows: number): boolean {
    const { chosen } = this;
    return chosen !== null && this.put(chosen.form, { column: chosen.column + columns, row: chosen.row + rows });
  }

  remove(): boolean {
    const { chosen } = this;
    if (!chosen) return false;
    this.change(
      this.laid.filter((one) => one !== chosen),
      null,
    );
    return true;
  }

  clear(): boolean {
    if (!this.laid.length) return false;
    this.change([], null);
    return true;
  }

  undo(): boolean {
    const before = this.past.pop();
    if (!before) return false;
    this.laid = before;
    this.chosen = null;
    return true;
  }

  private change(laid: readonly Laid[], chosen: Laid | null): void {
    this.past.push(this.laid);
    if (this.past.length > MOST) this.past.shift();
    this.laid = laid;
    this.chosen = chosen;
  }
}
