import { ask, looks, written } from "./asking";
import { Attention } from "./attention";
import { Board } from "./board";
import { Clocks, type Clock } from "./clocks";
import type { Brush } from "./compose/brush";
import type { Tray } from "./compose/tray";
import { Hint } from "./hint";
import { Curtain } from "./curtain";
import { History, type TableEvent } from "./history";
import { relabel, restore } from "./labels";
import { remember, remembered } from "./memory";
import { fill, made } from "./policy";
import { Practice } from "./practice";
import { Renewal } from "./renewal";
import { Stack } from "./stack";
import { randomId, Socket, type Answer, type Command } from "./socket";

interface Message extends Answer, Partial<TableEvent> {
  applied?: number;
  duplicate?: number;
  conflict?: boolean;
  refused?: { code: string; at: string[]; say: string }[];
  played?: string;
  /** The server's time, in milliseconds since 1970, and the build of Kletka that it runs. */
  now?: number;
  build?: string;
  clock?: Clock;
}

const PATIENCE = 1000;
const CONFIRMING = 4000;
const DOUBLE = 700;
/** Presses closer together than this, in milliseconds, are one. */
const ONCE = 300;
/** How often in a row the server may leave out what it was asked for. */
const TRIES = 3;
/** Texts that somebody types. */
const TYPED = "textarea, input:not([type]), input[type=text], input[type=search]";
const TABLE = /^\/[a-z]{2}\/t\/[\w-]+$/;

/** What a button's command is about. What is taken back is what is seen: the newest position that is here. */
function asked({ what, offer, level }: DOMStringMap, base: number): Record<string, string | number> {
  return {
    ...(what === undefined ? {} : { what, base }),
    ...(offer === undefined ? {} : { offer: Number(offer) }),
    ...(level === undefined ? {} : { level: Number(level) }),
  };
}

/** Refusals after which the server closes the line, and would again. */
const SHUT = new Set(["sealed", "no_table"]);
/** Refusals of a greeting for which the server has no room just now. */
const FULL = new Set(["too_many", "too_fast"]);

/** A table: the server's page kept up to date by events, its presses sent as commands. */
export class KletkaTable extends HTMLElement {
  /** What compound moves are put together with; loaded only for pages that have any. */
  static composers: { readonly Tray?: typeof Tray; readonly Brush?: typeof Brush } = {};
  private board: Board | null = null;
  private tray: Tray | null = null;
  private brush: Brush | null = null;
  private advice: Hint | null = null;
  private socket: Socket<Message> | Practice<Message> | null = null;
  private readonly history = new History();
  private loading: Promise<void> | null = null;
  private readonly heardParts = new Map<string, string>();
  private version = 0;
  private shown = 0;
  /** The server drew an earlier version, and the newest one hasn't been seen. */
  private unread = false;
  private base = 0;
  /** Applied, but its event hasn't been heard yet: pressing now would be too early. */
  private due = 0;
  private moved = 0;
  /** What is still to be played of a chain that one press began. */
  private chain: readonly string[] = [];
  private formSent: string | null = null;
  /** A move that waits for the second press. */
  private held: { move: string; then: readonly string[]; at: number } | null = null;
  /** Events that came before the one they follow. */
  private readonly early = new Map<number, TableEvent>();
  /** The newest version that the server has spoken of. */
  private told = 0;
  private greeted = false;
  private tries = 0;
  /** What waits for its answer was asked while the connection was away. */
  private late = false;
  /** The refusal that is shown concerns something that was done long ago: it stays until the next press. */
  private kept = false;
  /** The refusal that is shown is that there is no room. */
  private full = false;
  private clocks: Clocks | null = null;
  private curtain: Curtain | null = null;
  private attention: Attention | null = null;
  private renewal: Renewal | null = null;
  private away: ReturnType<typeof setTimeout> | undefined;
  private behind: ReturnType<typeof setTimeout> | undefined;
  private leaving: AbortController | null = null;

