import { pictured, read, sized, whole, written, type Squares } from "./squares";

const MOST = 40;
const FIRST = 15;
const WAYS: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The choice of a board in a set-up form: ready ones, or one that is drawn; the form's text field holds what is meant. */
export class BoardChoice {
  private readonly field: HTMLInputElement;
  private readonly choice: HTMLSelectElement;
  private readonly drawing: HTMLElement;
  private readonly grid: HTMLElement;
  private readonly rows: HTMLInputElement;
  private readonly columns: HTMLInputElement;
  private readonly ready = new Map<string, Squares>();
  private squares: Squares = whole(FIRST, FIRST);
  private cells: HTMLElement[][] = [];
  private at: [column: number, row: number] = [0, 0];
  /** While squares are brushed: what they become, and the square where the brush is. */
  private brush: { there: boolean; column: number; row: number } | null = null;

  constructor(private readonly root: HTMLElement) {
    const find = <E extends Element>(selector: string): E => root.querySelector<E>(selector)!;
    this.field = find("input[name]");
    this.choice = find("[data-ready]");
    this.drawing = find("[data-drawing]");
    this.grid = find("[role=grid]");
    this.rows = find("[data-rows]");
    this.columns = find("[data-columns]");
    for (const { value, dataset } of this.choice.options) {
      if (value) this.ready.set(value, pictured(dataset["squares"] ?? ""));
    }
    this.choice.hidden = false;
    for (const label of this.field.labels ?? []) label.htmlFor = this.choice.id;
    this.choice.addEventListener("change", () => this.chosen());
    this.field.addEventListener("change", () => this.sync());
    for (const side of [this.rows, this.columns]) side.addEventListener("input", () => this.resize());
    find("[data-whole]").addEventListener("click", () => this.draw(whole(this.squares.length, this.width)));
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("pointerdown", (event) => this.down(event));
    this.grid.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.grid.addEventListener(end, () => this.up());
    this.sync();
  }

  /** Shows what the text field means. */
  sync(): void {
    const text = this.field.value.trim();
    const ready = this.ready.get(text);
    this.choice.value = ready ? text : "";
    this.drawing.hidden = !!ready;
    // A text that can't be drawn is to be seen, so that it can be put right.
    const drawn = ready ?? read(text, MOST);
    this.field.hidden = drawn !== null;
    if (drawn) this.squares = drawn.map((row) => [...row]);
    if (!ready) this.show();
  }

  private get width(): number {
    return this.squares[0]?.length ?? 0;
  }

  private chosen(): void {
    const { value } = this.choice;
    if (value) {
      this.field.value = value;
      this.sync();
    } else {
      // The last board is the first draft of one's own.
      this.drawing.hidden = false;
      this.show();
    }
  }

  private resize(): void {
    const [rows, columns] = [this.rows, this.columns].map(({ valueAsNumber }) => valueAsNumber) as [number, number];
    if (![rows, columns].every((side) => Number.isInteger(side) && side >= 1 && side <= MOST)) return;
    this.draw(sized(this.squares, rows, columns, true));
  }

  private draw(squares: Squares): void {
    this.squares = squares;
    this.show();
    this.write();
  }

  private write(): void {
    const text = written(this.squares);
    const same = [...this.ready].find(([, squares]) => written(squares) === text);
    this.field.value = same?.[0] ?? text;
    this.field.hidden = true;
    this.field.dispatchEvent(new Event("drawn", { bubbles: true }));
  }

  private show(): void {
    const { root, grid, squares, width } = this;
    for (const [side, length] of [[this.rows, squares.length], [this.columns, width]] as const) {
      if (side !== document.activeElement) side.value = String(length);
    }
    this.at = [Math.min(this.at[0], width - 1), Math.min(this.at[1], squares.length - 1)];
    grid.style.setProperty("--columns", String(width));
    this.cells = squares.map((row, y) =>
      row.map((there, x) => {
        const cell = document.createElement("div");
        cell.setAttribute("role", "gridcell");
        const said = root.dataset["board"] ?? "";
        cell.setAttribute("aria-label", said.replace("{row}", String(squares.length - y)).replace("{column}", String(x + 1)));
        cell.setAttribute("aria-selected", String(there));
        cell.tabIndex = x === this.at[0] && y === this.at[1] ? 0 : -1;
        return cell;
      }),
    );
    grid.replaceChildren(
      ...this.cells.map((cells) => {
        const row = document.createElement("div");
        row.setAttribute("role", "row");
        row.append(...cells);
        return row;
      }),
    );
  }

  private put(column: number, row: number, there: boolean): void {
    const squares = this.squares[row];
    if (!squares || squares[column] === undefined) return;
    squares[column] = there;
    this.cells[row]?.[column]?.setAttribute("aria-selected", String(there));
  }

  private settle(column: number, row: number): void {
    const cell = this.cells[row]?.[column];
    if (!cell) return;
    this.cells[this.at[1]]![this.at[0]]!.tabIndex = -1;
    this.at = [column, row];
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [column, row] = this.at;
    const way = WAYS[event.key];
    if (way) {
      event.preventDefault();
      this.settle(column + way[0], row + way[1]);
      this.cells[this.at[1]]?.[this.at[0]]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (event.repeat) return;
      this.put(column, row, !this.squares[row]?.[column]);
      this.write();
    }
  }

  /** The square under a pointer, by column and row; beyond the edge too. */
  private under({ clientX, clientY }: PointerEvent): [number, number] {
    const box = this.grid.getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    return [Math.floor(x * this.width), Math.floor(y * this.squares.length)];
  }

  private down(event: PointerEvent): void {
    const [column, row] = this.under(event);
    const there = this.squares[row]?.[column];
    if (event.button !== 0 || this.brush || there === undefined) return;
    event.preventDefault();
    this.grid.setPointerCapture(event.pointerId);
    this.brush = { there: !there, column, row };
    this.settle(column, row);
    this.put(column, row, !there);
  }

  private move(event: PointerEvent): void {
    if (!this.brush) return;
    const [column, row] = this.under(event);
    const { there, column: from, row: above } = this.brush;
    // A quick pointer leaves squares out.
    const steps = Math.max(Math.abs(column - from), Math.abs(row - above));
    for (let k = 1; k <= steps; k++) {
      this.put(Math.round(from + ((column - from) * k) / steps), Math.round(above + ((row - above) * k) / steps), there);
    }
    this.brush = { there, column, row };
  }

  private up(): void {
    if (!this.brush) return;
    this.brush = null;
    this.write();
  }
}
