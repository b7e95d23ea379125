import { ask } from "../asking";
import type { Board } from "../board";
import { relabel, restore } from "../labels";
import { inTab } from "../memory";
import { Draft, Grid, middle, part, type Form, type Laid, type Piece, type Spot } from "./draft";
import type { Host } from "./host";
import { Squares } from "./squares";

interface Refused {
  readonly code: string;
  readonly at: readonly string[];
  readonly say: string;
}

interface Shown {
  readonly marks: Record<string, string>;
  readonly refused: readonly Refused[];
  readonly sends: string | null;
  readonly label: string;
  readonly panel: number;
  readonly says: readonly string[];
  readonly warning: string;
  /** What to say to a press on a board that isn't the draft's. */
  readonly elsewhere: string;
}

interface Drag {
  readonly pointer: number;
  readonly id: string;
  /** The piece on the board that is dragged; null: one from the tray. */
  readonly laid: Laid | null;
  readonly form: number;
  /** The square of the piece that stays under the pointer. */
  readonly grip: Spot;
  readonly x: number;
  readonly y: number;
  /** The place where the press began, if it was one of the board. */
  readonly place: Element | null;
  moved: boolean;
  to: Spot | null;
}

const EDITING = 40;
const HEARING = 150;
const RETRY = 1500;
const AGAIN = 4000;
const SPENT = 400;
const CONFIRMING = 4000;
const DOUBLE = 700;
/** How far a pointer moves before a press is a drag, in pixels of the screen. */
const DRAGGED = 6;
/** How far beside the squares a piece may be dragged before it leaves the board, in squares. */
const BESIDE = 1;
/** Characters of a draft. */
const LONGEST = 2000;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Where the tray stays on the screen while the page is scrolled. */
const DOCKED = "(max-width: 40rem) and (min-height: 35rem)";
const NUDGES: Readonly<Record<string, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

const numbers = (text: string | undefined) => (text ?? "").split(/[\s,]+/).map(Number);

function formOf({ dataset }: HTMLElement): Form {
  const [width = 1, height = 1] = numbers(dataset["size"]);
  const covers = (dataset["covers"] ?? "").split(" ").map((spot) => {
    const [column = 0, row = 0] = numbers(spot);
    return { column, row };
  });
  return { width, height, covers, turned: Number(dataset["turned"]), flipped: Number(dataset["flipped"]) };
}

/**
 * Pieces of the tray on the board, by mouse, finger and keys. It gathers a draft's text; what the draft looks like and
 * means is the server's to say.
 */
export class Tray {
  private readonly buttons = new Map<string, HTMLElement>();
  private readonly forms = new Map<string, number>();
  private readonly draft: Draft;
  private readonly panels: Squares[];
  private readonly ghost: HTMLElement;
  private readonly tracer: HTMLInputElement | null;
  private panel = -1;
  /** The piece of the tray that presses lay. */
  private tool: string | null = null;
  private drag: Drag | null = null;
  /** The click that follows a drag, or a press that was dealt with, is none. */
  private spent = false;
  private again: { place: Element; at: number } | null = null;
  private trace = "";
  private shown: Shown | null = null;
  private number = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saved: string;
  private wasOver: boolean;

  constructor(
    private readonly table: HTMLElement,
    private readonly root: HTMLElement,
    private readonly section: HTMLElement,
    private readonly board: Board,
    private readonly host: Host,
  ) {
    const pieces = new Map<string, Piece>();
    for (const button of section.querySelectorAll<HTMLElement>("[data-piece]")) {
      const id = button.dataset["piece"] ?? "";
      const forms = [...button.querySelectorAll<HTMLElement>(".form")].map(formOf);
      pieces.set(id, { id, once: "once" in button.dataset, forms });
      this.buttons.set(id, button);
      this.forms.set(id, 0);
    }
    this.panels = [...root.querySelectorAll<SVGSVGElement>("[data-panel]")]
      .sort((a, b) => Number(a.dataset["panel"]) - Number(b.dataset["panel"]))
      .map((panel) => new Squares(panel));
    this.draft = new Draft(pieces, this.panels[0]?.grid ?? new Grid([]));
    this.saved = section.dataset["draft"] ?? "";
    this.draft.begin(this.saved);
    this.tracer = section.querySelector("[data-trace]");
    this.wasOver = host.over();
    this.ghost = document.createElement("div");
    this.ghost.className = "ghost";
    this.ghost.hidden = true;
    root.append(this.ghost);
    this.listen();
    this.reflect();
    this.ask(0);
  }

