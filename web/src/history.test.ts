import { describe, expect, it } from "vitest";
import { History, type TableEvent } from "./history";

const shown = (history: History, version: number) =>
  Object.fromEntries([...history.picture(version)].filter(([, fragment]) => fragment !== null));

const GAME: TableEvent[] = [
  { v: 0, whole: 1, marks: { "0.area/hint": "h" } },
  { v: 1, marks: { "0.sign/a1": "x", "0.over/last": "la" } },
  { v: 2, marks: { "0.sign/b2": "o", "0.over/last": "lb" } },
  // Taken back, then played elsewhere.
  { v: 3, marks: { "0.sign/b2": null, "0.over/last": "la" } },
  { v: 4, marks: { "0.sign/c3": "o", "0.over/last": "lc", "0.area/hint": null } },
];

const PICTURES = [
  { "0.area/hint": "h" },
  { "0.area/hint": "h", "0.sign/a1": "x", "0.over/last": "la" },
  { "0.area/hint": "h", "0.sign/a1": "x", "0.sign/b2": "o", "0.over/last": "lb" },
  { "0.area/hint": "h", "0.sign/a1": "x", "0.over/last": "la" },
  { "0.sign/a1": "x", "0.sign/c3": "o", "0.over/last": "lc" },
];

describe("history", () => {
  it("shows every version, also over a take-back", async () => {
    const history = new History();
    await history.load(async () => GAME);
    expect(history.complete).toBe(true);
    expect(PICTURES.map((_, version) => shown(history, version))).toEqual(PICTURES);
    expect(history.versions()).toEqual([0, 1, 2, 3, 4]);
  });

  it("follows events after loading, and those heard while it loads", async () => {
    const history = new History();
    history.add(GAME[1]!);
    await history.load(async () => {
      history.add(GAME[3]!);
      history.add(GAME[4]!);
      return GAME.slice(0, 4);
    });
    history.add({ v: 5, marks: { "0.sign/a2": "x" } });
    expect(PICTURES.map((_, version) => shown(history, version))).toEqual(PICTURES);
    expect(shown(history, 5)).toEqual({ ...PICTURES[4], "0.sign/a2": "x" });
  });

  it("asks again after a snapshot, but shows the snapshot and what follows", async () => {
    const history = new History();
    await history.load(async () => GAME.slice(0, 2));
    history.add({ v: 4, whole: 1, marks: PICTURES[4]! });
    history.add({ v: 5, marks: { "0.sign/c3": null } });
    expect(history.complete).toBe(false);
    expect(shown(history, 4)).toEqual(PICTURES[4]);
    expect(shown(history, 5)).toEqual({ "0.sign/a1": "x", "0.over/last": "lc" });
    await history.load(async () => GAME);
    expect(history.complete).toBe(true);
    expect(shown(history, 2)).toEqual(PICTURES[2]);
  });

  it("keeps what it has when loading fails", async () => {
    const history = new History();
    history.add({ v: 4, whole: 1, marks: PICTURES[4]! });
    await expect(history.load(() => Promise.reject(new Error("offline")))).rejects.toThrow();
    expect(shown(history, 4)).toEqual(PICTURES[4]);
    expect(history.complete).toBe(false);
  });
});
