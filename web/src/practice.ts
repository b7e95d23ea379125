import { ask, described, written } from "./asking";
import { backOff, type Answer, type Command, type Ears } from "./socket";

/** What a practice board answers: an event, and with a move how the game writes it. */
export interface Practised extends Answer {
  v?: number;
  played?: string;
}

const SEEN = 200;

/** Stands in for the socket where a table is nowhere kept: the page says what was played, the server what that looks
 * like. The element's attributes hold the game, so that anybody may look, and change them and call `hello`. */
export class Practice<Message extends Practised> {
  private waiting: Command | null = null;
  /** Whether the whole board is asked for: until it is there, nobody knows what a press would mean. */
  private asking = false;
  /** Only the answer to what was asked last is listened to. */
  private number = 0;
  private tries = 0;
  private running = false;
  /** Boards that were asked for before: stepping back and forth needs no server. */
  private readonly seen = new Map<string, Message>();
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: HTMLElement,
    private readonly ears: Pick<Ears<Message>, "heard" | "live">,
  ) {}

  start(): void {
    if (this.running) return;
    this.running = true;
    this.ears.live("on");
    // What was asked when the page was left is asked again.
    if (this.awaits()) void this.post();
  }

  stop(): void {
    this.running = false;
    clearTimeout(this.retry);
    this.retry = undefined;
    this.number++;
  }

  probe(): void {
    if (this.retry !== undefined) void this.post();
  }

  awaits(kind?: string): boolean {
    return this.asking || (this.waiting !== null && (kind === undefined || this.waiting.do === kind));
  }

  send(command: Command): void {
    if (command.do !== "move") return;
    this.waiting = command;
    void this.post();
  }

  /** Asks for the board as its attributes say it. */
  hello(): void {
    this.waiting = null;
    const known = this.seen.get(this.described);
    if (!known) {
      this.asking = true;
      return void this.post();
    }
    this.asking = false;
    clearTimeout(this.retry);
    this.retry = undefined;
    this.number++;
    this.ears.live("on");
    this.tell(known, null);
  }

  private get described(): string {
    return JSON.stringify(described(this.table));
  }

  private async post(): Promise<void> {
    clearTimeout(this.retry);
    this.retry = undefined;
    const number = ++this.number;
    const { waiting, described: board } = this;
    let message: Message;
    try {
      const response = await ask(this.table, "", waiting ? { move: waiting.move } : {});
      if (response.status >= 500 || response.status === 429) throw new Error(String(response.status));
      message = (await response.json()) as Message;
    } catch {
      return this.lost(number);
    }
    if (number !== this.number || !this.running) return;
    this.tries = 0;
    this.ears.live("on");
    this.waiting = null;
    this.asking = false;
    if (message.played !== undefined) {
      this.table.dataset["moves"] = written([...described(this.table).moves, message.played]);
    } else if (message.v !== undefined) {
      this.seen.set(board, message);
      for (const old of this.seen.keys()) if (this.seen.size > SEEN) this.seen.delete(old);
    }
    this.tell(message, waiting);
  }

  private tell(message: Message, command: Command | null): void {
    this.ears.heard(command ? { ...message, id: command.id } : message, command ?? undefined);
    this.table.dispatchEvent(new CustomEvent("practised", { detail: message, bubbles: true }));
  }

  private lost(number: number): void {
    if (number !== this.number || !this.running) return;
    this.ears.live("lost");
    this.retry = setTimeout(() => void this.post(), backOff(this.tries++, Math.random()));
  }
}