  private listen(): void {
    const { root, section } = this;
    root.addEventListener("pointerdown", (event) => this.grab(event), { capture: true });
    root.addEventListener("touchstart", (event) => this.drag && event.cancelable && event.preventDefault(), {
      capture: true,
      passive: false,
    });
    root.addEventListener(
      "click",
      (event) => {
        if (this.spent) event.stopImmediatePropagation();
        this.spent = false;
      },
      { capture: true },
    );
    root.addEventListener("keydown", (event) => this.key(event), { capture: true });
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.aim((event.target as Element).closest("[data-lay]"));
    });
    root.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.aim(null));
    root.addEventListener("focusin", (event) => this.aim((event.target as Element).closest("[data-lay]")));
    root.addEventListener("focusout", () => this.aim(null));
    section.addEventListener("keydown", (event) => this.key(event));
    section.addEventListener("pointerdown", (event) => this.take(event));
    section.addEventListener("click", (event) => this.clicked(event));
    section.addEventListener(
      "touchend",
      (event) => {
        // A finger's press was dealt with when it was lifted: what moves under it meanwhile isn't to be clicked.
        if ((event.target as Element).closest("[data-piece]") && event.cancelable) event.preventDefault();
      },
      { passive: false },
    );
    section.addEventListener("change", (event) => this.changed(event.target as HTMLInputElement));
    for (const element of [root, section]) {
      element.addEventListener("contextmenu", (event) => this.drag && event.preventDefault());
    }
    document.addEventListener("pointermove", (event) => this.moved(event));
    document.addEventListener("pointerup", (event) => this.dropped(event, false));
    document.addEventListener("pointercancel", (event) => this.dropped(event, true));
    document.addEventListener("pointerdown", (event) => {
      // A second finger takes the drag back.
      if (this.drag && event.pointerId !== this.drag.pointer) this.letGo();
    });
  }

  // What the table and its board tell

  /** Something happened at the table: what the draft means may have changed. */
  heard(): void {
    if (this.host.over() && !this.wasOver) {
      this.wasOver = true;
      if (this.tracer) this.tracer.checked = true;
      const label = this.section.querySelector<HTMLElement>("[data-over]");
      if (label) label.textContent = label.dataset["over"] ?? "";
      this.hold(null);
    } else if (!this.host.over() && this.wasOver) {
      // A practice board was set back: ports are to be asked again.
      this.wasOver = false;
      if (this.tracer) this.tracer.checked = false;
    }
    this.ask(HEARING);
  }

  /** The screen was passed on from one seat (if one looked) to another: each has a draft that others don't see. */
  passed(from: string | undefined, to: string): void {
    const name = (seat: string) => `draft.${this.table.dataset["at"]}.${seat}`;
    // Unless the server has said which board it is for, this is no news about a draft that is kept.
    if (from !== undefined && (this.panel >= 0 || inTab(name(from)) === null)) {
      inTab(name(from), `${this.panel} ${this.draft.text}`);
    }
    const [, panel, text] = /^(-?\d+) (.*)$/.exec(inTab(name(to)) ?? "") ?? [];
    // If the seat has another board before it by now, as after its mine was hidden, the answer clears this.
    this.panel = Number(panel ?? -1);
    this.draft.grid = this.squares?.grid ?? this.draft.grid;
    this.draft.begin(text ?? (from === undefined ? this.draft.text : ""));
    this.saved = this.draft.text;
    this.tool = null;
    this.trace = "";
    // How somebody has turned a piece may be how it lies in what they have hidden.
    for (const id of this.forms.keys()) this.forms.set(id, 0);
    this.board.draft({});
    this.reflect();
    this.ask(0);
  }

  /** Whether a press on a place is the composer's; otherwise the place is pressed as on every board. */
  takes(place: Element): boolean {
    if (!this.host.live()) return false;
    const lay = place.getAttribute("data-lay");
    if (lay === null && this.tracer?.checked) {
      this.trace = place.getAttribute("data-place") ?? "";
      this.ask(0);
      return true;
    }
    if (this.beside(place)) {
      const elsewhere = this.panel < 0 ? "" : this.shown?.elsewhere;
      if (elsewhere) this.host.hint(elsewhere);
      return this.panel < 0 || Boolean(elsewhere);
    }
    if (lay === null) return false;
    const spot = this.squares?.grid.spot(lay);
    if (!spot) return false;
    if (this.tool !== null) {
      this.host.hint("");
      this.press(this.tool, spot);
      return true;
    }
    const there = this.hidden ? undefined : this.draft.at(spot).find(({ id }) => this.draft.pieces.get(id)?.once);
    if (there && there !== this.draft.chosen) {
      this.choose(there);
      return true;
    }
    return !this.twice(place);
  }

  /** Where a finger aims or the focus is: there a tool that is taken shows how it would lie. */
  aim(place: Element | null): void {
    if (this.drag?.moved) return;
    const form = this.tool === null ? undefined : this.draft.form({ id: this.tool, form: this.held(this.tool) });
    const here = place && !this.beside(place) ? place.getAttribute("data-lay") : null;
    const spot = here === null ? null : this.squares?.grid.spot(here);
    if (!form || !spot || this.tool === null) return this.show(null);
    const grip = middle(form);
    const to = this.draft.grid.fit(form, { column: spot.column - grip.column, row: spot.row - grip.row });
    this.show(to && { id: this.tool, form: this.held(this.tool), ...to });
  }

  /** Keeps what isn't kept yet while the page goes away. */
  leave(): void {
    if (!this.keeps || this.draft.text === this.saved || this.host.closed()) return;
    const body = new Blob([JSON.stringify({ text: this.draft.text })], { type: "application/json" });
    if (navigator.sendBeacon(`${this.address}/save`, body)) this.saved = this.draft.text;
  }

  reflect(): void {
    const { section, draft } = this;
    const able = (selector: string, yes: boolean) => {
      for (const button of section.querySelectorAll(selector)) {
        if (yes) button.removeAttribute("aria-disabled");
        else button.setAttribute("aria-disabled", "true");
      }
    };
    const holds = this.tool ?? draft.chosen?.id;
    const forms = holds === undefined ? undefined : draft.pieces.get(holds)?.forms;
    able("[data-handle=turn], [data-handle=flip]", (forms?.length ?? 0) > 1);
    able("[data-handle=left], [data-handle=right], [data-handle=up], [data-handle=down]", draft.chosen !== null);
    able("[data-handle=remove]", draft.chosen !== null);
    able("[data-tool=undo]", draft.undoable);
    able("[data-tool=clear]", draft.laid.length > 0);
    able("[data-tool=save]", draft.text !== this.saved);
    able("[data-send]", this.host.may());
    for (const [id, button] of this.buttons) {
      const only = draft.only(id);
      button.setAttribute("aria-pressed", String(id === this.tool));
      button.classList.toggle("laid", only !== undefined);
      const number = only?.form ?? this.held(id);
      for (const form of button.querySelectorAll<HTMLElement>(".form")) {
        form.hidden = Number(form.dataset["form"]) !== number;
      }
    }
    this.mark();
  }

  /** The board of the draft; of several none before the server has said which. */
  private get squares(): Squares | undefined {
    return this.panels[this.panels.length > 1 ? this.panel : 0];
  }

  private get address(): string {
    return `${this.table.dataset["at"] ?? location.pathname}/draft`;
  }

  private get keeps(): boolean {
    return "keeps" in this.section.dataset;
  }

  private get hidden(): boolean {
    return this.table.classList.contains("no-pieces");
  }

  /** Whether a place is on another board than the draft's. */
  private beside(place: Element): boolean {
    return place.closest("[data-panel]") !== this.squares?.panel;
  }

  private held(id: string): number {
    return this.forms.get(id) ?? 0;
  }

  private word(name: string, fact: string, value: string): string {
    return (this.section.dataset[name] ?? "").replace(`{${fact}}`, value);
  }

  private title(id: string): string {
    return this.buttons.get(id)?.getAttribute("aria-label") ?? id;
  }

  // Presses

  /** Whether this is the second press on a place, soon after the first. */
  private twice(place: Element): boolean {
    const { again } = this;
    const now = Date.now();
    this.again = null;
    this.choose(null);
    this.host.hint("");
    if (again?.place === place && now - again.at < AGAIN) return true;
    this.again = { place, at: now };
    if (!this.host.may() || place.hasAttribute("aria-disabled")) return false;
    const text = this.word("again", "place", place.getAttribute("data-lay") ?? "");
    this.host.hint(text);
    setTimeout(() => this.again?.at === now && this.host.hint(""), AGAIN);
    return false;
  }

  /** Lays a piece so that its middle lies on a square. */
  private press(id: string, spot: Spot): void {
    const form = this.draft.form({ id, form: this.held(id) });
    if (!form || this.draft.text.length > LONGEST - 8) return;
    const grip = middle(form);
    this.draft.lay(id, this.held(id), { column: spot.column - grip.column, row: spot.row - grip.row });
    if (this.draft.pieces.get(id)?.once) this.hold(null, true);
    this.edited();
  }

  private hold(id: string | null, kept = false): void {
    this.tool = id;
    this.again = null;
    if (!kept) this.draft.chosen = null;
    if (id === null) this.show(null);
    this.tell(id === null ? "" : this.word("taken", "piece", this.title(id)));
    this.reflect();
  }

  private choose(laid: Laid | null): void {
    if (laid === this.draft.chosen) return;
    this.draft.chosen = laid;
    this.again = null;
    this.tell(laid ? this.word("chosen", "piece", this.title(laid.id)) : "");
    this.reflect();
  }

  private edited(): void {
    this.again = null;
    this.host.notice("");
    this.reflect();
    this.ask(EDITING);
  }

  private handle(how: string): void {
    const { draft, tool } = this;
    const nudge = NUDGES[how];
    if (nudge) {
      if (draft.nudge(...nudge)) this.edited();
      return;
    }
    if (how === "remove") {
      if (draft.remove()) this.edited();
      return;
    }
    const way = how === "turn" ? "turned" : "flipped";
    if (tool !== null) {
      this.forms.set(tool, draft.form({ id: tool, form: this.held(tool) })?.[way] ?? 0);
      this.aim(document.activeElement?.closest("[data-lay]") ?? null);
      this.reflect();
    } else if (draft.reform(way)) {
      if (draft.chosen) this.forms.set(draft.chosen.id, draft.chosen.form);
      this.edited();
    }
  }

  private key(event: KeyboardEvent): void {
    const { draft } = this;
    const done = () => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    if (event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.code !== "KeyZ" || !draft.undo()) return;
      done();
      return this.edited();
    }
    const arrow = ARROWS[event.key];
    const holds = this.tool !== null || draft.chosen !== null;
    if (event.key === "Escape" && holds) {
      this.hold(null);
      done();
    } else if (arrow && event.shiftKey && draft.chosen) {
      if (draft.nudge(...arrow)) this.edited();
      done();
    } else if ((event.key === "Delete" || event.key === "Backspace") && draft.chosen) {
      this.handle("remove");
      done();
    } else if ((event.code === "KeyR" || event.code === "KeyF") && holds) {
      this.handle(event.code === "KeyR" ? "turn" : "flip");
      done();
    }
  }

  private clicked(event: MouseEvent): void {
    if (this.spent) {
      this.spent = false;
      return;
    }
    const button = (event.target as Element).closest<HTMLElement>("button");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const { piece, handle, tool } = button.dataset;
    if (piece !== undefined) this.pick(piece, event.detail === 0);
    else if (handle !== undefined) this.handle(handle);
    else if (tool !== undefined) this.work(tool, button);
    else if ("send" in button.dataset) this.send(button, event);
  }

  /** A piece of the tray was pressed: it is taken, or chosen where it lies. */
  private pick(id: string, byKey: boolean): void {
    const only = this.draft.only(id);
    if (only) {
      this.tool = null;
      this.choose(only);
    } else this.hold(this.tool === id ? null : id);
    if (matchMedia(DOCKED).matches) this.squares?.panel.closest(".leaf")?.scrollIntoView({ block: "nearest" });
    if (!byKey || (!only && this.tool === null)) return;
    const { squares } = this;
    if (!squares) return;
    const here = only ? undefined : squares.places.find((place) => place.getAttribute("tabindex") === "0");
    const { columns, rows } = squares.grid;
    const spot = only ?? { column: Math.floor(columns / 2), row: Math.floor(rows / 2) };
    (here ?? squares.place(spot))?.focus();
  }

  private work(tool: string, button: HTMLElement): void {
    const { draft, table } = this;
    if (tool === "save") void this.save();
    else if (tool === "undo" ? draft.undo() : tool === "clear" && draft.clear()) this.edited();
    else if (tool === "pieces" || tool === "controls") {
      const hidden = table.classList.toggle(tool === "pieces" ? "no-pieces" : "no-controls");
      button.setAttribute("aria-pressed", String(!hidden));
      this.hold(null);
    }
  }

  private changed(field: HTMLInputElement): void {
    if ("answers" in field.dataset) this.table.classList.toggle("no-answers", !field.checked);
    if (!("trace" in field.dataset)) return;
    if (field.checked) this.hold(null);
    this.host.hint(field.checked ? (this.section.dataset["tracing"] ?? "") : "");
    this.trace = "";
    this.ask(0);
  }

  private send(button: HTMLElement, event: MouseEvent): void {
    const { shown } = this;
    if (!shown?.sends || !this.host.may()) return;
    const confirm = button.dataset["confirm"] ?? "";
    // The second half of a double click confirms nothing.
    if (event.detail > 1 || !relabel(button, confirm, CONFIRMING, DOUBLE)) {
      this.host.notice(shown.warning);
      return;
    }
    restore(button);
    this.host.notice("");
    this.host.play(shown.sends);
  }

  // Drags

  private grab(event: PointerEvent): void {
    this.spent = false;
    if (!event.isPrimary || event.button > 0 || this.tool !== null || this.hidden || !this.host.live()) return;
    const at = this.squares?.at(event.clientX, event.clientY);
    const spot = at && { column: Math.floor(at.column), row: Math.floor(at.row) };
    const laid = spot && this.draft.at(spot)[0];
    if (!spot || !laid) return;
    // The board isn't to aim with this finger.
    event.stopPropagation();
    const grip = { column: spot.column - laid.column, row: spot.row - laid.row };
    const place = this.squares?.place(spot) ?? null;
    this.begin(event, laid.id, laid, laid.form, grip, place);
  }

  private take(event: PointerEvent): void {
    this.spent = false;
    const button = (event.target as Element).closest<HTMLElement>("[data-piece]");
    const id = button?.dataset["piece"];
    if (!button || id === undefined || !event.isPrimary || event.button > 0 || !this.host.live()) return;
    const laid = this.draft.only(id) ?? null;
    const number = laid?.form ?? this.held(id);
    const form = this.draft.form({ id, form: number });
    const box = button.querySelector(".form:not([hidden]) svg")?.getBoundingClientRect();
    if (!form || !box) return;
    const within = (at: number, from: number, size: number, count: number) =>
      Math.max(0, Math.min(count - 1, Math.floor(((at - from) / size) * count)));
    const column = within(event.clientX, box.left, box.width, form.width);
    const row = within(event.clientY, box.top, box.height, form.height);
    this.begin(event, id, laid, number, { column, row }, null);
  }

  private begin(
    event: PointerEvent,
    id: string,
    laid: Laid | null,
    form: number,
    grip: Spot,
    place: Element | null,
  ): void {
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    this.drag = { pointer, id, laid, form, grip, x, y, place, moved: false, to: null };
  }

  private moved(event: PointerEvent): void {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAGGED) return;
      drag.moved = true;
      this.hold(null);
      this.table.classList.add("dragging");
      if (drag.laid) this.board.dim(this.mine(drag.laid));
    }
    const { squares } = this;
    const at = squares?.at(event.clientX, event.clientY);
    const form = this.draft.form(drag);
    if (!squares || !at || !form) return;
    const { columns, rows } = squares.grid;
    const beside =
      at.column < -BESIDE || at.column > columns + BESIDE || at.row < -BESIDE || at.row > rows + BESIDE;
    const corner = { column: Math.floor(at.column) - drag.grip.column, row: Math.floor(at.row) - drag.grip.row };
    drag.to = beside ? null : squares.grid.fit(form, corner);
    const free = { column: at.column - drag.grip.column - 0.5, row: at.row - drag.grip.row - 0.5 };
    this.show({ id: drag.id, form: drag.form, ...(drag.to ?? free) }, drag.to === null);
  }

  private dropped(event: PointerEvent, cancelled: boolean): void {
    const { drag, draft } = this;
    if (drag?.pointer !== event.pointerId) return;
    this.drag = null;
    if (!drag.moved) {
      // A mouse's press on the tray is a click; after a finger's drag browsers may hold the next click back.
      if (cancelled || (!drag.place && event.pointerType === "mouse")) return;
      this.spend();
      if (!drag.place) this.pick(drag.id, false);
      else if (!this.takes(drag.place)) this.board.press(drag.place);
      return;
    }
    this.spend();
    this.table.classList.remove("dragging");
    this.board.dim(null);
    if (cancelled) return this.show(null);
    draft.chosen = drag.laid;
    if (drag.to && drag.laid) draft.put(drag.form, drag.to);
    else if (drag.to) draft.lay(drag.id, drag.form, drag.to);
    else if (drag.laid) draft.remove();
    if (!drag.to) this.show(null);
    this.edited();
  }

  /** The click that may follow was dealt with. */
  private spend(): void {
    this.spent = true;
    setTimeout(() => (this.spent = false), SPENT);
  }

  private letGo(): void {
    this.drag = null;
    this.table.classList.remove("dragging");
    this.board.dim(null);
    this.show(null);
  }

  // What is seen

  private mine(laid: Laid): string {
    return `${Math.max(0, this.panel)}.draft/${part(this.draft.grid, laid)}`;
  }

  /** Marks the chosen piece. */
  private mark(): void {
    this.board.choose(this.draft.chosen && this.mine(this.draft.chosen));
  }

  /** The picture of a piece on the board before the server has drawn it there. */
  private show(laid: Laid | null, off = false): void {
    const { ghost, squares } = this;
    const picture = laid && this.buttons.get(laid.id)?.querySelector(`.form[data-form="${laid.form}"] svg`);
    const form = laid && this.draft.form(laid);
    const corner = laid && squares?.screen(laid);
    ghost.hidden = !picture || !form || !corner;
    if (!picture || !form || !corner) return;
    const wanted = `${laid.id}${laid.form}`;
    if (ghost.dataset["piece"] !== wanted) {
      ghost.replaceChildren(picture.cloneNode(true));
      ghost.dataset["piece"] = wanted;
    }
    ghost.classList.toggle("off", off);
    const px = (name: string, value: number) => ghost.style.setProperty(name, `${value.toFixed(1)}px`);
    px("left", corner.x);
    px("top", corner.y);
    px("width", form.width * corner.size);
    px("height", form.height * corner.size);
  }

  // What the server says

  private ask(wait: number): void {
    clearTimeout(this.timer);
    const number = ++this.number;
    this.timer = setTimeout(() => void this.fetch(number), wait);
  }

  private async fetch(number: number): Promise<void> {
    if (this.host.closed()) return;
    const body = { text: this.draft.text, ...(this.trace ? { act: this.trace } : {}) };
    try {
      const response = await ask(this.table, "draft", body);
      const answer = (await response.json()) as Partial<Shown>;
      if (number !== this.number) return;
      if (response.ok) return this.answered(answer as Shown);
      if (response.status < 500 && response.status !== 429) {
        return this.answered({ marks: {}, sends: null, label: "", panel: this.panel, says: [], warning: "", elsewhere: "", refused: answer.refused ?? [] });
      }
    } catch {
      // Asked again below.
    }
    if (number !== this.number) return;
    this.say([this.section.dataset["unsent"] ?? ""]);
    this.ask(RETRY);
  }

  private answered(shown: Shown): void {
    if (shown.panel !== this.panel) {
      const first = this.panel < 0;
      this.panel = shown.panel;
      this.draft.grid = this.squares?.grid ?? this.draft.grid;
      // What was put together for another board means nothing on this one.
      if (!first) {
        this.draft.begin("");
        void this.save();
        this.reflect();
        return this.ask(0);
      }
    }
    this.panels.forEach(({ panel }, number) => panel.closest(".leaf")?.classList.toggle("active", number === this.panel));
    this.shown = shown;
    this.board.draft(shown.marks);
    this.board.fault(shown.refused.flatMap(({ at }) => at));
    if (!this.drag?.moved && this.tool === null) this.show(null);
    const idle = shown.sends === null && !shown.refused.length && this.keeps && !this.host.over();
    this.say([...shown.says, ...(idle ? [this.section.dataset["unfinished"] ?? ""] : [])]);
    const faults = this.section.querySelector<HTMLElement>("[data-draft-faults]");
    if (faults) {
      faults.textContent = shown.refused.map(({ say }) => say).join(" ");
      faults.hidden = !shown.refused.length;
    }
    const button = this.section.querySelector<HTMLElement>("[data-send]");
    if (button) {
      restore(button);
      button.hidden = shown.sends === null;
      if (button.textContent !== shown.label) button.textContent = shown.label;
    }
    this.section.dataset["text"] = this.draft.text;
    this.reflect();
  }

  /** What the hand holds, in a line that has its room whether or not it says something. */
  private tell(text: string): void {
    const line = this.section.querySelector("[data-tray-hint]");
    if (line && line.textContent !== text) line.textContent = text;
  }

  private say(says: readonly string[]): void {
    const line = this.section.querySelector("[data-draft-says]");
    const said = says.join(" ");
    if (line && line.textContent !== said) line.textContent = said;
  }

  private async save(): Promise<void> {
    if (!this.keeps || this.host.closed()) return;
    const { text } = this.draft;
    try {
      const response = await ask(this.table, "draft/save", { text });
      const answer = (await response.json()) as { say?: string; refused?: Refused[] };
      if (response.ok) this.saved = text;
      if (response.ok) this.tell(answer.say ?? "");
      else this.host.notice((answer.refused ?? []).map(({ say }) => say).join(" "));
    } catch {
      this.host.notice(this.section.dataset["unsent"] ?? "");
    }
    this.reflect();
  }
}
