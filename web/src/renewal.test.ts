import { beforeEach, describe, expect, it, vi } from "vitest";
import { Renewal } from "./renewal";

let page: HTMLElement;
let idle: boolean;
const load = vi.fn();
const made = () => new Renewal(page, () => idle, load);
const line = () => page.querySelector<HTMLElement>("[data-renewed]")!;

beforeEach(() => {
  sessionStorage.clear();
  load.mockReset();
  idle = false;
  document.body.innerHTML = `<div data-build="1"><p data-renewed hidden>New. <button data-renew>Load</button></p></div>`;
  page = document.querySelector("div")!;
});

describe("a page that is older than its server", () => {
  it("says nothing while they are alike", () => {
    const renewal = made();
    idle = true;
    renewal.runs("1");
    renewal.consider();
    expect([line().hidden, load.mock.calls.length]).toEqual([true, 0]);
  });

  it("says so, waits until nobody is disturbed, and loads once", () => {
    const renewal = made();
    renewal.runs("2");
    renewal.consider();
    expect([line().hidden, load.mock.calls.length]).toEqual([false, 0]);
    idle = true;
    renewal.consider();
    renewal.consider();
    expect(load).toHaveBeenCalledOnce();
  });

  it("doesn't load again and again between two builds, but when it is pressed", () => {
    idle = true;
    for (let time = 0; time < 4; time++) {
      const renewal = made();
      renewal.runs("2");
      renewal.consider();
    }
    expect(load).toHaveBeenCalledOnce();
    line().querySelector("button")!.click();
    expect(load).toHaveBeenCalledTimes(5);
  });

  it("loads at once, and once, where it understands nothing", () => {
    for (let time = 0; time < 3; time++) made().puzzled(7);
    expect(load).toHaveBeenCalledOnce();
    expect(line().hidden).toBe(false);
    made().puzzled(8);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("never loads by itself where that can't be remembered", () => {
    vi.stubGlobal("sessionStorage", undefined);
    idle = true;
    const renewal = made();
    renewal.puzzled(7);
    renewal.consider();
    expect([line().hidden, load.mock.calls.length]).toEqual([false, 0]);
    vi.unstubAllGlobals();
  });
});
