import { described } from "./asking";
import { fill } from "./policy";
import type { Study } from "./study";
import { along, onward, type Node } from "./tree";

interface Refusal {
  readonly refused?: readonly { readonly say: string }[];
}

interface Line {
  readonly move: string;
  readonly said: string;
  readonly said_score: string;
  readonly line: readonly string[];
  readonly marks: Readonly<Record<string, string>>;
}

interface Thought extends Refusal {
  /** Whose turn it is, as a heading. */
  readonly turn: string;
  readonly lines: readonly Line[];
}

interface Judged extends Refusal {
  /** The seat that played the move; null, as its kind, where it was no move. */
  readonly seat: number | null;
  readonly kind: string | null;
  readonly say?: string;
  readonly share: number | null;
  readonly best?: { readonly score: number | null };
}

/** As in the drawing: its width, and what it leaves free at each side. */
const [WIDTH, MARGIN] = [720, 30];
const FALLS = ["inaccuracy", "mistake", "blunder"];

/** The engine beside a study: what it would play, and what it says of the moves that were played. */
export class Engine {
  private readonly root: HTMLElement | null;
  /** Answers about another position than the one shown come too late. */
  private asked = 0;
  private position = "";
  private reviewing = false;
  private drawing = false;
  private drawn = "";

  constructor(private readonly study: Study) {
    this.root = study.table.querySelector<HTMLElement>("[data-engine]");
    if (!this.root) return;
    this.root.hidden = false;
    this.find("[data-think]")?.addEventListener("click", () => void this.think());
    this.find("[data-review]")?.addEventListener("click", () => void this.review());
    this.find("[data-graph]")?.addEventListener("click", (event) => this.pointed(event));
    study.stepped = () => this.stepped();
    this.stepped();
  }

  private find(selector: string): HTMLElement | null {
    return this.root?.querySelector<HTMLElement>(selector) ?? null;
  }

  private say(selector: string, said: string): void {
    const line = this.find(selector);
    if (line && line.textContent !== said) line.textContent = said;
  }

  /** The moves of the branch that is shown, to its end. */
  private get line(): Node[] {
    return along(this.study.root, onward(this.study.root, this.study.path));
  }

  private stepped(): void {
    const position = this.study.moves.join();
    if (position !== this.position) {
      this.position = position;
      this.asked++;
      const lines = this.find("[data-lines]");
      if (lines?.contains(document.activeElement)) this.find("[data-think]")?.focus({ preventScroll: true });
      this.list("", []);
      this.say("[data-thought]", this.study.node.said);
    }
    void this.draw();
  }

  private async post<T extends Refusal>(what: string, more: object): Promise<T | string> {
    const { table } = this.study;
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const body = JSON.stringify({ ...described(table), ...more });
    try {
      const response = await fetch(`/${table.dataset["lang"]}/${what}`, { method: "POST", headers, body });
      const answer = (await response.json()) as T;
      return answer.refused ? answer.refused.map(({ say }) => say).join(" ") : answer;
    } catch {
      return this.root?.dataset["unanswered"] ?? "";
    }
  }

  private async think(): Promise<void> {
    const asked = ++this.asked;
    this.list("", []);
    if (this.study.table.dataset["over"] !== undefined) {
      return this.say("[data-thought]", this.root?.dataset["ended"] ?? "");
    }
    this.say("[data-thought]", this.root?.dataset["thinking"] ?? "");
    const answer = await this.post<Thought>("think", { lines: 3 });
    if (asked !== this.asked) return;
    if (typeof answer === "string") return this.say("[data-thought]", answer);
    this.say("[data-thought]", this.study.node.said);
    this.study.table.advise(answer.lines[0]?.marks ?? {});
    const entries = answer.lines.map(({ move, said, said_score, line, marks }) => {
      const entry = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.dataset["move"] = move;
      button.textContent = said;
      const score = document.createElement("strong");
      score.textContent = said_score;
      entry.append(button, score);
      // The board shows the line that one looks at.
      for (const looks of ["pointerenter", "focusin"]) {
        entry.addEventListener(looks, () => {
          if (asked === this.asked) this.study.table.advise(marks);
        });
      }
      if (line.length > 1) {
        const rest = document.createElement("span");
        rest.className = "quiet";
        rest.textContent = line.slice(1).join(", ");
        entry.append(rest);
      }
      return entry;
    });
    this.list(answer.turn, entries);
  }

