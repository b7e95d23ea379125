import { read } from "./asking";
import { fill } from "./policy";
import type { Practised } from "./practice";
import type { KletkaTable } from "./table";

interface Heard extends Practised {
  refused?: readonly { code: string }[];
}

/** A walk-through: one step after the other, each on a practice board that waits for what the step wants. */
export class KletkaLesson extends HTMLElement {
  private leaving: AbortController | null = null;
  private watching: MutationObserver | null = null;
  /** Only the step that was asked for last is shown. */
  private number = 0;

  connectedCallback(): void {
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    this.addEventListener("practised", (event) => this.heard((event as CustomEvent<Heard>).detail), { signal });
    this.addEventListener("click", (event) => this.clicked(event), { signal });
    // They say everything beforehand.
    document.querySelector("details.pictures")?.removeAttribute("open");
    this.begin();
  }

  disconnectedCallback(): void {
    this.leaving?.abort();
    this.watching?.disconnect();
  }

  private get step(): KletkaTable | null {
    return this.querySelector<KletkaTable>("kletka-table");
  }

  private begin(): void {
    const { step } = this;
    this.watching?.disconnect();
    const tray = step?.querySelector("[data-tray]");
    if (!step?.dataset["lays"] || !tray) return;
    this.watching = new MutationObserver(() => this.drafted());
    this.watching.observe(tray, { attributeFilter: ["data-text"] });
  }

  /** What the practice board answered to a move. */
  private heard({ played, refused }: Heard): void {
    const { step } = this;
    if (!step || this.over(step)) return;
    const { refused: code, wanted, also, says, allowed } = step.dataset;
    if (refused) {
      if (refused.some((reason) => reason.code === code)) this.done(step);
    } else if (played !== undefined) {
      if (!code && (played === wanted || (also && new RegExp(`^(?:${also})$`).test(played)))) return this.done(step);
      this.say(`${allowed ?? ""} ${says ?? ""}`);
      delete step.dataset["over"];
      step.describe(read(step.dataset["begun"]));
    }
  }

  /** The draft has changed. */
  private drafted(): void {
    const { step } = this;
    const text = step?.querySelector<HTMLElement>("[data-tray]")?.dataset["text"]?.split("+");
    if (step && !this.over(step) && step.dataset["lays"]?.split("+").every((piece) => text?.includes(piece))) {
      this.done(step);
    }
  }

  private over({ dataset }: HTMLElement): boolean {
    return "fulfilled" in dataset;
  }

  private done(step: KletkaTable): void {
    step.dataset["fulfilled"] = "";
    this.say(step.dataset["done"] ?? "");
    step.querySelector("[data-end]")?.removeAttribute("hidden");
    const next = step.querySelector<HTMLElement>("[data-next]");
    next?.classList.add("first");
    // With Enter it goes on; but first of all one should see what was said.
    next?.focus({ preventScroll: true });
    for (const element of [next, step.querySelector("[data-bubble]")]) element?.scrollIntoView({ block: "nearest" });
  }

  private say(text: string): void {
    const bubble = this.querySelector("[data-bubble]");
    if (bubble) bubble.textContent = text;
  }

  private clicked(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>("[data-go]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void this.go(link);
  }

  private async go(link: HTMLAnchorElement): Promise<void> {
    const number = ++this.number;
    try {
      const response = await fetch(`${this.dataset["at"] ?? ""}/${link.dataset["go"] ?? ""}`);
      if (!response.ok) throw new Error(String(response.status));
      const html = await response.text();
      if (number !== this.number) return;
      fill(this, html);
    } catch {
      // Then as without script.
      if (number === this.number) location.assign(link.href);
      return;
    }
    history.replaceState(null, "", link.href);
    this.begin();
    this.querySelector<HTMLElement>('[data-place][tabindex="0"]')?.focus({ preventScroll: true });
    if (this.getBoundingClientRect().top < 0) this.scrollIntoView();
    // A region that is new isn't read out; one that changes is.
    const says = this.step?.dataset["says"] ?? "";
    this.say("");
    requestAnimationFrame(() => this.querySelector("[data-bubble]")?.textContent === "" && this.say(says));
  }
}

if (!customElements.get("kletka-lesson")) customElements.define("kletka-lesson", KletkaLesson);