  connectedCallback(): void {
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    if (!this.board) this.begin();
    this.addEventListener("click", (event) => this.clicked(event), { signal });
    this.querySelector("details:has([data-twin])")?.addEventListener("toggle", () => void this.twin(), { signal });
    this.addEventListener("submit", (event) => this.submitted(event), { signal });
    addEventListener("resize", () => this.board?.resized(), { signal });
    addEventListener("pagehide", () => this.tray?.leave(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && this.tray?.leave(), { signal });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.unhold(), { signal });
    if (!this.socket) return;
    this.socket.start();
    addEventListener("online", () => this.socket?.probe(), { signal });
    document.addEventListener("visibilitychange", () => this.looked(), { signal });
    // Browsers keep a page for going back only without open connections.
    addEventListener("pagehide", () => this.socket?.stop(), { signal });
    addEventListener("pageshow", (event) => this.returned(event.persisted), { signal });
  }

  disconnectedCallback(): void {
    this.leaving?.abort();
    this.socket?.stop();
    this.clocks?.stop();
  }

  private looked(): void {
    if (!document.hidden) {
      this.clocks?.tick();
      this.socket?.probe();
      this.attention?.seen();
    }
    this.renewal?.consider();
  }

  private returned(persisted: boolean): void {
    if (persisted) {
      this.connection("lost");
      this.curtain?.fall();
    }
    this.socket?.start();
    this.socket?.probe();
    this.clocks?.tick();
  }

  /** Sets a practice board to where these moves lead. */
  describe(moves: readonly string[]): void {
    this.dataset["moves"] = written(moves);
    this.chain = [];
    this.socket?.hello();
    this.reflect();
  }

  /** Marks what an engine advises, until something happens. */
  advise(marks: Readonly<Record<string, string>>): void {
    this.board?.advise(marks);
  }

  private get live(): boolean {
    return this.shown === this.version;
  }

  private get mine(): boolean {
    const { seat, to } = this.dataset;
    return seat !== undefined && to !== undefined && to !== "" && seat === to;
  }

  private get over(): boolean {
    return this.dataset["over"] !== undefined;
  }

  private get pairing(): HTMLElement | null {
    return this.querySelector<HTMLElement>("[data-pair]");
  }

  private get wholeChains(): HTMLInputElement | null {
    return this.querySelector<HTMLInputElement>("[data-chains]");
  }

