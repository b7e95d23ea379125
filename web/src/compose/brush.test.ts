import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Board } from "../board";
import { Brush } from "./brush";
import type { Answer } from "./acts";

const SQUARES = ["a1", "b1", "c1", "d1"];
const PAGE = `<div data-at="/en/t/Ab3x"><div class="board" data-board><svg class="panel" data-panel="0" viewBox="0 0 400 100">
<g data-layer="0.draft"></g><g class="places">${SQUARES.map(
  (id, n) =>
    `<polygon data-place="${id}" points="${n * 100},0 ${n * 100 + 100},0 ${n * 100 + 100},100 ${n * 100},100" role="button" tabindex="${n ? -1 : 0}"${id === "d1" ? ' aria-disabled="true"' : ""}/>`,
).join("")}</g></svg></div>
<section data-brush data-pencilled="{place}: again" data-atom="an atom" data-centre="a centre" data-brush-hint="brush" data-unsent="unsent">
<button data-compose aria-pressed="false">Grow</button>
<div data-composes hidden><button data-mode="atom"></button><button data-mode="centre"></button><button data-mode="brush"></button>
<button data-act="left"></button><button data-act="largest"></button><button data-act="new"></button><button data-act="drop"></button><button data-undo></button></div>
<div data-works hidden><p data-draft-says></p><p data-draft-faults></p>
<button data-send data-label="Place and grow" data-confirm="Really?"></button><button data-leave></button></div></section></div>`;

/** What the server makes of an act: a stand-in that keeps the squares as they come. */
function acted(text: string, act: string): Partial<Answer> {
  const [kind, rest = ""] = act.split(":");
  const [atom = "", outline] = text.split("+");
  const [centre = "", squares = ""] = (outline ?? "").split("~");
  const joined = (a: string, c?: string, s = "") => a + (c === undefined ? "" : `+${c}~${s}`);
  if (kind === "atom") return { text: joined(atom === rest ? "" : rest, outline === undefined ? undefined : centre, squares) };
  if (kind === "centre") return { text: joined(atom, rest) };
  if (kind === "drop") return { text: atom };
  if (kind !== "brush") return { text };
  const set = new Set(squares.split(".").filter(Boolean));
  for (const square of rest.split(".")) set.has(square) ? set.delete(square) : set.add(square);
  return { text: joined(atom, centre, [...set].sort().join(".")) };
}

let table: HTMLElement;
let brush: Brush;
let board: Board;
let may: boolean;
let mine: boolean;
let more: (text: string) => Partial<Answer>;
let size: number;
const asked: { text: string; act: string }[] = [];
const played: string[] = [];
const plain: string[] = [];
const said = { hint: "", notice: "" };

const find = (selector: string) => table.querySelector<HTMLElement>(selector)!;
const place = (id: string) => find(`[data-place="${id}"]`);
const settle = () => vi.advanceTimersByTimeAsync(0);
const press = async (id: string, finger = false) => {
  board.press(place(id), finger);
  await settle();
};
const click = async (selector: string) => {
  find(selector).click();
  await settle();
};
const key = (target: HTMLElement, name: string, more: object = {}) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
const mouse = (kind: string, target: Element) => {
  const event = new PointerEvent(kind, { bubbles: true, pointerType: "mouse", button: 0 });
  target.dispatchEvent(event);
};
const text = () => find("[data-brush]").dataset["text"];

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = played.length = plain.length = 0;
  may = mine = true;
  size = 40;
  more = () => ({});
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const question = JSON.parse(body) as { text: string; act: string };
    asked.push(question);
    const made = acted(question.text, question.act);
    const [atom = "", outline] = (made.text ?? "").split("+");
    const can = outline === undefined ? [] : ["left", "largest", "drop", ...(outline.endsWith("~") ? [] : ["new"])];
    const answer = { marks: {}, refused: [], sends: null, label: "", says: [], warning: "", atom, can, ...made };
    return { ok: true, status: 200, json: async () => ({ ...answer, ...more(answer.text ?? "") }) };
  });
  document.body.innerHTML = PAGE;
  table = document.body.firstElementChild as HTMLElement;
  for (const id of SQUARES) place(id).getBoundingClientRect = () => new DOMRect(0, 0, size, size);
  const host = {
    may: () => may,
    mine: () => mine,
    live: () => true,
    over: () => false,
    closed: () => false,
    play: (move: string) => void played.push(move),
    hint: (line: string) => void (said.hint = line),
    notice: (line: string) => void (said.notice = line),
  };
  board = new Board(find("[data-board]"), {
    may: () => may,
    play: (move) => plain.push(move) > 0,
    ask: () => undefined,
    takes: (one, finger) => brush.takes(one, finger),
    aims: (one) => brush.aim(one),
  });
  brush = new Brush(table, find("[data-board]"), find("[data-brush]"), board, host);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("placing", () => {
  it("leaves a press to the board, and a finger's on a large square", async () => {
    await press("a1");
    await press("b1", true);
    expect(plain).toEqual(["a1", "b1"]);
    expect(asked).toEqual([]);
  });

  it("marks a small square at the first tap and plays at the second", async () => {
    size = 16;
    more = (made) => ({ sends: made || null, label: `Place ${made}` });
    await press("a1", true);
    expect(said.hint).toBe("a1: again");
    await press("b1", true);
    expect([plain, played]).toEqual([[], []]);
    expect(find("[data-send]").textContent).toBe("Place b1");
    await press("b1", true);
    expect(played).toEqual(["b1"]);
    expect(asked).toEqual([
      { text: "", act: "atom:a1" },
      { text: "", act: "atom:b1" },
    ]);
  });

  it("plays a second tap that comes before the answer to the first", async () => {
    size = 16;
    more = (made) => ({ sends: made || null });
    board.press(place("a1"), true);
    board.press(place("a1"), true);
    expect(played).toEqual([]);
    await settle();
    expect(played).toEqual(["a1"]);
  });

  it("leaves a tap on a small square that can't be played to the rules", async () => {
    size = 16;
    await press("d1", true);
    expect(asked).toEqual([]);
  });
});

