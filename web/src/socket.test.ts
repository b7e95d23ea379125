import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { backOff, randomId, Socket } from "./socket";

class Wire {
  static made: Wire[] = [];
  static get last(): Wire {
    return Wire.made.at(-1)!;
  }
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(readonly address: string) {
    Wire.made.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  does(kind: string): Record<string, unknown>[] {
    return this.sent.filter((message) => message["do"] === kind);
  }
}

function connected() {
  const told: string[] = [];
  const heard: unknown[][] = [];
  const socket = new Socket("ws://here/socket", {
    hello: () => ({ do: "hello", since: 17 }),
    heard: (message, command, took) => heard.push([message, command, took]),
    live: (state) => told.push(state),
  });
  socket.start();
  return { socket, told, heard };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Wire);
  Wire.made = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("socket", () => {
  it("is live once the greeting is answered", () => {
    const { told } = connected();
    Wire.last.open();
    expect(Wire.last.sent).toEqual([{ do: "hello", since: 17 }]);
    Wire.last.tell({ v: 18 });
    expect(told).toEqual([]);
    Wire.last.tell({ here: 18 });
    expect(told).toEqual(["on"]);
  });

  it("says how long each answer took, also on a new connection", () => {
    const { heard } = connected();
    const tooks = () => heard.flatMap(([, , took]) => (took === undefined ? [] : [took]));
    Wire.last.open();
    vi.advanceTimersByTime(300);
    Wire.last.tell({ v: 18 });
    Wire.last.tell({ here: 18 });
    vi.advanceTimersByTime(2300);
    Wire.last.tell({ pong: 18 });
    Wire.last.tell({ pong: 18 });
    vi.advanceTimersByTime(2500);
    Wire.last.onclose!();
    vi.advanceTimersByTime(0);
    Wire.last.open();
    vi.advanceTimersByTime(50);
    Wire.last.tell({ here: 18 });
    expect(tooks()).toEqual([300, 100, 50]);
  });

  it("doesn't stay with a connection that says what can't be read", () => {
    const { told } = connected();
    Wire.last.open();
    Wire.last.tell({ here: 17 });
    Wire.last.onmessage!({ data: "{" });
    expect(told).toEqual(["on", "lost"]);
  });

  it("hears the messages of a frame one after the other, until one ends the connection", () => {
    const { told, heard } = connected();
    Wire.last.open();
    const lines = [{ v: 17 }, { here: 17 }, { stop: true }, { v: 18 }].map((message) => JSON.stringify(message));
    Wire.last.onmessage!({ data: lines.join("\n") });
    expect(heard.map(([message]) => message)).toEqual([{ v: 17 }, { here: 17 }]);
    expect(told).toEqual(["on", "lost"]);
  });

  it("sends a command again, with its id, until it is answered", () => {
    const { socket, heard } = connected();
    const command = { do: "move", id: "m1", base: 17, move: "b2" };
    socket.send(command);
    for (let time = 0; time < 3; time++) {
      Wire.last.open();
      Wire.last.tell({ here: 17 });
      expect(Wire.last.does("move")).toEqual([command]);
      Wire.last.onclose!();
      vi.advanceTimersByTime(8000);
    }
    Wire.last.open();
    expect(socket.awaits("move")).toBe(true);
    Wire.last.tell({ id: "m1", applied: 18 });
    Wire.last.tell({ id: "m1", duplicate: 18 });
    expect(socket.awaits()).toBe(false);
    expect(heard.slice(-2).map(([, of]) => of)).toEqual([command, undefined]);
    Wire.last.onclose!();
    vi.advanceTimersByTime(8000);
    Wire.last.open();
    expect(Wire.last.does("move")).toEqual([]);
  });

  it("pings, and takes 9 s of silence for death", () => {
    const { told } = connected();
    Wire.last.open();
    Wire.last.tell({ here: 17 });
    vi.advanceTimersByTime(8900);
    expect(Wire.last.does("ping")).toHaveLength(3);
    expect(told).toEqual(["on"]);
    vi.advanceTimersByTime(200);
    expect(told).toEqual(["on", "lost"]);
    expect(Wire.made).toHaveLength(2);
  });

  it("stays with a server that answers", () => {
    connected();
    Wire.last.open();
    for (let time = 0; time < 20; time++) {
      Wire.last.tell({ pong: 17 });
      vi.advanceTimersByTime(2500);
    }
    expect(Wire.made).toHaveLength(1);
  });

  it("comes back at once, then waits longer and longer", () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    connected();
    const waits: number[] = [];
    for (let time = 0; time < 6; time++) {
      const before = Wire.made.length;
      Wire.last.onclose!();
      let waited = 0;
      for (; Wire.made.length === before; waited += 100) vi.advanceTimersByTime(waited ? 100 : 0);
      waits.push(Math.max(0, waited - 100));
    }
    expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 8000]);
    expect([backOff(1, 0), backOff(9, 0), backOff(9, 1)]).toEqual([500, 500, 8000]);
  });

  it("doesn't come back at once where the server asked it to go", () => {
    connected();
    Wire.last.open();
    Wire.last.tell({ here: 17 });
    vi.advanceTimersByTime(5000);
    Wire.last.tell({ stop: true });
    vi.advanceTimersByTime(400);
    expect(Wire.made).toHaveLength(1);
    vi.advanceTimersByTime(700);
    expect(Wire.made).toHaveLength(2);
  });

  it("leaves a server that has no room alone, but for who presses", () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { socket, told } = connected();
    const full = () => {
      Wire.last.open();
      socket.later(true);
    };
    full();
    expect(told).toEqual(["lost"]);
    vi.advanceTimersByTime(29_000);
    expect(Wire.made).toHaveLength(1);
    vi.advanceTimersByTime(2000);
    expect(Wire.made).toHaveLength(2);
    full();
    const command = { do: "move", id: "m1", base: 17, move: "b2" };
    socket.send(command);
    expect(Wire.made).toHaveLength(3);
    full();
    expect(Wire.last.does("move")).toEqual([command]);
    vi.advanceTimersByTime(29_000);
    expect(Wire.made).toHaveLength(3);
    vi.advanceTimersByTime(2000);
    Wire.last.open();
    socket.later(false);
    vi.advanceTimersByTime(9000);
    expect(Wire.made, "one that was only asked too fast is asked again soon").toHaveLength(5);
  });

  it("asks a connection that may have died while the machine slept", () => {
    const { socket } = connected();
    Wire.last.open();
    Wire.last.tell({ here: 17 });
    socket.probe();
    expect(Wire.last.does("ping")).toHaveLength(1);
    vi.advanceTimersByTime(4100);
    expect(Wire.made).toHaveLength(2);
  });

  it("stops when told to", () => {
    const { socket } = connected();
    Wire.last.open();
    socket.stop();
    socket.probe();
    vi.advanceTimersByTime(60000);
    expect(Wire.made).toHaveLength(1);
  });
});

it("makes ids without a secure context", () => {
  expect(randomId()).toMatch(/^[0-9a-f]{24}$/);
  expect(randomId()).not.toBe(randomId());
});
