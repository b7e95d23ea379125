const BEAT = 2500;
const DEAD = 9000;
const PROBE = 4000;
const STEADY = 3000;
/** How long a server that has no room is left alone, in milliseconds, at least; at most twice as long. */
const REST = 30_000;

/** A command is kept until it is answered, and sent again with the same id: the server applies an id once. */
export interface Command {
  readonly do: string;
  readonly id: string;
  readonly [fact: string]: string | number;
}

export interface Answer {
  id?: string;
  stop?: boolean;
  /** The table's version: at the end of a greeting, and in answer to a ping. */
  here?: number;
  pong?: number;
}

export interface Ears<Message> {
  /** The first message of every connection. */
  hello(): object;
  /** `took` says of an answer to a greeting or a ping how many milliseconds after it it came. */
  heard(message: Message, command: Command | undefined, took?: number): void;
  /** On once the greeting has been answered to its end. */
  live(state: "on" | "lost"): void;
}

/** crypto.randomUUID is missing on plain http, as at home under an address of the local network. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Waiting times after the first retry, which comes at once. */
export function backOff(tries: number, chance: number): number {
  return 500 + chance * (Math.min(8000, 500 * 2 ** tries) - 500);
}

/** A frame's messages, one a line; null stands for what can't be read. */
function read<Message>(data: unknown): (Message | null)[] {
  return String(data)
    .split("\n")
    .map((line) => {
      try {
        return JSON.parse(line) as Message;
      } catch {
        return null;
      }
    });
}

/** A connection that comes back. It knows commands and answers, nothing of a page. */
export class Socket<Message extends Answer> {
  private socket: WebSocket | null = null;
  private greeted = false;
  private running = false;
  private tries = 0;
  /** The server is left alone for a while. */
  private resting = false;
  private opened = 0;
  private spoke = 0;
  private beat: ReturnType<typeof setInterval> | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** When the greetings and pings went out that haven't been answered yet. */
  private asked: number[] = [];
  private readonly waiting = new Map<string, Command>();

  constructor(
    private readonly address: string,
    private readonly ears: Ears<Message>,
  ) {}

  start(): void {
    if (this.running) return;
    this.running = true;
    this.connect();
  }

  stop(): void {
    this.running = false;
    this.close();
  }

  /** Whether a command of this kind waits for its answer. */
  awaits(kind?: string): boolean {
    return [...this.waiting.values()].some((command) => kind === undefined || command.do === kind);
  }

  send(command: Command): void {
    this.waiting.set(command.id, command);
    if (this.resting) this.connect();
    else this.say(command);
  }

  /** Says something that isn't answered by its id, and isn't said again. */
  tell(message: object): void {
    this.say(message);
  }

  /** The server has no room: it is asked again after a while, or a long while; by whoever presses, at once. */
  later(long: boolean): void {
    this.lose(true, long ? REST * (1 + Math.random()) : 0);
    this.resting = long;
  }

  hello(): void {
    this.question(this.ears.hello());
  }

  /** The machine woke up or found a network: what looks like a connection may be dead, a wait may be pointless. */
  probe(): void {
    if (!this.running) return;
    if (!this.socket) this.connect();
    else if (this.greeted) this.ping(PROBE);
  }

  private connect(): void {
    this.close();
    this.resting = false;
    const socket = (this.socket = new WebSocket(this.address));
    this.opened = Date.now();
    this.expect(DEAD);
    socket.onopen = () => {
      this.hello();
      for (const command of this.waiting.values()) this.say(command);
      this.beat = setInterval(() => this.ping(), BEAT);
    };
    socket.onmessage = ({ data }) => {
      this.spoke = Date.now();
      clearTimeout(this.deadline);
      this.deadline = undefined;
      for (const message of read<Message>(data)) {
        if (this.socket !== socket) return;
        if (!message || message.stop) return this.lose(true);
        this.hear(message, socket);
      }
    };
    socket.onclose = () => this.lose();
  }

  private hear(message: Message, socket: WebSocket): void {
    const command = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (command) this.waiting.delete(command.id);
    const asked = (message.here ?? message.pong) === undefined ? undefined : this.asked.shift();
    this.ears.heard(message, command, asked === undefined ? undefined : performance.now() - asked);
    if (!this.greeted && message.here !== undefined && this.socket === socket) {
      this.greeted = true;
      this.ears.live("on");
    }
  }

  private say(message: object): void {
    // 1: open. Anything said before is said again after the greeting.
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  private question(message: object): void {
    if (this.socket?.readyState === 1) this.asked.push(performance.now());
    this.say(message);
  }

  private ping(limit?: number): void {
    this.question({ do: "ping" });
    // Timers sleep in hidden pages: silence counts only from a ping that had time for its answer.
    if (limit !== undefined) this.expect(limit);
    else if (this.deadline === undefined) this.expect(Math.max(PROBE, this.spoke + DEAD - Date.now()));
  }

  private expect(limit: number): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.lose(), limit);
  }

  private lose(asked = false, rest = 0): void {
    // A server that takes connections and drops them must not be asked again without a pause.
    if (this.greeted && Date.now() - this.opened > STEADY) this.tries = 0;
    if (asked) this.tries = Math.max(1, this.tries);
    this.close();
    this.ears.live("lost");
    const wait = rest || (this.tries ? backOff(this.tries, Math.random()) : 0);
    this.tries++;
    this.retry = setTimeout(() => this.connect(), wait);
  }

  private close(): void {
    clearInterval(this.beat);
    clearTimeout(this.deadline);
    clearTimeout(this.retry);
    this.deadline = undefined;
    this.greeted = false;
    this.asked = [];
    const socket = this.socket;
    if (!socket) return;
    this.socket = null;
    // A dead connection may take minutes to close: from now on nobody listens to it.
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
