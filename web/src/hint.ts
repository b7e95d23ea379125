import { ask } from "./asking";
import type { Board } from "./board";

interface Advice {
  say: string;
  /** The best moves, the best first. */
  lines: readonly { marks: Readonly<Record<string, string>> }[];
}

/** The button that asks an engine for help: what it thinks is said and marked until something else happens. */
export class Hint {
  private readonly line: HTMLElement | null;
  private waiting = false;
  /** Answers to questions that were asked before the last event are out of date. */
  private asked = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly board: Board,
    private readonly notice: (text: string) => void,
  ) {
    this.line = root.querySelector("[data-advice]");
    root.querySelector("[data-asking]")?.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.ask();
    });
  }

  /** Something happened at the table: the advice was about how it stood before. */
  heard(): void {
    this.asked++;
    this.show("", {});
    this.wait(false);
  }

  private async ask(): Promise<void> {
    if (this.waiting) return;
    const asked = ++this.asked;
    this.notice("");
    this.wait(true);
    const answer = await this.fetched();
    if (asked !== this.asked) return;
    this.wait(false);
    if (typeof answer === "string") this.notice(answer);
    else this.show(answer.say, answer.lines[0]?.marks ?? {});
  }

  /** The advice, or the sentence that says why there is none. */
  private async fetched(): Promise<Advice | string> {
    try {
      const response = await ask(this.root, "hint", {});
      const answer = (await response.json()) as Advice & { refused?: { say: string }[] };
      return answer.refused ? answer.refused.map(({ say }) => say).join(" ") : answer;
    } catch {
      return this.root.querySelector("[data-away]")?.textContent ?? "";
    }
  }

  private wait(waiting: boolean): void {
    this.waiting = waiting;
    // The button comes and goes with the other actions.
    const button = this.root.querySelector<HTMLElement>("[data-advise]");
    if (!button) return;
    button.dataset["label"] ??= button.textContent ?? "";
    button.textContent = waiting ? (button.dataset["thinking"] ?? "") : button.dataset["label"];
    if (waiting) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }

  private show(text: string, marks: Readonly<Record<string, string>>): void {
    this.board.advise(marks);
    if (!this.line) return;
    this.line.hidden = !text;
    if (this.line.textContent !== text) this.line.textContent = text;
  }
}