  private begin(): void {
    const { version, base, shown, socket, practice } = this.dataset;
    this.attention = new Attention(this);
    this.version = Number(version ?? 0);
    this.shown = Number(shown ?? this.version);
    this.unread = !this.live;
    this.base = Number(base ?? this.version);
    const board = this.querySelector<HTMLElement>("[data-board]");
    if (board) {
      this.board = new Board(board, {
        may: () => this.mine && this.live && !this.busy("move"),
        play: (move, then) => this.hold(move, then),
        ask: (move) => this.ask(move),
        takes: (place, finger) => this.tray?.takes(place) ?? this.brush?.takes(place, finger) ?? false,
        aims: (place) => {
          this.tray?.aim(place);
          this.brush?.aim(place);
        },
      });
      this.board.zoomed = (larger, smaller) => {
        this.enable("[data-zoom=in]", larger);
        this.enable("[data-zoom=out]", smaller);
      };
      this.board.zoomed(true, false);
      const hint = this.querySelector<HTMLElement>("[data-hint]");
      this.board.paired = (named) => {
        this.pairing?.setAttribute("aria-pressed", String(named !== null));
        this.hint(named === null ? "" : ((named ? this.pairing?.dataset["other"] : this.pairing?.dataset["one"]) ?? ""));
      };
      const back = this.querySelector<HTMLElement>("[data-zoom=out]");
      const smaller = back?.textContent ?? "";
      this.board.entering = (block) => {
        if (back) back.textContent = block ? (back.dataset["whole"] ?? smaller) : smaller;
        this.hint(block ? (hint?.dataset["entered"] ?? "").replace("{board}", block) : "");
      };
      new Stack(this, board, (looking) => {
        this.board?.look(looking);
        this.hint(looking ? (hint?.dataset["look"] ?? "") : "");
      });
      this.advice = new Hint(this, this.board, (text) => this.notice(text));
      const tray = this.querySelector<HTMLElement>("[data-tray]");
      const brush = this.querySelector<HTMLElement>("[data-brush]");
      const host = {
        may: () => this.mine && this.live && !this.busy("move"),
        mine: () => this.mine,
        live: () => this.live && !this.curtain?.closed,
        over: () => this.over,
        closed: () => this.curtain?.closed ?? false,
        play: (move: string) => void this.move(move),
        hint: (text: string) => this.hint(text),
        notice: (text: string) => this.notice(text),
      };
      const { Tray, Brush } = KletkaTable.composers;
      if (tray && Tray) this.tray = new Tray(this, board, tray, this.board, host);
      if (brush && Brush) this.brush = new Brush(this, board, brush, this.board, host);
    }
    const numbers = this.querySelector<HTMLElement>("[data-numbers]");
    if (numbers) {
      const show = (shown: boolean) => {
        numbers.setAttribute("aria-pressed", String(shown));
        this.classList.toggle("numbered", shown);
      };
      show(remembered("numbers") === "1");
      numbers.addEventListener("click", () => {
        const shown = !this.classList.contains("numbered");
        show(shown);
        remember("numbers", shown ? "1" : "0");
      });
    }
    const chains = this.wholeChains;
    if (chains) {
      chains.checked = remembered("chains") === "1";
      chains.addEventListener("change", () => remember("chains", chains.checked ? "1" : "0"));
    }
    if (socket) {
      const address = new URL(socket, location.href);
      address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
      const wire = (this.socket = new Socket<Message>(address.href, {
        hello: () => ({
          do: "hello",
          since: this.version,
          lang: this.dataset["lang"],
          token: this.dataset["token"] || undefined,
          seat: looks(this) === null || this.curtain?.down ? undefined : looks(this),
        }),
        heard: (message, command, took) => this.heard(message, command, took),
        live: (state) => this.connection(state),
      }));
      this.clocks = new Clocks(this, () => wire.probe());
      this.curtain = new Curtain(this, { look: () => wire.tell({ do: "look" }), changed: () => this.reflect() });
      this.renewal = new Renewal(this, () => this.idle);
    } else if (practice !== undefined) {
      this.socket = new Practice<Message>(this, {
        heard: (message, command) => this.heard(message, command),
        live: (state) => this.connection(state),
      });
    }
    this.reflect();
    this.progress();
  }

  // What comes in

  private heard(message: Message, command: Command | undefined, took?: number): void {
    try {
      if (message.v !== undefined) this.hear(message as TableEvent);
    } catch {
      this.renewal?.puzzled(this.version);
    }
    if (command) this.answered(message, command);
    else if (message.refused?.some(({ code }) => SHUT.has(code))) this.shut(message.refused);
    else if (!this.greeted && message.refused?.some(({ code }) => FULL.has(code))) this.crowded(message.refused);
    const version = message.here ?? message.pong;
    if (version !== undefined) this.stands(version, message, took);
    if (!this.busy("move")) this.board?.mark("waits", null);
    if (!this.busy()) this.late = false;
    this.settle();
    this.carryOn();
    this.reflect();
    this.renewal?.consider();
  }

  /** There is nothing here to look at (any more): asking again would change nothing. */
  private shut(reasons: readonly { say: string }[]): void {
    this.socket?.stop();
    clearTimeout(this.away);
    this.notice(reasons.map(({ say }) => say).join(" "));
  }

  /** There is no room: the page says so instead of that the connection is lost, and asks again later. */
  private crowded(reasons: readonly { code: string; say: string }[]): void {
    if (this.socket instanceof Socket) this.socket.later(reasons.some(({ code }) => code === "too_many"));
    clearTimeout(this.away);
    this.querySelector("[data-away]")?.setAttribute("hidden", "");
    this.notice(reasons.map(({ say }) => say).join(" "));
    this.full = true;
  }

