import { ask } from "../asking";
import type { Board } from "../board";
import { relabel, restore } from "../labels";
import { Acts, Unanswered, type Answer } from "./acts";
import type { Host } from "./host";

type Mode = "atom" | "centre" | "brush";

/** Squares that the mouse or a finger has gone over since it was pressed. */
interface Stroke {
  readonly number: number;
  readonly places: Element[];
  /** Whether the draft shows it already. */
  shown: boolean;
}

const CONFIRMING = 4000;
const DOUBLE = 700;
const SPENT = 400;
/** Squares that are smaller on the screen, in pixels, aren't hit surely by a finger. */
const SMALL = 24;
/** Characters of an act. */
const LONGEST = 2000;
const ARROWS: Readonly<Record<string, string>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};
/** What comes next after an act. */
const MODES: Readonly<Record<string, Mode>> = { new: "centre", drop: "centre", next: "brush", largest: "brush" };

/** Where the tools lie under the board, not beside it. */
const PHONE = "(max-width: 40rem)";

const id = (place: Element) => place.getAttribute("data-place") ?? "";

/**
 * A turn that is put together on the board: where an atom goes and what is outlined. It gathers presses; what they come
 * to, which squares go with a square and whether the turn can be played, is the server's to say.
 */
export class Brush {
  private readonly acts: Acts;
  private readonly begin: HTMLElement | null;
  private mode: Mode = "brush";
  private composing = false;
  /** The place that a finger has marked with a tap and may play with another. */
  private pencilled: string | null = null;
  /** The second tap came before the answer to the first one. */
  private hurried = false;
  /** The button was pressed before the server had answered: what it said then is sent if nothing else comes. */
  private wanted: string | null = null;
  /** Whether the outline that is drawn just now has a centre, or will have one when the server has answered. */
  private centred = false;
  private stroke: Stroke | null = null;
  /** What a finger went over before it was lifted. */
  private lifted: Stroke | null = null;
  private strokes = 0;
  /** The click that follows a stroke is none. */
  private spent = false;
  private shown: Answer | null = null;
  /** The draft that was left without being sent. */
  private left = "";
  private sent = false;
  /** The table has changed since the draft was last looked at. */
  private changed = false;

  constructor(
    private readonly table: HTMLElement,
    private readonly root: HTMLElement,
    private readonly section: HTMLElement,
    private readonly board: Board,
    private readonly host: Host,
  ) {
    this.begin = section.querySelector("[data-compose]");
    this.acts = new Acts(
      (text, act) => this.post(text, act),
      (answer) => this.answered(answer),
      (said) => this.missed(said),
    );
    this.listen();
    this.reflect();
    this.advise();
  }

