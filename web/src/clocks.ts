/** What the server says about the clocks: milliseconds that each seat has left, and when the running one ends, in
 * milliseconds since 1970 by the server's time. */
export interface Clock {
  readonly left: readonly (number | null)[];
  readonly deadline: number | null;
  readonly to: number | null;
}

/** How a time is written, in the page's language; `{d}`, `{h}`, `{s}`, `{t}` and `{time}` are filled in. */
export interface Words {
  readonly days: string;
  readonly tenths: string;
  /** A time that is nearly over. */
  readonly hurry: string;
}

/** In seconds. */
const [HOUR, DAY] = [3_600, 86_400];
/** From this many milliseconds on tenths are shown, and that time is short. */
const LOW = 10_000;
/** Remaining times at which a screen reader is told. */
const TOLD = [30_000, 10_000] as const;
/** How far the machine's two clocks may drift apart between two looks, in milliseconds. */
const JUMP = 500;
/** What the quickest answer loses of its worth with each later one: quartzes drift. */
const AGING = 0.5;

const two = (n: number) => String(n).padStart(2, "0");

/** A remaining time: days and hours, or hours, minutes and seconds, where the one that runs is counted; near the end of
 * a clock that `runs`, tenths. */
export function written(ms: number, words: Words, runs: boolean): string {
  if (runs && ms <= LOW) {
    const tenths = Math.ceil(ms / 100);
    return words.tenths.replace("{s}", String(Math.floor(tenths / 10))).replace("{t}", String(tenths % 10));
  }
  const seconds = Math.ceil(ms / 1000);
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / HOUR)];
  if (seconds >= DAY) {
    return words.days.replace("{d}", String(Math.floor(seconds / DAY))).replace("{h}", String(hours % 24));
  }
  const rest = two(seconds % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** How long what `written` says of a running clock stays true, in milliseconds. */
export function stays(ms: number): number {
  return ms % (ms <= LOW ? 100 : 1000) || (ms <= LOW ? 100 : 1000);
}

/**
 * The server's time as far as its answers tell: the quickest since the greeting tells it best. It goes on by the clock
 * that nobody sets; where that one stood still in a machine's sleep, the other one shows it.
 */
export class ServerTime {
  private offset: number | null = null;
  private quickest = Infinity;
  private apart = Date.now() - performance.now();

  /** A new connection: what was measured before was another way. */
  begin(): void {
    this.quickest = Infinity;
  }

  /** An answer that was given at `now` by the server's time and took `took` milliseconds there and back. */
  heard(now: number, took: number): void {
    this.jumped();
    this.quickest += AGING;
    if (took > this.quickest) return;
    this.quickest = took;
    this.offset = now + took / 2 - performance.now();
  }

  /** Milliseconds since 1970 by the server's time; null before its first answer. */
  get now(): number | null {
    return this.offset === null ? null : this.offset + performance.now();
  }

  /** Whether the machine slept or its clock was set since the last look; then the next answer counts, be it slow. */
  jumped(): boolean {
    const apart = Date.now() - performance.now();
    const jumped = Math.abs(apart - this.apart) > JUMP;
    this.apart = apart;
    if (jumped) this.quickest = Infinity;
    return jumped;
  }
}

/** The clocks beside the board: they tick in the page and are told by the server. */
export class Clocks {
  private readonly time = new ServerTime();
  private readonly words: Words;
  private readonly spoken: HTMLElement | null;
  private clock: Clock | null = null;
  /** The least that was shown before this deadline: a better measurement never gives time back. */
  private least = Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `ask` asks the server for its time. */
  constructor(
    private readonly table: HTMLElement,
    private readonly ask: () => void,
  ) {
    this.spoken = table.querySelector<HTMLElement>("[data-clock-words]");
    const { days = "{d}:{h}", tenths = "{s}.{t}", hurry = "{time}" } = this.spoken?.dataset ?? {};
    this.words = { days, tenths, hurry };
  }

  begin(): void {
    this.time.begin();
  }

  heard(now: number, took: number): void {
    this.time.heard(now, took);
    this.tick();
  }

  set(clock: Clock): void {
    if (clock.deadline !== this.clock?.deadline) this.least = Infinity;
    this.clock = clock;
    this.tick();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Shows the clocks as they stand, and goes on while one runs. */
  tick(): void {
    clearTimeout(this.timer);
    const { clock } = this;
    if (!clock) return;
    const running = this.running(clock);
    for (const element of this.table.querySelectorAll<HTMLElement>("[data-clock]")) {
      const seat = Number(element.dataset["clock"]);
      const runs = seat === clock.to && running !== null;
      const ms = runs ? running : clock.left[seat];
      if (ms == null || (seat === clock.to && clock.deadline !== null && !runs)) continue;
      const low = runs && ms <= LOW;
      const time = written(ms, this.words, runs);
      const text = low && this.mine(seat) ? this.words.hurry.replace("{time}", time) : time;
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("low", low);
      element.closest("[data-clock-row]")?.classList.toggle("runs", runs);
    }
    if (running) this.timer = setTimeout(() => this.ticked(), stays(running));
  }

  private ticked(): void {
    if (this.time.jumped()) this.ask();
    this.tick();
  }

  /** What the running clock shows; null where none runs or the server's time isn't known. */
  private running({ deadline, to }: Clock): number | null {
    const { now } = this.time;
    if (deadline === null || to === null || now === null) return null;
    const before = this.least;
    this.least = Math.min(before, Math.max(0, deadline - now));
    if (this.mine(to)) this.tell(before, this.least);
    return this.least;
  }

  private mine(seat: number): boolean {
    return this.table.dataset["seat"] === String(seat);
  }

  private tell(before: number, after: number): void {
    if (before === Infinity || !this.spoken) return;
    const passed = TOLD.findLast((limit) => after <= limit && before > limit);
    if (passed !== undefined) this.spoken.textContent = this.spoken.dataset[passed === 10_000 ? "ten" : "thirty"] ?? "";
  }
}