  /** An event is applied once, and after the one before it. */
  private hear(event: TableEvent): void {
    if (event.v <= this.version && !event.whole) return;
    // A snapshot that was overtaken by events; a greeting's stands, however old.
    if (event.v < this.version && this.greeted && this.dataset["socket"] !== undefined) return;
    if (!event.whole && event.v > this.version + 1) {
      this.early.set(event.v, event);
      return this.lacks(event.v);
    }
    this.tries = 0;
    this.apply(event);
    const next = this.early.get(this.version + 1);
    for (const version of this.early.keys()) if (version <= this.version + 1) this.early.delete(version);
    if (next) this.hear(next);
  }

  /** The server says at which version the table stands, and the time. */
  private stands(version: number, { here, now, build, clock }: Message, took: number | undefined): void {
    if (now !== undefined && took !== undefined) this.clocks?.heard(now, took);
    if (clock && version === this.version) this.clocks?.set(clock);
    if (build !== undefined) this.renewal?.runs(build);
    // A greeting should have brought everything that was missing.
    if (here !== undefined && here > this.version && ++this.tries >= TRIES) this.renewal?.puzzled(this.version);
    this.lacks(version);
  }

  private apply(event: TableEvent): void {
    const { live } = this;
    // Earlier than before: a practice board was set back, and nothing of what was applied since stands.
    if (event.v < this.version) this.due = 0;
    const before = this.dataset["seat"];
    this.version = event.v;
    this.history.add(event);
    if (event.to !== undefined) this.dataset["to"] = event.to === null ? "" : String(event.to);
    if (event.over) this.dataset["over"] = "";
    else if (event.whole) delete this.dataset["over"];
    if (event.seat === null) delete this.dataset["seat"];
    else if (event.seat !== undefined) this.dataset["seat"] = String(event.seat);
    if (event.own !== undefined) this.dataset["own"] = event.own.join(" ");
    if (event.base !== undefined) this.base = event.base;
    if (event.say !== undefined) this.say(event.say);
    // A snapshot answers a press that came too late: the sentence that explains it has to stay.
    if (!event.whole && !this.kept) {
      this.notice("");
      this.board?.refuse([]);
    }
    if (event.places) this.board?.name(event.places);
    if (live) {
      this.shown = event.v;
      const marks = Object.entries(event.marks ?? {});
      if (event.whole) this.board?.show(new Map(marks));
      else for (const [key, fragment] of marks) this.board?.put(key, fragment, true);
    }
    for (const [name, html] of Object.entries(event.parts ?? {})) this.replacePart(name, html);
    this.advice?.heard();
    this.list(event);
    if (event.clock) this.clocks?.set(event.clock);
    else this.clocks?.tick();
    if (event.item && !event.whole) this.attention?.moved();
    const seat = this.dataset["seat"];
    // Somebody has sat down beside whoever sits here: that page has a curtain.
    if (this.curtain?.lacking) this.renewal?.puzzled(this.version);
    this.curtain?.heard(event.whole === 1, event.passes === 1);
    if (seat !== undefined && before !== seat) this.tray?.passed(before, seat);
    if (!this.curtain?.closed) {
      this.tray?.heard();
      this.brush?.heard();
      void this.twin();
    }
    if (this.held && !this.board?.offers(this.held.move)) this.unhold();
    for (const base of this.querySelectorAll<HTMLInputElement>("input[name=base]")) base.value = String(this.base);
    this.progress();
    if (event.follow !== undefined && TABLE.test(event.follow)) location.assign(event.follow);
  }

  private answered(message: Message, command: Command): void {
    const applied = message.applied ?? message.duplicate;
    const typed = command.id === this.formSent;
    if (typed) this.formSent = null;
    if (applied !== undefined) {
      this.due = Math.max(this.due, applied);
      const field = this.querySelector<HTMLInputElement>("[data-move-form] input[name=move]");
      if (typed && field && field.value.trim() === command["move"]) field.value = "";
      return;
    }
    this.chain = [];
    this.brush?.refused();
    const reasons = message.refused ?? [];
    const said = [message.say, ...reasons.map(({ say }) => say)].filter(Boolean);
    this.notice(said.join(" "));
    this.kept = this.late;
    const at = reasons.flatMap((reason) => reason.at);
    // What was pressed long ago is shown once more where it is taken back.
    this.board?.refuse(at.length || !this.late ? at : [String(command["move"] ?? "")]);
  }

