import { beforeEach, describe, expect, it, vi } from "vitest";
import { Curtain } from "./curtain";

let table: HTMLElement;
const look = vi.fn();
const find = <T extends HTMLElement = HTMLElement>(selector: string) => table.querySelector<T>(selector)!;
const begin = (attributes: string) => {
  look.mockReset();
  document.body.innerHTML = `<div ${attributes}>
    <template data-people><i data-person="0" data-pass="Pass it to Ann." data-am="I am Ann" data-hides="Ann’s"></i><i data-person="1" data-pass="Pass it to Bob." data-am="I am Bob" data-hides="Bob’s"></i></template>
    <section data-curtain aria-label="Covered" hidden><p data-curtain-says></p><button></button></section>
    <div class="play"><button data-place="a1" tabindex="0">a1</button></div><p data-passing hidden><span data-pass-to></span><button>Hide</button></p></div>`;
  table = document.querySelector("body > div")!;
  return new Curtain(table, { look, changed: () => undefined });
};
const hear = (curtain: Curtain, to: string, seat?: string, passes = false) => {
  table.dataset["to"] = to;
  if (seat !== undefined) table.dataset["seat"] = seat;
  curtain.heard(seat !== undefined, passes);
};
const HIDDEN = 'data-own="0 1" data-hidden data-to="0" data-seat="0"';

beforeEach(() => look.mockReset());

describe("a shared screen", () => {
  it("hides everything until somebody says who they are", () => {
    const curtain = begin(HIDDEN);
    expect([curtain.down, table.className, find(".play").inert, find("[data-curtain]").hidden]).toEqual([true, "curtained", true, false]);
    expect([find("[data-curtain] button").textContent, find("[data-curtain-says]").textContent]).toEqual(["I am Ann", "Ann’s"]);
    expect(document.activeElement).toBe(find("[data-curtain] button"));
    find("[data-curtain] button").click();
    expect([look.mock.calls.length, curtain.down]).toEqual([1, true]);
    hear(curtain, "0", "0");
    expect([curtain.down, table.className, find(".play").inert]).toEqual([false, "", false]);
    expect(document.activeElement).toBe(find("[data-place]"));
  });

  it("is passed on: a bar, the curtain, a word, the other one's board", () => {
    const curtain = begin(HIDDEN);
    find("[data-curtain] button").click();
    hear(curtain, "0", "0");
    hear(curtain, "1");
    expect([curtain.down, curtain.closed, find("[data-passing]").hidden]).toEqual([false, true, false]);
    expect(find("[data-pass-to]").textContent).toBe("Pass it to Bob.");
    find("[data-passing] button").click();
    expect([curtain.down, find("[data-passing]").hidden, find("[data-curtain] button").textContent]).toEqual([true, true, "I am Bob"]);
    find("[data-curtain] button").click();
    // A snapshot that isn't for them yet.
    hear(curtain, "1", "0");
    expect(curtain.down).toBe(true);
    hear(curtain, "1", "1");
    expect([curtain.down, curtain.closed]).toEqual([false, false]);
  });

  it("falls at once where there is nothing left to read, and not for the second half of a double press", () => {
    const curtain = begin(HIDDEN);
    find("[data-curtain] button").click();
    hear(curtain, "0", "0");
    hear(curtain, "1", undefined, true);
    expect([curtain.down, find("[data-passing]").hidden, find("[data-curtain] button").textContent]).toEqual([true, true, "I am Bob"]);
    find("[data-curtain] button").dispatchEvent(new MouseEvent("click", { detail: 2 }));
    expect(look).toHaveBeenCalledTimes(1);
    find("[data-curtain] button").dispatchEvent(new MouseEvent("click", { detail: 1 }));
    expect(look).toHaveBeenCalledTimes(2);
  });

  it("asks again after a lost connection", () => {
    const curtain = begin(HIDDEN);
    curtain.connected();
    expect(look).not.toHaveBeenCalled();
    find("[data-curtain] button").click();
    curtain.connected();
    expect(look).toHaveBeenCalledTimes(2);
  });

  it("falls by itself where the board becomes another seat's", () => {
    const curtain = begin(HIDDEN);
    find("[data-curtain] button").click();
    hear(curtain, "0", "0");
    hear(curtain, "1", "1");
    expect([curtain.down, find("[data-curtain] button").textContent]).toEqual([true, "I am Bob"]);
  });

  it("says nothing of anybody while nobody knows who is next", () => {
    const curtain = begin('data-own="0 1" data-hidden data-to="2"');
    expect([find("[data-curtain-says]").textContent, find("[data-curtain] button").hidden]).toEqual(["Covered", true]);
    hear(curtain, "1");
    expect([find("[data-curtain] button").textContent, find("[data-curtain] button").hidden]).toEqual(["I am Bob", false]);
  });

  it("has no curtain where all know the same, sit alone, or have ended", () => {
    expect(begin('data-own="0 1" data-to="0" data-seat="0"').down).toBe(false);
    expect(begin('data-own="0" data-hidden data-to="0" data-seat="0"').down).toBe(false);
    expect(begin(`${HIDDEN} data-over`).down).toBe(false);
    const curtain = begin(HIDDEN);
    table.dataset["over"] = "";
    hear(curtain, "", "0");
    expect([curtain.down, find("[data-passing]").hidden]).toEqual([false, true]);
  });
});
