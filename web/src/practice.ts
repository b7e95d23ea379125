import { ask, described, written } from "./asking";
import { backOff, type Answer, type Command, type Ears } from "./socket";

/** What a practice board answers: an event, and with a move how the game writes it. */
export interface Practised extends Answer {
  v?: number;
  played?: string;
}

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
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: HTMLElement,
    private readonly ears: Pick<Ears<Message>, "heard" | "live">,
  ) {}

  start(): void {
    if (this.running) return;
    this.running = true;
    this.ears.live("on");
  }

  stop(): void {
    this.running = false;
    clearTimeout(this.retry);
    this.number++;
    this.waiting = null;
    this.asking = false;
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
    this.asking = true;
    void this.post();
  }

  private async post(): Promise<void> {
    clearTimeout(this.retry);
    this.retry = undefined;
    const number = ++this.number;
    const { waiting } = this;
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
    }
    this.ears.heard(waiting ? { ...message, id: waiting.id } : message, waiting ?? undefined);
    this.table.dispatchEvent(new CustomEvent("practised", { detail: message, bubbles: true }));
  }

  private lost(number: number): void {
    if (number !== this.number || !this.running) return;
    this.ears.live("lost");
    this.retry = setTimeout(() => void this.post(), backOff(this.tries++, Math.random()));
  }
}