  private listen(): void {
    const { root, section } = this;
    root.addEventListener("pointerdown", (event) => {
      this.spent = false;
      const place = (event.target as Element).closest("[data-place]");
      if (event.pointerType === "mouse" && event.button === 0 && place && this.brushing) this.sweep(place);
    });
    root.addEventListener("pointerover", (event) => {
      const place = (event.target as Element).closest("[data-place]");
      if (event.pointerType === "mouse" && this.stroke && place) this.sweep(place);
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
    section.addEventListener("keydown", (event) => this.key(event));
    section.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("pointerup", (event) => event.pointerType === "mouse" && this.swept());
    document.addEventListener("pointercancel", () => this.unswept());
  }

  // What the table and its board tell

  /** Something happened at the table: what the draft means may have changed. */
  heard(): void {
    if (this.sent || !this.host.mine()) {
      this.stop();
      this.hush();
    } else if (this.composing || this.pencilled !== null) {
      this.changed = true;
      this.ask("");
    } else this.advise();
    this.left = "";
  }

  /** What was sent was refused: the draft stays. */
  refused(): void {
    this.sent = false;
  }

  /** Whether a press on a place is the composer's; otherwise the place is pressed as on every board. */
  takes(place: Element, finger: boolean): boolean {
    const lifted = this.lifted;
    this.lifted = null;
    if (!this.composing) return finger && this.host.may() && this.pencils(place);
    if (!this.host.may()) return true;
    this.host.notice("");
    if (lifted?.shown) return true;
    if (this.mode === "atom") this.ask(`atom:${id(place)}`);
    else if (this.mode === "centre" || !this.centred) {
      this.ask(`centre:${id(place)}`);
      this.centred = true;
      this.turn("brush");
    } else this.ask(`brush:${id(place)}`);
    return true;
  }

  /** Where a finger aims, null when it was lifted or aims no longer. */
  aim(place: Element | null): void {
    if (place && this.brushing && !this.small(place)) {
      this.lifted = null;
      this.sweep(place);
    } else if (!place && this.stroke) {
      this.lifted = this.stroke;
      const stroke = this.stroke;
      this.swept();
      // A lifted finger presses its place at once; one that was taken away doesn't.
      queueMicrotask(() => {
        if (this.lifted === stroke && stroke.shown) this.acts.unstroke(stroke.number);
        this.lifted = null;
      });
    }
  }

  reflect(): void {
    const { section, shown } = this;
    const may = this.host.may();
    const able = (selector: string, yes: boolean) => {
      for (const button of section.querySelectorAll(selector)) {
        if (yes) button.removeAttribute("aria-disabled");
        else button.setAttribute("aria-disabled", "true");
      }
    };
    able("[data-compose]", may);
    for (const button of section.querySelectorAll<HTMLElement>("[data-act]")) {
      const act = button.dataset["act"] ?? "";
      able(`[data-act=${act}]`, may && this.can(act));
    }
    able("[data-undo]", may && this.acts.undoable);
    able("[data-send]", may && typeof shown?.sends === "string");
    for (const button of section.querySelectorAll<HTMLElement>("[data-mode]")) {
      button.setAttribute("aria-pressed", String(button.dataset["mode"] === this.mode));
    }
    this.begin?.setAttribute("aria-pressed", String(this.composing));
    const works = this.composing || this.pencilled !== null;
    for (const part of section.querySelectorAll<HTMLElement>("[data-works]")) part.hidden = !works;
    for (const part of section.querySelectorAll<HTMLElement>("[data-composes]")) part.hidden = !this.composing;
    this.table.classList.toggle("composing", this.composing);
    this.table.classList.toggle("works", works);
    section.dataset["text"] = this.acts.text;
    section.toggleAttribute("data-idle", this.acts.idle);
    const button = section.querySelector<HTMLElement>("[data-send]");
    if (button && !button.hasAttribute("data-asked")) {
      const label = shown?.label || (button.dataset["label"] ?? "");
      if (button.textContent !== label) button.textContent = label;
    }
  }

  /** Whether an act without a place can be done, as far as the server has answered. */
  private can(act: string): boolean {
    return this.shown?.can.includes(act) ?? false;
  }

  private get sends(): string | null {
    return this.acts.idle ? (this.shown?.sends ?? null) : null;
  }

  private get brushing(): boolean {
    return this.composing && this.mode === "brush" && this.centred && this.host.may();
  }

  private small(place: Element): boolean {
    const { width, height } = place.getBoundingClientRect();
    return Math.min(width, height) < SMALL;
  }

  private word(name: string, place = ""): string {
    return (this.section.dataset[name] ?? "").replaceAll("{place}", place);
  }

  // Beginning and leaving

  private start(): void {
    if (!this.host.may()) return;
    const { text } = this.acts;
    this.composing = true;
    this.pencilled = null;
    this.board.compose(true);
    this.acts.begin(text || this.left);
    this.turn(this.acts.text ? "brush" : "centre");
    this.ask("");
    this.root.querySelector<HTMLElement>('[data-place][tabindex="0"]')?.focus({ preventScroll: true });
    if (matchMedia(PHONE).matches) this.root.scrollIntoView({ block: "start" });
  }

  /** Leaves the draft; what was put together is still there when it is begun again in the same turn. */
  private leave(): void {
    const left = this.composing ? this.acts.text : "";
    const inside = this.section.contains(document.activeElement);
    this.stop();
    this.advise();
    this.left = left;
    if (inside) this.begin?.focus({ preventScroll: true });
  }

  private stop(): void {
    if (!this.composing && this.pencilled === null) return;
    this.composing = false;
    this.pencilled = null;
    this.hurried = this.sent = this.changed = false;
    this.wanted = null;
    this.unswept();
    this.unask();
    this.centred = false;
    this.board.compose(false);
    this.host.hint("");
    this.hush();
  }

  /** Nothing is said or shown of a draft any more. */
  private hush(): void {
    this.shown = null;
    this.acts.begin("");
    this.board.draft({});
    this.board.fault([]);
    this.pick("");
    this.tell("", "");
    this.reflect();
  }

  /** What the table lets the mover know before anything is put together. */
  private advise(): void {
    if ("advises" in this.section.dataset && this.host.mine()) this.ask("");
  }

  private turn(mode: Mode): void {
    this.mode = mode;
    this.guide();
    this.reflect();
  }

  /** What a press does just now. */
  private guide(): void {
    if (this.pencilled !== null) return this.host.hint(this.word("pencilled", this.pencilled));
    if (!this.composing) return;
    this.host.hint(this.word(this.mode === "brush" ? (this.centred ? "brushHint" : "centre") : this.mode));
  }

  // Presses

  /** A finger's tap on a small square marks it; the second one plays. */
  private pencils(place: Element): boolean {
    if (!this.small(place)) {
      this.stop();
      return false;
    }
    if (this.pencilled === id(place)) {
      this.hurried = !this.acts.idle;
      if (!this.hurried) this.play();
      return true;
    }
    this.stop();
    // The rules say why nothing can be placed there.
    if (place.hasAttribute("aria-disabled")) return false;
    this.pencilled = id(place);
    this.host.notice("");
    this.ask(`atom:${this.pencilled}`);
    this.guide();
    this.reflect();
    return true;
  }

  private clicked(event: MouseEvent): void {
    const button = (event.target as Element).closest<HTMLElement>("button");
    if (!button || !this.section.contains(button)) return;
    const { mode, act } = button.dataset;
    if ("send" in button.dataset) this.send(button, event);
    else if ("leave" in button.dataset) this.leave();
    else if (button.getAttribute("aria-disabled") === "true") return;
    else if ("compose" in button.dataset) this.composing ? this.leave() : this.start();
    else if ("undo" in button.dataset) this.undo();
    else if (mode !== undefined) this.turn(mode as Mode);
    else if (act !== undefined) this.work(act);
  }

  private work(act: string): void {
    this.host.notice("");
    this.ask(act);
    if (act === "drop") this.centred = false;
    this.turn(MODES[act] ?? this.mode);
  }

  private undo(): boolean {
    if (!this.acts.undo()) return false;
    this.host.notice("");
    this.reflect();
    return true;
  }

  private send(button: HTMLElement, event: MouseEvent): void {
    const { shown } = this;
    if (!this.host.may()) return;
    if (typeof shown?.sends !== "string") {
      return this.host.notice(shown?.refused.map(({ say }) => say).join(" ") ?? "");
    }
    if (shown.warning) {
      button.toggleAttribute("data-asked", true);
      // The second half of a double click confirms nothing.
      if (event.detail > 1 || !relabel(button, button.dataset["confirm"] ?? "", CONFIRMING, DOUBLE)) {
        this.host.notice(shown.warning);
        return;
      }
      this.unask();
    }
    if (this.acts.idle) this.play();
    else this.wanted = shown.sends;
  }

  private unask(): void {
    const button = this.section.querySelector<HTMLElement>("[data-send]");
    if (!button) return;
    restore(button);
    button.removeAttribute("data-asked");
  }

  private play(): void {
    const { sends } = this;
    if (sends === null || !this.host.may()) return;
    this.host.notice("");
    this.sent = true;
    this.host.play(sends);
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || (!this.composing && this.pencilled === null)) return;
    const nudge = event.shiftKey ? ARROWS[event.key] : undefined;
    const place = (event.target as Element).closest("[data-place]");
    if (event.key === "Escape") this.leave();
    else if (!this.composing) return;
    else if ((event.ctrlKey || event.metaKey) && event.code === "KeyZ") this.undo();
    else if (event.ctrlKey || event.metaKey) return;
    else if (nudge && place && this.centred) this.work(nudge);
    else if ((event.key === "Delete" || event.key === "Backspace") && place && this.can("drop")) {
      this.work("drop");
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // Strokes

  private sweep(place: Element): void {
    this.stroke ??= { number: ++this.strokes, places: [], shown: false };
    const { number, places } = this.stroke;
    if (places.includes(place)) return;
    places.push(place);
    // A single square is a press, which comes when the mouse or the finger is lifted.
    if (places.length < 2) return;
    for (const one of places) one.classList.add("picked");
    const act = `brush:${places.map(id).join(".")}`;
    if (act.length > LONGEST) return;
    this.stroke.shown = true;
    this.ask(act, number);
    this.reflect();
  }

  private swept(): void {
    const { stroke } = this;
    this.stroke = null;
    if (!stroke) return;
    for (const place of stroke.places) place.classList.remove("picked");
    if (!stroke.shown) return;
    this.spent = true;
    setTimeout(() => (this.spent = false), SPENT);
  }

  private unswept(): void {
    const { stroke } = this;
    this.swept();
    if (stroke?.shown) this.acts.unstroke(stroke.number);
  }

  // What the server says

  private ask(act: string, stroke: number | null = null): void {
    this.acts.do(act, stroke);
    this.reflect();
  }

  private async post(text: string, act: string): Promise<Answer> {
    let response: Response;
    let answer: Partial<Answer>;
    try {
      response = await ask(this.table, "draft", { text, act });
      answer = (await response.json()) as Partial<Answer>;
    } catch {
      throw new Unanswered(false, this.word("unsent"));
    }
    if (response.ok) return answer as Answer;
    if (response.status >= 500 || response.status === 429) throw new Unanswered(false, this.word("unsent"));
    throw new Unanswered(true, answer.refused?.map(({ say }) => say).join(" ") ?? "");
  }

  private answered(answer: Answer): void {
    this.shown = answer;
    if (this.acts.idle) {
      this.unask();
      this.centred = answer.can.includes("largest");
    }
    // Somebody else may have taken the marked place.
    if (this.changed && !this.composing && !answer.atom) return this.stop();
    this.changed = false;
    this.board.draft(answer.marks);
    this.board.fault(answer.refused.flatMap(({ at }) => at));
    this.pick(answer.atom);
    this.tell(answer.says.join(" "), answer.refused.map(({ say }) => say).join(" "));
    this.guide();
    this.reflect();
    if (!this.acts.idle) return;
    const { hurried, wanted } = this;
    this.hurried = false;
    this.wanted = null;
    if (hurried || (wanted !== null && wanted === answer.sends)) this.play();
  }

  private missed(said: string): void {
    this.tell(this.shown?.says.join(" ") ?? "", said);
    this.reflect();
  }

  /** Marks where the atom is to go. */
  private pick(atom: string): void {
    for (const place of this.root.querySelectorAll("[data-place].seed")) place.classList.remove("seed");
    if (atom) this.root.querySelector(`[data-place="${CSS.escape(atom)}"]`)?.classList.add("seed");
  }

  private tell(says: string, faults: string): void {
    this.say("[data-draft-says]", says);
    this.say("[data-draft-faults]", faults);
    const heard = this.section.querySelector<HTMLElement>("[data-heard]");
    if (heard) heard.hidden = !says && !faults && !this.composing && this.pencilled === null;
    this.section.querySelector("[data-draft-faults]")?.classList.toggle("notice", faults !== "");
    this.table.classList.toggle("faulty", faults !== "");
  }

  private say(selector: string, text: string): void {
    const line = this.section.querySelector(selector);
    // The same sentence written again would be spoken again.
    if (line && line.textContent !== text) line.textContent = text;
  }
}
