import type { Clock } from "./clocks";

/** A place's spoken name; what a press sends: 1 the place itself, 0 nothing, else that move; and, as lists in a text,
 * what lights up while it is pointed at and the moves that carry on what a press begins. */
export type Named = [name: string, open: 0 | 1 | string, lights?: string, then?: string];

/** What the server tells about one version of the table, for this viewer. */
export interface TableEvent {
  v: number;
  to?: number | null;
  say?: string;
  marks?: Record<string, string | null>;
  places?: Record<string, Named>;
  parts?: Record<string, string>;
  item?: string;
  items?: string;
  base?: number;
  seat?: number | null;
  /** All seats of this screen. */
  own?: number[];
  whole?: 1;
  /** The game is over: from now on everybody sees everything. */
  over?: 1;
  /** The screen goes to somebody else who sits at it, and there is nothing left to read. */
  passes?: 1;
  clock?: Clock;
  /** The address of the table where those who sit here play on. */
  follow?: string;
}

type Life = [version: number, fragment: string | null][];

/** The life of every mark, so that any version can be shown without asking or drawing again. */
export class History {
  private lives = new Map<string, Life>();
  private changed = new Set<number>();
  private heard: TableEvent[] | null = null;
  private from = Infinity;

  /** Whether every version from the first one on can be shown. */
  complete = false;

  add(event: TableEvent): void {
    this.heard?.push(event);
    // What lies between the last event and a snapshot wasn't heard: it is asked for again when it is wanted.
    if (event.whole) this.begin(event.v);
    if (event.v < this.from) return;
    for (const [key, fragment] of Object.entries(event.marks ?? {})) {
      const life = this.lives.get(key) ?? [];
      life.push([event.v, fragment]);
      this.lives.set(key, life);
      this.changed.add(event.v);
    }
  }

  /** Replaces everything by the table's events from the first one on; what is heard meanwhile follows them. */
  async load(ask: () => Promise<readonly TableEvent[]>): Promise<void> {
    const heard: TableEvent[] = (this.heard = []);
    let events: readonly TableEvent[];
    try {
      events = await ask();
    } finally {
      this.heard = null;
    }
    const first = events[0];
    if (!first) return;
    this.begin(first.v);
    let last = first.v - 1;
    for (const event of [...events, ...heard]) {
      if (event.v <= last) continue;
      this.add(event);
      last = event.v;
      if (event === first) this.complete = true;
    }
  }

  /** Every mark that ever was, as it is in this version. */
  picture(version: number): Map<string, string | null> {
    const picture = new Map<string, string | null>();
    for (const [key, life] of this.lives) {
      let shown: string | null = null;
      for (const [since, fragment] of life) {
        if (since > version) break;
        shown = fragment;
      }
      picture.set(key, shown);
    }
    return picture;
  }

  /** The versions at which something on the board changed, in order. */
  versions(): number[] {
    return [...this.changed].sort((a, b) => a - b);
  }

  private begin(version: number): void {
    this.lives.clear();
    this.changed.clear();
    this.complete = false;
    this.from = version;
  }
}
