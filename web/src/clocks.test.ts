import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Clocks, ServerTime, stays, written } from "./clocks";

const WORDS = { days: "{d} d {h} h", tenths: "{s},{t}", hurry: "{time} – hurry!" };
const START = 1_800_000_000_000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(START);
});
afterEach(() => vi.useRealTimers());

/** What this machine's sleep looks like: the one clock goes on, the other one stood still. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a remaining time", () => {
  it("is written as people say it", () => {
    const times = [0, 90, 9_901, 10_000, 10_001, 59_999, 61_000, 3_599_000, 3_661_000, 86_399_000, 86_399_001, 187_200_000];
    expect(times.map((ms) => written(ms, WORDS, true))).toEqual([
      "0,0", "0,1", "10,0", "10,0", "0:11", "1:00", "1:01", "59:59", "1:01:01", "23:59:59", "1 d 0 h", "2 d 4 h",
    ]);
    expect(written(9_901, WORDS, false)).toBe("0:10");
  });

  it("is written anew as soon as that says something else, and not before", () => {
    for (const ms of [50, 100, 101, 1_234, 9_999, 10_000, 10_001, 61_500, 86_399_999]) {
      const wait = stays(ms);
      expect(written(ms - wait, WORDS, true), String(ms)).not.toBe(written(ms, WORDS, true));
      expect(written(ms - wait + 1, WORDS, true), String(ms)).toBe(written(ms, WORDS, true));
    }
  });
});

describe("the server's time", () => {
  it("is told best by the quickest answer", () => {
    const time = new ServerTime();
    expect(time.now).toBeNull();
    time.heard(5000, 400);
    expect(time.now).toBe(5200);
    vi.advanceTimersByTime(1000);
    time.heard(6100, 40);
    expect(time.now).toBe(6120);
    vi.advanceTimersByTime(1000);
    time.heard(9000, 300);
    expect(time.now).toBe(7120);
    time.begin();
    time.heard(9000, 300);
    expect(time.now).toBe(9150);
  });

  it("doesn't follow the machine's clock, and trusts the next answer after a sleep", () => {
    const time = new ServerTime();
    time.heard(5000, 10);
    sleep(3_600_000);
    expect(time.now).toBe(5005);
    expect([time.jumped(), time.jumped()]).toEqual([true, false]);
    time.heard(3_605_000, 800);
    expect(time.now).toBe(3_605_400);
    sleep(-7_200_000);
    time.heard(3_605_000, 900);
    expect(time.now).toBe(3_605_450);
  });

  it("trusts an old answer less and less", () => {
    const time = new ServerTime();
    time.heard(0, 10);
    for (let answers = 0; answers < 100; answers++) time.heard(70_000, 60);
    expect(time.now).toBe(70_030);
  });
});

describe("the clocks", () => {
  const ask = vi.fn();
  let table: HTMLElement;
  let clocks: Clocks;
  const shown = () => [...table.querySelectorAll("[data-clock]")].map((clock) => clock.textContent);
  const said = () => table.querySelector("[data-clock-words]")!.textContent;
  const begin = (ms: number, to = 0, left: (number | null)[] = [60_000, 45_000]) => {
    clocks.heard(START, 0);
    clocks.set({ left, deadline: START + ms, to });
  };
  beforeEach(() => {
    ask.mockReset();
    document.body.innerHTML = `<div data-seat="0"><p data-clock-row="0"><span data-clock="0">1:00</span></p><p data-clock-row="1"><span data-clock="1">0:45</span></p>
      <p data-clock-words data-days="{d} d {h} h" data-tenths="{s}.{t}" data-hurry="{time} – hurry!" data-thirty="30 left" data-ten="10 left"></p></div>`;
    table = document.querySelector("div")!;
    clocks = new Clocks(table, ask);
  });
  afterEach(() => clocks.stop());

  it("tick, one of them, and stand at nothing", () => {
    begin(61_500);
    expect(shown()).toEqual(["1:02", "0:45"]);
    vi.advanceTimersByTime(501);
    expect(shown()).toEqual(["1:01", "0:45"]);
    vi.advanceTimersByTime(51_100);
    expect(shown()).toEqual(["9.9 – hurry!", "0:45"]);
    expect([...table.querySelectorAll(".low, .runs")].map((one) => one.className)).toEqual(["runs", "low"]);
    vi.advanceTimersByTime(20_000);
    expect(shown()).toEqual(["0.0 – hurry!", "0:45"]);
    expect(vi.getTimerCount()).toBe(0);
    clocks.set({ left: [60_000, 45_000], deadline: null, to: null });
    expect(shown()).toEqual(["1:00", "0:45"]);
    expect(table.querySelectorAll(".low, .runs")).toHaveLength(0);
  });

  it("hurry only the one who looks", () => {
    begin(5_000, 1);
    expect(shown()).toEqual(["1:00", "5.0"]);
  });

  it("wait for the server's time with what it wrote", () => {
    clocks.set({ left: [60_000, 45_000], deadline: START + 5000, to: 0 });
    expect(shown()).toEqual(["1:00", "0:45"]);
    clocks.heard(START, 0);
    expect(shown()).toEqual(["5.0 – hurry!", "0:45"]);
  });

  it("never give time back before the same deadline", () => {
    clocks.heard(START, 2000);
    clocks.set({ left: [], deadline: START + 60_000, to: 0 });
    expect(shown()[0]).toBe("0:59");
    clocks.heard(START - 5000, 10);
    expect(shown()[0]).toBe("0:59");
    vi.advanceTimersByTime(5000);
    expect(shown()[0]).toBe("0:59");
    vi.advanceTimersByTime(2000);
    expect(shown()[0]).toBe("0:58");
    clocks.set({ left: [], deadline: START + 90_000, to: 0 });
    expect(shown()[0]).toBe("1:28");
  });

  it("are right at once when the server answers after a sleep, and ask it by themselves", () => {
    begin(300_000);
    sleep(120_000);
    vi.advanceTimersByTime(1000);
    expect(ask).toHaveBeenCalledOnce();
    clocks.heard(START + 121_000, 900);
    expect(shown()[0]).toBe("2:59");
  });

  it("are spoken twice at most", () => {
    begin(31_000);
    expect(said()).toBe("");
    vi.advanceTimersByTime(1100);
    expect(said()).toBe("30 left");
    vi.advanceTimersByTime(15_000);
    expect(said()).toBe("30 left");
    vi.advanceTimersByTime(5_000);
    expect(said()).toBe("10 left");
  });

  it("aren't spoken for others, nor where a turn begins with little time", () => {
    begin(31_000, 1);
    vi.advanceTimersByTime(25_000);
    expect(said()).toBe("");
    begin(20_000 + 25_000, 0);
    vi.advanceTimersByTime(5_000);
    expect(said()).toBe("");
  });
});