describe("an outline", () => {
  beforeEach(async () => {
    await click("[data-compose]");
  });

  it("begins with its centre and takes squares after that", async () => {
    expect(find("[data-compose]").getAttribute("aria-pressed")).toBe("true");
    expect(said.hint).toBe("a centre");
    await press("a1");
    expect(said.hint).toBe("brush");
    await press("b1");
    await press("c1");
    await press("b1");
    expect(text()).toBe("+a1~c1");
    await click("[data-mode=atom]");
    await press("d1");
    expect(text()).toBe("d1+a1~c1");
    await click("[data-mode=centre]");
    await press("b1");
    expect(text()).toBe("d1+b1~");
    expect(plain).toEqual([]);
  });

  it("asks one act after the other, though presses don't wait", async () => {
    for (const id of ["a1", "b1", "c1"]) board.press(place(id));
    await settle();
    expect(asked).toEqual([
      { text: "", act: "" },
      { text: "", act: "centre:a1" },
      { text: "+a1~", act: "brush:b1" },
      { text: "+a1~b1", act: "brush:c1" },
    ]);
  });

  it("opens every square to presses while it lasts", async () => {
    expect(place("d1").hasAttribute("aria-disabled")).toBe(false);
    board.name({ c1: ["c1, taken", 0] });
    expect(place("c1").hasAttribute("aria-disabled")).toBe(false);
    await click("[data-leave]");
    expect(place("d1").hasAttribute("aria-disabled")).toBe(true);
    expect(place("c1").hasAttribute("aria-disabled")).toBe(true);
  });

  it("is brushed by dragging, each square once", async () => {
    await press("a1");
    mouse("pointerdown", place("b1"));
    mouse("pointerover", place("c1"));
    mouse("pointerover", place("b1"));
    mouse("pointerover", place("d1"));
    mouse("pointerup", place("d1"));
    place("d1").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    await settle();
    expect(text()).toBe("+a1~b1.c1.d1");
    await click("[data-undo]");
    expect(text()).toBe("+a1~");
  });

  it("forgets a drag that was taken back", async () => {
    await press("a1");
    mouse("pointerdown", place("b1"));
    mouse("pointerover", place("c1"));
    await settle();
    expect(text()).toBe("+a1~b1.c1");
    document.dispatchEvent(new PointerEvent("pointercancel"));
    await settle();
    expect(text()).toBe("+a1~");
    brush.aim(place("b1"));
    brush.aim(place("c1"));
    await settle();
    expect(text()).toBe("+a1~b1.c1");
    brush.aim(null);
    await settle();
    expect(text()).toBe("+a1~");
  });

  it("follows a finger over large squares, and takes the last of small ones", async () => {
    await press("a1");
    const slide = async () => {
      brush.aim(place("b1"));
      brush.aim(place("c1"));
      brush.aim(null);
      await press("c1", true);
    };
    await slide();
    expect(text()).toBe("+a1~b1.c1");
    size = 16;
    await slide();
    expect(text()).toBe("+a1~b1");
  });

  it("shows reasons at their squares and sends nothing", async () => {
    more = () => ({ refused: [{ code: "hole", at: ["c1"], say: "A hole." }] });
    await press("a1");
    expect(place("c1").classList.contains("fault")).toBe(true);
    expect(find("[data-draft-faults]").textContent).toBe("A hole.");
    await click("[data-send]");
    expect(said.notice).toBe("A hole.");
    expect(played).toEqual([]);
  });

  it("sends at once, or after a warning", async () => {
    more = (made) => ({ sends: made, label: "Go", warning: made.startsWith("+") ? "No atom." : "" });
    await press("a1");
    await click("[data-send]");
    expect(said.notice).toBe("No atom.");
    expect(find("[data-send]").textContent).toBe("Really?");
    expect(played).toEqual([]);
    await vi.advanceTimersByTimeAsync(800);
    await click("[data-send]");
    expect(played).toEqual(["+a1~"]);
    await click("[data-mode=atom]");
    await press("b1");
    await click("[data-send]");
    expect(played).toEqual(["+a1~", "b1+a1~"]);
  });

  it("sends while it is looked at anew only what the button said", async () => {
    more = (made) => ({ sends: made, label: "Go" });
    await press("a1");
    brush.heard();
    find("[data-send]").click();
    expect(played).toEqual([]);
    await settle();
    expect(played).toEqual(["+a1~"]);
    brush.refused();
    board.press(place("b1"));
    find("[data-send]").click();
    await settle();
    expect(played).toEqual(["+a1~"]);
  });

  it("asks for another confirmation once the draft has changed", async () => {
    more = (made) => ({ sends: made, label: "Go", warning: "Sure?" });
    await press("a1");
    await click("[data-send]");
    await vi.advanceTimersByTimeAsync(800);
    await press("b1");
    await click("[data-send]");
    expect(played).toEqual([]);
  });

  it("is handled by keys", async () => {
    await press("a1");
    key(place("a1"), "ArrowRight", { shiftKey: true });
    await settle();
    expect(asked.at(-1)).toEqual({ text: "+a1~", act: "right" });
    await press("b1");
    key(place("a1"), "z", { code: "KeyZ", ctrlKey: true });
    await settle();
    expect(text()).toBe("+a1~");
    key(place("a1"), "Delete");
    await settle();
    expect(text()).toBe("");
    key(place("a1"), "Escape");
    expect(find("[data-compose]").getAttribute("aria-pressed")).toBe("false");
    key(place("a1"), "Escape");
    await press("b1");
    expect(plain).toEqual(["b1"]);
  });

  it("is still there when it is begun again in the same turn, not in the next", async () => {
    await press("a1");
    await press("b1");
    await click("[data-leave]");
    await click("[data-compose]");
    expect(text()).toBe("+a1~b1");
    await click("[data-compose]");
    brush.heard();
    await click("[data-compose]");
    expect(text()).toBe("");
  });

  it("is asked about again when something happened, and loses an atom whose square is taken", async () => {
    await click("[data-mode=atom]");
    await press("a1");
    more = () => ({ text: "", atom: "" });
    brush.heard();
    await settle();
    expect(asked.at(-1)).toEqual({ text: "a1", act: "" });
    expect(text()).toBe("");
    expect(table.querySelector(".seed")).toBe(null);
    mine = false;
    brush.heard();
    expect(table.classList.contains("composing")).toBe(false);
  });

  it("stays when what was sent is refused, and ends when it is played", async () => {
    more = (made) => ({ sends: made });
    await press("a1");
    await click("[data-send]");
    brush.refused();
    brush.heard();
    await settle();
    expect(text()).toBe("+a1~");
    await click("[data-send]");
    brush.heard();
    expect(text()).toBe("");
    expect(played).toEqual(["+a1~", "+a1~"]);
  });

  it("tries again when no answer comes, and says why the server takes something for no draft", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new Error()));
    await press("a1");
    expect(find("[data-draft-faults]").textContent).toBe("unsent");
    const answer = { text: "+a1~", atom: "", can: ["drop"], marks: {}, refused: [], sends: null, label: "", says: ["One."], warning: "" };
    vi.stubGlobal("fetch", async () => ({ ok: true, status: 200, json: async () => answer }));
    await vi.advanceTimersByTimeAsync(2000);
    expect(find("[data-draft-says]").textContent).toBe("One.");
    expect(find("[data-draft-faults]").textContent).toBe("");
    const refused = [{ code: "notation", at: [], say: "No draft." }];
    vi.stubGlobal("fetch", async () => ({ ok: false, status: 422, json: async () => ({ refused }) }));
    await press("b1");
    expect(find("[data-draft-faults]").textContent).toBe("No draft.");
    expect(text()).toBe("+a1~");
  });
});