  /** Shows moves below whose turn it is. */
  private list(turn: string, entries: readonly HTMLElement[]): void {
    const heading = this.find("[data-turn]");
    if (heading) heading.hidden = !turn;
    this.say("[data-turn]", turn);
    this.find("[data-lines]")?.replaceChildren(...entries);
  }

  /** Asks about one move after the other; pressed again, it stops. */
  private async review(): Promise<void> {
    const button = this.find("[data-review]");
    if (!button) return;
    this.reviewing = !this.reviewing;
    if (!this.reviewing) return;
    const label = button.textContent ?? "";
    button.textContent = button.dataset["stop"] ?? "";
    const { line } = this;
    const moves = line.map(({ move }) => move);
    const template = this.find("[data-reviewed]")?.dataset["progress"] ?? "";
    let trouble = "";
    for (let ply = 0; ply < line.length && this.reviewing && !trouble; ply++) {
      const node = line[ply]!;
      if (node.said) continue;
      this.say("[data-reviewed]", template.replace("{n}", String(ply + 1)).replace("{m}", String(line.length)));
      const answer = await this.post<Judged>("review", { moves, ply: ply + 1 });
      if (typeof answer === "string") trouble = answer;
      else this.judged(node, ply, answer);
    }
    this.reviewing = false;
    button.textContent = label;
    this.say("[data-reviewed]", trouble || this.summary(line));
  }

  private judged(node: Node, ply: number, { seat, kind, say, share, best }: Judged): void {
    const { study } = this;
    node.fell = kind && FALLS.includes(kind) ? kind : "";
    node.said = say ?? "";
    node.score = share;
    if (ply === 0 && typeof best?.score === "number") study.root.score = seat === 0 ? best.score : 1 - best.score;
    study.save();
    study.draw();
    if (study.node === node) this.say("[data-thought]", node.said);
    void this.draw();
  }

  private summary(line: readonly Node[]): string {
    const [a, b, c] = FALLS.map((kind) => String(line.filter(({ fell }) => fell === kind).length));
    const template = this.find("[data-reviewed]")?.dataset["summary"] ?? "";
    return template.replace("{a}", a!).replace("{b}", b!).replace("{c}", c!);
  }

  // The course of the game

  private async draw(): Promise<void> {
    const graph = this.find("[data-graph]");
    const figure = this.find("[data-course]");
    if (!graph || !figure) return;
    const line = [this.study.root, ...this.line];
    const scores = line.map(({ score }) => score);
    const falls = Object.fromEntries(line.map(({ fell }, at) => [String(at), fell] as const).filter(([, fell]) => fell));
    figure.hidden = scores.every((score) => score === null);
    graph.style.setProperty("--here", `${(100 * this.across(this.study.path.length, line.length - 1)) / WIDTH}%`);
    graph.classList.toggle("placed", !figure.hidden);
    const body = JSON.stringify({ scores, falls });
    if (figure.hidden || body === this.drawn || this.drawing) return;
    this.drawing = true;
    try {
      const headers = { "Content-Type": "application/json", Accept: "application/json" };
      const response = await fetch(`/${this.study.table.dataset["lang"]}/study/graph`, { method: "POST", headers, body });
      if (!response.ok) return;
      fill(graph, ((await response.json()) as { drawn: string }).drawn);
      this.drawn = body;
      graph.dataset["scores"] = scores.join(",");
    } catch {
      return;
    } finally {
      this.drawing = false;
    }
    // What has changed meanwhile.
    void this.draw();
  }

  private across(at: number, last: number): number {
    return last === 0 ? WIDTH / 2 : MARGIN + ((WIDTH - 2 * MARGIN) * at) / last;
  }

  private pointed(event: MouseEvent): void {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const { study } = this;
    const whole = onward(study.root, study.path);
    const along = (((event.clientX - box.left) / box.width) * WIDTH - MARGIN) / (WIDTH - 2 * MARGIN);
    study.go(whole.slice(0, Math.max(0, Math.min(whole.length, Math.round(along * whole.length)))));
  }
}