  /** The server has spoken of a version that isn't here: it may be on the way; if it doesn't come, it was lost. */
  private lacks(version: number): void {
    if (version <= this.version) return;
    this.told = Math.max(this.told, version);
    this.behind ??= setTimeout(() => {
      this.behind = undefined;
      if (this.told <= this.version || !this.greeted) return;
      this.socket?.hello();
    }, PATIENCE);
  }

  private connection(state: "on" | "lost"): void {
    this.greeted = state === "on";
    if (this.greeted) {
      if (this.full) this.notice("");
      this.curtain?.connected();
      return this.settle();
    }
    this.clocks?.begin();
    this.early.clear();
    this.told = this.tries = 0;
    this.chain = [];
    this.late = this.busy();
    if (this.dataset["live"] === "lost") return;
    this.dataset["live"] = "lost";
    this.away = setTimeout(() => this.querySelector("[data-away]")?.removeAttribute("hidden"), PATIENCE);
  }

  /** In step: connected, and nothing that happened meanwhile is missing. */
  private settle(): void {
    if (!this.greeted || this.told > this.version) return;
    clearTimeout(this.away);
    this.querySelector("[data-away]")?.setAttribute("hidden", "");
    this.dataset["live"] = "on";
  }

  // What is shown

  private reflect(): void {
    this.dataset["version"] = String(this.version);
    this.dataset["shown"] = String(this.shown);
    this.toggleAttribute("data-pending", this.busy());
    this.classList.toggle("mine", this.mine);
    this.classList.toggle("past", !this.live);
    this.tray?.reflect();
    this.brush?.reflect();
    const said = this.curtain?.closed ? "" : (this.querySelector("[data-say]")?.textContent ?? "");
    this.attention?.turn(this.mine || Boolean(this.curtain?.closed), said);
  }

  private say(text: string): void {
    const line = this.querySelector("[data-say]");
    // The same sentence written again would be spoken again.
    if (line && line.textContent !== text) line.textContent = text;
  }

  private notice(text: string): void {
    this.kept = this.full = false;
    this.tell("[data-notice]", text);
  }

  /** What presses on the board do just now, where that isn't what they usually do. */
  private hint(text: string): void {
    this.tell("[data-hint]", text);
  }

  private tell(selector: string, text: string): void {
    const line = this.querySelector<HTMLElement>(selector);
    if (!line) return;
    line.hidden = !text;
    if (line.textContent !== text) line.textContent = text;
  }

  private enable(selector: string, able: boolean): void {
    for (const button of this.querySelectorAll(selector)) {
      // Not `disabled`: it would take the focus away from the button that is being pressed.
      if (able) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
    }
  }

  /** The board as text is asked for only while somebody reads it. */
  private async twin(): Promise<void> {
    const text = this.querySelector<HTMLElement>("details[open] [data-twin]");
    if (!text || this.curtain?.closed) return;
    const response = await ask(this, "text");
    if (response.ok) text.textContent = await response.text();
  }

  private replacePart(name: string, html: string): void {
    const part = this.querySelector(`[data-part="${name}"]`);
    if (!part || this.heardParts.get(name) === html) return;
    this.heardParts.set(name, html);
    const focused = document.activeElement;
    const key = focused instanceof HTMLElement && part.contains(focused) ? focused.dataset["key"] : undefined;
    fill(part, html);
    if (key === undefined) return;
    const again = [...part.querySelectorAll<HTMLElement>("[data-key]")].find(({ dataset }) => dataset["key"] === key);
    again?.focus({ preventScroll: true });
  }

