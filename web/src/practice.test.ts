import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KletkaTable } from "./table";

const place = (id: string, x: number, tab: number) =>
  `<polygon data-place="${id}" points="${x},0 ${x + 100},0 ${x + 100},100 ${x},100" role="button" tabindex="${tab}" aria-label="${id}, free"/>`;

const PAGE = `<kletka-table data-practice="/en/practice" data-spec="tictactoe" data-moves="a1" data-open data-lang="en" data-version="1" data-base="1" data-to="1" data-seat="1" data-live="off">
<div class="board" data-board><svg class="panel" data-panel="0" viewBox="0 0 400 100"><g data-layer="0.sign"></g>
<g class="places">${place("b1", 100, 0)}${place("c1", 200, -1)}</g></svg></div>
<p data-say>Noughts to move.</p><p data-notice hidden></p><button data-step="back"></button>
<ol data-moves><li data-v="1"><button data-step="1">a1</button></li></ol><details><pre data-twin></pre></details></kletka-table>`;

const WHAT = { spec: "tictactoe", setup: "", position: "", open: true, signs: "" };

let table: HTMLElement;
let asked: [address: string, body: object][];
/** Answers that are still to be given, in the order of the questions. */
let answers: ((answer: object | Error, status?: number) => Promise<void>)[];

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  answers = [];
  vi.stubGlobal("fetch", (address: string, { body }: { body: string }) => {
    asked.push([address, JSON.parse(body)]);
    return new Promise((tell, fail) =>
      answers.push(async (answer, status = 200) => {
        if (answer instanceof Error) fail(answer);
        else tell({ ok: status < 300, status, json: async () => answer });
        await vi.advanceTimersByTimeAsync(0);
      }),
    );
  });
  const holder = document.createElement("div");
  holder.innerHTML = PAGE;
  document.body.replaceChildren(holder);
  table = document.querySelector("kletka-table")!;
});
afterEach(() => {
  table.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const press = (id: string) => table.querySelector(`[data-place="${id}"]`)!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
const played = (v: number, move: string, seat: number) => ({
  v,
  to: seat,
  seat,
  base: v,
  applied: v,
  played: move,
  marks: { [`0.sign/${move}`]: `<path d="M0 0h${v}"></path>` },
  places: { [move]: [`${move}, taken`, 0] },
  item: `<li data-v="${v}"><button data-step="${v}">${move}</button></li>`,
});

describe("practice", () => {
  it("sends a move with all that was played, and keeps what was answered", async () => {
    expect(table.dataset["live"]).toBe("on");
    expect(asked).toEqual([]);
    press("b1");
    press("c1");
    expect(asked).toEqual([["/en/practice", { ...WHAT, moves: ["a1"], move: "b1" }]]);
    expect(table.hasAttribute("data-pending")).toBe(true);
    const heard: unknown[] = [];
    table.addEventListener("practised", (event) => heard.push((event as CustomEvent).detail));
    await answers[0]!(played(2, "b1", 0));
    expect(heard).toEqual([played(2, "b1", 0)]);
    expect(table.dataset).toMatchObject({ moves: "a1,b1", version: "2", to: "0", seat: "0" });
    expect(table.hasAttribute("data-pending")).toBe(false);
    press("c1");
    expect(asked[1]).toEqual(["/en/practice", { ...WHAT, moves: ["a1", "b1"], move: "c1" }]);
  });

  it("shows a refusal and goes on", async () => {
    press("b1");
    await answers[0]!({ refused: [{ code: "taken", at: ["b1"], say: "Taken." }] }, 422);
    expect(table.querySelector("[data-notice]")!.textContent).toBe("Taken.");
    expect(table.dataset).toMatchObject({ moves: "a1", live: "on" });
    press("c1");
    expect(asked).toHaveLength(2);
  });

  it("asks again where nobody answers", async () => {
    press("b1");
    await answers[0]!(new Error("offline"));
    expect(table.dataset["live"]).toBe("lost");
    await vi.advanceTimersByTimeAsync(1000);
    await answers[1]!({}, 503);
    expect(asked).toHaveLength(2);
    window.dispatchEvent(new Event("online"));
    expect(asked.map(([, body]) => body)).toEqual(Array(3).fill({ ...WHAT, moves: ["a1"], move: "b1" }));
    await answers[2]!(played(2, "b1", 0));
    expect(table.dataset).toMatchObject({ live: "on", moves: "a1,b1" });
  });

  it("is set back by its attributes, and doesn't listen to what was asked before", async () => {
    press("b1");
    await answers[0]!(played(2, "b1", 0));
    press("c1");
    (table as KletkaTable).describe([]);
    expect(asked[2]).toEqual(["/en/practice", { ...WHAT, moves: [] }]);
    await answers[1]!(played(3, "c1", 1));
    expect(table.getAttribute("data-moves")).toBe("");
    expect(table.dataset["version"]).toBe("2");
    const places = { b1: ["b1, free", 1], c1: ["c1, free", 1] };
    await answers[2]!({ v: 0, to: 0, seat: 0, base: 0, whole: 1, marks: {}, places, items: "" });
    expect(table.dataset).toMatchObject({ version: "0", shown: "0", to: "0" });
    expect(table.querySelectorAll("[data-m]")).toHaveLength(0);
    press("b1");
    expect(asked[3]).toEqual(["/en/practice", { ...WHAT, moves: [], move: "b1" }]);
  });

  it("shows a board that it has seen without asking", async () => {
    const whole = (v: number) => ({ v, to: v % 2, seat: v % 2, base: v, whole: 1, marks: {}, places: {}, items: "" });
    const describe = (moves: string[]) => (table as KletkaTable).describe(moves);
    describe([]);
    await answers[0]!(whole(0));
    describe(["b1"]);
    expect(table.hasAttribute("data-pending")).toBe(true);
    describe([]);
    expect(asked).toHaveLength(2);
    expect(table.hasAttribute("data-pending")).toBe(false);
    expect(table.dataset).toMatchObject({ version: "0", to: "0" });
    await answers[1]!(whole(1));
    expect(table.dataset["version"]).toBe("0");
    describe(["b1"]);
    expect(asked).toHaveLength(3);
  });

  it("asks again for what the page was left with", async () => {
    press("b1");
    window.dispatchEvent(new Event("pagehide"));
    await answers[0]!(played(2, "b1", 0));
    expect(table.dataset).toMatchObject({ moves: "a1", version: "1" });
    window.dispatchEvent(new Event("pageshow"));
    expect(asked[1]).toEqual(asked[0]);
    await answers[1]!(played(2, "b1", 0));
    expect(table.dataset).toMatchObject({ moves: "a1,b1", version: "2" });
  });

  it("tells what it is when it asks for its history", async () => {
    table.querySelector<HTMLElement>("[data-step=back]")!.click();
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([["/en/practice/events", { ...WHAT, moves: ["a1"] }]]);
    await answers[0]!({ events: [{ v: 0, marks: {} }, { v: 1, marks: { "0.sign/a1": "<path></path>" } }] });
    expect(table.dataset["shown"]).toBe("0");
  });
});
