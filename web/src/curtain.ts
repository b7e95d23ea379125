const HEARD = 8000;

/** Who sits at a screen that several people share, and what they know of each other. */
export interface Shared {
  /** Asks for the board as the seat to move sees it. */
  look(): void;
  /** The curtain fell or rose. */
  changed(): void;
}

/**
 * A screen that several people share at a game in which they know different things: whoever has moved passes it on, and
 * nothing is seen until the next one says who they are. In open games it does nothing.
 */
export class Curtain {
  private readonly section: HTMLElement | null;
  private readonly bar: HTMLElement | null;
  private fallen = false;
  private asking: ReturnType<typeof setTimeout> | undefined;
  private waits = false;
  private seat: string | undefined;

  constructor(
    private readonly table: HTMLElement,
    private readonly shared: Shared,
  ) {
    this.section = table.querySelector<HTMLElement>("[data-curtain]");
    this.bar = table.querySelector<HTMLElement>("[data-passing]");
    this.bar?.querySelector("button")?.addEventListener("click", () => this.fall());
    // The second half of a double press was meant for what the curtain fell on.
    this.section?.querySelector("button")?.addEventListener("click", ({ detail }) => detail <= 1 && this.ask());
    this.seat = table.dataset["seat"];
    this.fall();
    this.reflect();
  }

  /** Whether nothing may be seen. */
  get down(): boolean {
    return this.fallen;
  }

  /** Whether a curtain is needed that the page wasn't drawn with. */
  get lacking(): boolean {
    return this.shares && !this.section;
  }

  /** Whether what the server would tell now is for the eyes of somebody else than the one who looks. */
  get closed(): boolean {
    return this.fallen || this.next !== null;
  }

  /** Something happened at the table; `whole`: it was told anew, for the seat that looks; `passes`: the screen goes to
   * somebody else, and whoever looks has nothing left to read. */
  heard(whole: boolean, passes = false): void {
    const { seat } = this.table.dataset;
    if (!this.shares || (this.waits && whole && this.next === null)) this.rise();
    // What the board shows is another seat's without anybody's having said who they are.
    else if (passes || seat !== this.seat) this.fall();
    this.seat = seat;
    this.reflect();
  }

  /** Connected again: what was asked before may have got lost. */
  connected(): void {
    if (this.waits) this.ask();
  }

  /** Hides everything, as when a page that was left is opened again. */
  fall(): void {
    if (this.fallen || !this.section || !this.shares) return;
    this.fallen = true;
    for (const part of this.others) part.inert = true;
    this.table.classList.add("curtained");
    this.section.hidden = false;
    this.reflect();
    this.section.querySelector("button")?.focus({ preventScroll: true });
    this.shared.changed();
  }

  private get shares(): boolean {
    const { own, hidden, over } = this.table.dataset;
    return hidden !== undefined && over === undefined && (own ?? "").trim().split(/\s+/).length > 1;
  }

  /** The other seat of this screen that is to move, if it isn't the one that looks. */
  private get next(): string | null {
    const { own = "", to, seat } = this.table.dataset;
    return this.shares && to && to !== seat && own.split(/\s+/).includes(to) ? to : null;
  }

  private get others(): HTMLElement[] {
    return ([...this.table.children] as HTMLElement[]).filter((child) => child !== this.section);
  }

  private ask(): void {
    this.waits = true;
    this.section?.querySelector("button")?.setAttribute("aria-disabled", "true");
    this.shared.look();
    clearTimeout(this.asking);
    this.asking = setTimeout(() => this.waits && this.ask(), HEARD);
  }

  private rise(): void {
    this.waits = false;
    clearTimeout(this.asking);
    this.section?.querySelector("button")?.removeAttribute("aria-disabled");
    if (!this.fallen || !this.section) return;
    this.fallen = false;
    this.section.hidden = true;
    for (const part of this.others) part.inert = false;
    this.table.classList.remove("curtained");
    this.table.querySelector<HTMLElement>('[data-place][tabindex="0"]')?.focus({ preventScroll: true });
    this.shared.changed();
  }

  private reflect(): void {
    const { next, section } = this;
    const who = next ?? this.table.dataset["seat"] ?? "";
    const people = this.table.querySelector<HTMLTemplateElement>("[data-people]");
    const person = people?.content.querySelector(`[data-person="${who}"]`);
    const say = (line: Element | null | undefined, text: string | null | undefined) => {
      if (line && line.textContent !== text) line.textContent = text ?? "";
    };
    if (this.bar) this.bar.hidden = next === null || this.fallen;
    if (next !== null) say(this.bar?.querySelector("[data-pass-to]"), person?.getAttribute("data-pass"));
    const button = section?.querySelector<HTMLElement>("button");
    // While others move nobody knows yet who of these is next.
    if (button) button.hidden = !person;
    say(button, person?.getAttribute("data-am"));
    say(section?.querySelector("[data-curtain-says]"), person?.getAttribute("data-hides") ?? section?.getAttribute("aria-label"));
  }
}
