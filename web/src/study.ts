import { described } from "./asking";
import { relabel, restore } from "./labels";
import { forget, inTab, remember, remembered } from "./memory";
import type { Practised } from "./practice";
import { released } from "./press";
import type { KletkaTable } from "./table";
import { along, at, beside, count, line, MOST, onward, played, read, removed, text, type Node, type Path } from "./tree";

const KEPT = 40;
const CONFIRMING = 4000;
const DOUBLE = 700;
const FELL: Readonly<Record<string, string>> = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const KEYS: Readonly<Record<string, string>> = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  ArrowUp: "above",
  ArrowDown: "below",
  Home: "first",
  End: "last",
};

interface Heard extends Practised {
  label?: string;
  to?: number | null;
  position?: string;
  refused?: { say: string }[];
}

/** A short name for a long text. */
export function named(long: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (const letter of long) {
    const code = letter.codePointAt(0)!;
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

/** The study of a game: what was played and tried, as a tree that this browser keeps. */
export class Study {
  root: Node;
  path: Path = [];
  private readonly key: string;
  private readonly tree: HTMLElement;
  private readonly buttons = new Map<Node, HTMLElement>();
  /** Called after every step. */
  stepped: () => void = () => {};

  constructor(readonly table: KletkaTable) {
    const { spec, setup, position } = described(table);
    const moves = table.dataset["line"]?.split(",").filter(Boolean) ?? [];
    this.tree = table.querySelector<HTMLElement>("[data-tree]")!;
    const labels = [...this.tree.querySelectorAll("[data-label]")].map(({ textContent }) => textContent ?? "");
    this.key = `study.${named([spec, setup, position, ...moves].join(" "))}`;
    this.root = read(remembered(this.key)) ?? line(moves, labels);
    const shown = described(table).moves;
    this.path = this.returned() ?? this.follow(shown);
    table.addEventListener("practised", (event) => this.heard((event as CustomEvent<Heard>).detail));
    table.addEventListener("click", (event) => this.clicked(event));
    this.tree.addEventListener("keydown", (event) => this.pressed(event));
    const field = this.field;
    field?.addEventListener("input", () => {
      this.node.comment = field.value;
      this.save();
    });
    field?.addEventListener("change", () => released(() => this.draw()));
    table.querySelector<HTMLElement>("[data-note]")?.removeAttribute("hidden");
    this.draw();
    if (this.moves.join() !== shown.join()) table.describe(this.moves);
    this.reflect();
  }

  get node(): Node {
    return at(this.root, this.path);
  }

  /** The moves up to what is shown. */
  get moves(): string[] {
    return along(this.root, this.path).map(({ move }) => move);
  }

  go(path: Path): void {
    this.path = path;
    this.table.describe(this.moves);
    this.reflect();
  }

  /** Shows the list anew: what was said of a move has changed. */
  draw(): void {
    const focused = this.tree.contains(document.activeElement);
    this.buttons.clear();
    const first = document.createElement("ol");
    first.className = "line";
    first.append(this.item(this.root, []));
    this.tree.replaceChildren(first);
    this.branch(first, [], 0);
    this.mark(focused);
  }

  save(): void {
    const plain = !this.changed(this.root);
    const keys = (remembered("studies") ?? "").split(" ").filter((key) => key && key !== this.key);
    for (const old of keys.splice(KEPT - 1)) forget(old);
    if (plain) forget(this.key);
    else remember(this.key, text(this.root));
    remember("studies", (plain ? keys : [this.key, ...keys]).join(" "));
  }

  private get field(): HTMLTextAreaElement | null {
    return this.table.querySelector<HTMLTextAreaElement>("[data-comment]");
  }

  /** Whether there is anything that the page's address doesn't say. */
  private changed(root: Node): boolean {
    const plain = this.table.dataset["line"]?.split(",").filter(Boolean) ?? [];
    const way = along(root, onward(root, []));
    const noted = ({ comment, said }: Node) => comment !== "" || said !== "";
    return count(root) !== plain.length || way.some(({ move }, at) => move !== plain[at]) || [root, ...way].some(noted);
  }

  private follow(moves: readonly string[]): Path {
    const path: number[] = [];
    for (const move of moves) {
      const step = at(this.root, path).next.findIndex((next) => next.move === move);
      if (step < 0) break;
      path.push(step);
    }
    return path;
  }

  /** Where this tab was before it was loaded again. */
  private returned(): Path | null {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (!entry || entry.type === "navigate") return null;
    try {
      const path = JSON.parse(inTab(this.key) ?? "") as number[];
      return along(this.root, path).length === path.length ? path : null;
    } catch {
      return null;
    }
  }

  private heard(message: Heard): void {
    if (message.played !== undefined) {
      if (count(this.root) < MOST) this.path = played(this.root, this.path, message.played, message.label || message.played);
      this.draw();
      this.save();
    } else if (message.refused) this.say(message.refused.map(({ say }) => say).join(" "));
    if (message.v !== undefined) {
      const form = this.table.querySelector("[data-onward]");
      const write = (name: string, value: unknown) => {
        const field = form?.querySelector<HTMLInputElement>(`input[name=${name}]`);
        if (field) field.value = String(value ?? "");
      };
      write("position", message.position);
      write("seat", message.to);
    }
    this.reflect();
  }

  private say(notice: string): void {
    const line = this.table.querySelector<HTMLElement>("[data-notice]");
    if (!line) return;
    line.textContent = notice;
    line.hidden = !notice;
  }

  private clicked(event: MouseEvent): void {
    const button = (event.target as Element).closest<HTMLElement>("[data-go], [data-node], [data-remove]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const { go, node, remove, confirm } = button.dataset;
    if (go !== undefined) this.step(go);
    else if (node !== undefined) this.go(node ? node.split(".").map(Number) : []);
    else if (remove !== undefined) {
      if (event.detail > 1 || !relabel(button, confirm ?? "", CONFIRMING, DOUBLE)) return;
      restore(button);
      this.go(removed(this.root, this.path));
      this.draw();
      this.save();
    }
  }

  private pressed(event: KeyboardEvent): void {
    const where = KEYS[event.key];
    if (!where || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.step(where);
    this.mark(true);
  }

  private wanted(where: string): Path | null {
    switch (where) {
      case "first":
        return this.path.length ? [] : null;
      case "back":
        return this.path.length ? this.path.slice(0, -1) : null;
      case "forward":
        return this.node.next.length ? [...this.path, 0] : null;
      case "last":
        return this.node.next.length ? onward(this.root, this.path) : null;
      case "above":
        return beside(this.root, this.path, -1);
      default:
        return beside(this.root, this.path, 1);
    }
  }

  private step(where: string): void {
    const path = this.wanted(where);
    if (path) this.go(path);
  }

  // What is shown

  /** The moves from one on, as entries of a list; other moves in the place of each stand below it, each in a list. */
  private branch(list: HTMLElement, before: Path, step: number): void {
    let path = before;
    let first = step;
    for (let parent = at(this.root, before), next = parent.next[first]; next; ) {
      const here = [...path, first];
      const entry = this.item(next, here);
      list.append(entry);
      if (first === 0) {
        for (let other = 1; other < parent.next.length; other++) {
          const below = document.createElement("ol");
          below.className = "line branch";
          entry.append(below);
          this.branch(below, path, other);
        }
      }
      [parent, path, first] = [next, here, 0];
      next = parent.next[0];
    }
  }

  private item(node: Node, path: Path): HTMLElement {
    const { dataset } = this.tree;
    const entry = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset["node"] = path.join(".");
    button.textContent = path.length ? `${path.length}. ${node.label}` : (dataset["start"] ?? "");
    if (FELL[node.fell]) {
      const sign = document.createElement("abbr");
      sign.className = `fell ${node.fell}`;
      sign.title = dataset[node.fell] ?? "";
      sign.textContent = FELL[node.fell]!;
      button.append(" ", sign);
    }
    entry.append(button);
    if (node.comment) {
      const comment = document.createElement("p");
      comment.className = "comment";
      comment.textContent = node.comment;
      entry.append(comment);
    }
    this.buttons.set(node, button);
    return entry;
  }

  /** Marks the entry that is shown: the only one that Tab stops at. */
  private mark(focus: boolean): void {
    const current = this.buttons.get(this.node);
    for (const button of this.buttons.values()) {
      button.tabIndex = button === current ? 0 : -1;
      if (button === current) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    if (!current) return;
    if (focus) current.focus({ preventScroll: true });
    const [outer, inner] = [this.tree.getBoundingClientRect(), current.getBoundingClientRect()];
    if (inner.top < outer.top) this.tree.scrollTop += inner.top - outer.top;
    if (inner.bottom > outer.bottom) this.tree.scrollTop += inner.bottom - outer.bottom;
  }

  private reflect(): void {
    const { table, path, root } = this;
    const whole = onward(root, path);
    table.dataset["path"] = path.join(".");
    this.mark(this.tree.contains(document.activeElement));
    for (const button of table.querySelectorAll<HTMLElement>("[data-go]")) {
      if (this.wanted(button.dataset["go"]!)) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
    }
    const shown = table.querySelector<HTMLElement>("[data-at-text]");
    const template = shown?.dataset["template"];
    if (shown && template) shown.textContent = template.replace("{n}", String(path.length)).replace("{m}", String(whole.length));
    const { field } = this;
    if (field && field.value !== this.node.comment) field.value = this.node.comment;
    table.querySelector("[data-remove]")?.toggleAttribute("hidden", !path.length);
    this.link(along(root, whole).map(({ move }) => move));
    inTab(this.key, JSON.stringify(path));
    this.stepped();
  }

  /** The addresses of what is shown, in the fields to copy them from. */
  private link(moves: readonly string[]): void {
    const { spec, setup, position, signs } = described(this.table);
    const parts = { spec, setup, position, signs, moves: moves.join(","), at: String(this.path.length) };
    const query = new URLSearchParams(Object.entries(parts).filter(([, part]) => part)).toString();
    for (const field of this.table.querySelectorAll<HTMLInputElement>("[data-link]")) {
      const address = `${field.dataset["link"]}?${query}`;
      field.value = field.dataset["frame"]?.replace("{address}", address.replaceAll("&", "&amp;")) ?? address;
    }
    for (const link of this.table.querySelectorAll<HTMLAnchorElement>("a[data-export]")) {
      link.href = `${link.dataset["export"]}?${query}&open=1`;
    }
  }
}