  private list(event: TableEvent): void {
    const list = this.querySelector("[data-moves]");
    if (!list) return;
    if (event.items !== undefined) fill(list, event.items);
    else if (event.item) {
      const item = made(event.item);
      if (item) list.append(item);
    }
  }

  private items(): { element: HTMLElement; version: number }[] {
    return [...this.querySelectorAll<HTMLElement>("[data-moves] > [data-v]")].map((element) => ({
      element,
      version: Number(element.dataset["v"]),
    }));
  }

  private progress(): void {
    const items = this.items();
    const past = items.filter(({ version }) => version <= this.shown);
    const current = past.at(-1)?.element;
    for (const { element } of items) {
      if (element === current) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
    }
    const list = this.querySelector<HTMLElement>("[data-moves]");
    if (list && current) {
      // Not scrollIntoView: it would move the page as well.
      const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
      const beside = (low: number, high: number, from: number, to: number) =>
        low < from ? low - from : high > to ? high - to : 0;
      list.scrollTop += beside(inner.top, inner.bottom, outer.top, outer.bottom);
      list.scrollLeft += beside(inner.left, inner.right, outer.left, outer.right);
    }
    const text = this.querySelector<HTMLElement>("[data-shown-text]");
    const template = text?.dataset["template"];
    if (text && template) {
      text.textContent = template.replace("{n}", String(past.length)).replace("{m}", String(items.length));
    }
    this.enable("[data-step=first], [data-step=back]", past.length > 0);
    this.enable("[data-step=forward], [data-step=now]", !this.live);
  }

  // Stepping

  private async step(where: string): Promise<void> {
    if ((where === "now" && !this.unread) || (where === "forward" && this.live)) return this.go(this.version);
    if (!this.history.complete) {
      if (this.curtain?.closed) return;
      this.loading ??= this.load().finally(() => (this.loading = null));
      await this.loading;
      if (!this.history.complete) return;
      this.unread = false;
    }
    if (where === "now") return this.go(this.version);
    const changes = this.history.versions();
    const steps = [...new Set([0, ...changes, ...this.items().map(({ version }) => version)])].sort((a, b) => a - b);
    const last = Math.max(0, steps.findLastIndex((version) => version <= this.shown));
    const beside: Record<string, number | undefined> = { first: 0, back: steps[last - 1] ?? 0, forward: steps[last + 1] };
    const wanted = where in beside ? (beside[where] ?? this.version) : Number(where);
    // Nothing changed since: this is how the board stands, and one may press again.
    this.go(changes.some((version) => version > wanted) ? wanted : this.version);
  }

  private async load(): Promise<void> {
    try {
      await this.history.load(async () => {
        const response = await ask(this, "events", undefined, { cache: "no-cache" });
        if (!response.ok) throw new Error(String(response.status));
        return ((await response.json()) as { events: TableEvent[] }).events;
      });
    } catch {
      // The board stays as it is; the next press asks again.
    }
  }

  private go(version: number): void {
    this.unhold();
    if (version !== this.shown) {
      this.board?.show(this.history.picture(version));
      this.shown = version;
    }
    this.reflect();
    this.progress();
  }

  // What goes out

  private busy(kind?: string): boolean {
    return this.due > this.version || (this.socket?.awaits(kind) ?? false);
  }

  private command(kind: string, rest: Record<string, string | number> = {}): string | null {
    if (!this.socket || this.busy(kind)) return null;
    this.unhold();
    this.chain = [];
    this.late = this.dataset["live"] !== "on";
    const id = randomId();
    this.notice("");
    this.board?.refuse([]);
    this.socket.send({ do: kind, id, ...rest });
    this.reflect();
    return id;
  }

  private move(move: string): string | null {
    this.moved = Date.now();
    const id = this.command("move", { base: this.base, move });
    if (id !== null) this.board?.mark("waits", move);
    return id;
  }

  /** A press on the board plays, or is held until it comes again, as somebody wishes; whether it was played. */
  private hold(move: string, then: readonly string[]): boolean {
    const at = performance.now();
    const { held } = this;
    if (!this.attention?.has("sure") || (held?.move === move && at - held.at > ONCE)) {
      this.press(move, then);
      return true;
    }
    if (held?.move === move) return false;
    this.held = { move, then, at };
    this.board?.refuse([]);
    this.notice("");
    this.board?.mark("held", move);
    this.holding(move);
    return false;
  }

  private press(move: string, then: readonly string[]): void {
    const wanted = this.wholeChains?.checked && this.dataset["live"] === "on";
    if (this.move(move) !== null && wanted) this.chain = then;
  }

  private unhold(): void {
    if (!this.held) return;
    this.held = null;
    this.board?.mark("held", null);
    this.holding("");
  }

  private holding(move: string): void {
    const bar = this.querySelector<HTMLElement>("[data-holding]");
    const button = bar?.querySelector<HTMLElement>("[data-held=play]");
    if (!bar || !button) return;
    // A button that goes takes the focus with it.
    if (!move && bar.contains(document.activeElement)) this.querySelector<HTMLElement>('[data-place][tabindex="0"]')?.focus({ preventScroll: true });
    bar.hidden = !move;
    if (move) button.textContent = (button.dataset["label"] ?? "").replace("{move}", move);
    this.hint(move && (bar.dataset["marked"] ?? "").replace("{move}", move));
  }

  /** Whether loading the page anew would take nothing from whoever sits here. */
  private get idle(): boolean {
    const typed = [...this.querySelectorAll<HTMLInputElement>(TYPED)].some((field) => field.value !== field.defaultValue);
    const composing = this.held !== null || this.matches(".composing, .works, .dragging");
    return !typed && !composing && this.live && !this.busy() && (document.hidden || !this.mine);
  }

  /** The next move of a chain, once the one before it stands on the board and while a press could still play it. */
  private carryOn(): void {
    const [next, ...rest] = this.chain;
    if (next === undefined || this.busy()) return;
    this.chain = [];
    if (this.board?.offers(next) && this.move(next) !== null) this.chain = rest;
  }

  private ask(move: string): void {
    // The second half of a double press isn't a question.
    if (this.live && Date.now() - this.moved > DOUBLE) this.move(move);
  }

  private clicked(event: MouseEvent): void {
    const button = (event.target as Element).closest<HTMLElement>("[data-step], [data-zoom], [data-do], [data-pair], [data-move], [data-held]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const { step, zoom, do: kind, pair, move, held } = button.dataset;
    if (step !== undefined) void this.step(step);
    else if (zoom === "in") this.board?.larger();
    else if (zoom === "out") this.board?.smaller();
    else if (pair !== undefined) {
      this.board?.pair(button.getAttribute("aria-pressed") === "true" ? null : pair);
    }
    else if (move !== undefined) {
      event.preventDefault();
      if (event.detail <= 1 && this.sure(button, event)) this.move(move);
    } else if (held !== undefined) {
      if (held === "play" && this.held) this.press(this.held.move, this.held.then);
      else this.unhold();
    } else if (kind !== undefined) {
      event.preventDefault();
      if (this.sure(button, event)) this.command(kind, asked(button.dataset, this.base));
    }
  }

  /** Whether a button was pressed as often as it takes; the second half of a double click confirms nothing. */
  private sure(button: HTMLElement, event: MouseEvent): boolean {
    const { confirm } = button.dataset;
    if (confirm && (event.detail > 1 || !relabel(button, confirm, CONFIRMING, DOUBLE))) return false;
    restore(button);
    return true;
  }

  private submitted(event: SubmitEvent): void {
    const form = event.target as HTMLFormElement;
    // A browser that never reached the socket sends the form as if there were no script.
    if (!form.matches("[data-move-form]") || !["on", "lost"].includes(this.dataset["live"] ?? "")) return;
    event.preventDefault();
    const move = form.querySelector<HTMLInputElement>("input[name=move]")?.value.trim();
    if (!move) return;
    this.go(this.version);
    this.formSent = this.move(move) ?? this.formSent;
  }
}
