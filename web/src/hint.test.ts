import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Board } from "./board";
import { Hint } from "./hint";

const PAGE = `<div id="table" data-at="/en/t/Ab3x">
<div data-board><svg data-panel="0" viewBox="0 0 200 100"><g data-layer="0.draft"></g>
<g class="places"><polygon data-place="a1" points="0,0 100,0 100,100 0,100"/></g></svg></div>
<form data-asking></form><button data-advise data-thinking="Thinking…">Hint</button>
<p data-advice hidden></p><p data-away hidden>No connection.</p></div>`;
const FRAME = '<path class="frame" d="M0 0h1"></path>';

let answers: ((answer: object) => void)[];
let notices: string[];
let hint: Hint;
let board: Board;
const find = (selector: string) => document.querySelector<HTMLElement>(selector)!;
const ask = () => find("[data-asking]").dispatchEvent(new SubmitEvent("submit", { cancelable: true, bubbles: true }));
const settle = () => new Promise((done) => setTimeout(done));
const marks = () => document.querySelectorAll(".advised").length;

beforeEach(() => {
  document.body.innerHTML = PAGE;
  answers = [];
  notices = [];
  const fetched = () => new Promise((done) => answers.push((answer) => done({ json: () => Promise.resolve(answer) })));
  vi.stubGlobal("fetch", vi.fn(fetched));
  board = new Board(find("[data-board]"), { may: () => true, play: () => true, ask: () => {} });
  hint = new Hint(find("#table"), board, (text) => notices.push(text));
});

afterEach(() => vi.unstubAllGlobals());

it("asks once at a time, says and marks what it hears, and forgets it with the next event", async () => {
  expect(ask()).toBe(false);
  ask();
  expect(answers.length).toBe(1);
  expect(find("[data-advise]").textContent).toBe("Thinking…");
  answers[0]!({ say: "Hint: a1.", lines: [{ marks: { "0.draft/at-a1": FRAME } }] });
  await settle();
  expect(find("[data-advice]").textContent).toBe("Hint: a1.");
  expect(find("[data-advice]").hidden).toBe(false);
  expect(find("[data-advise]").textContent).toBe("Hint");
  expect(marks()).toBe(1);
  hint.heard();
  expect(find("[data-advice]").hidden).toBe(true);
  expect(marks()).toBe(0);
});

it("lets no answer stand that an event has overtaken", async () => {
  ask();
  hint.heard();
  ask();
  answers[0]!({ say: "Old.", lines: [{ marks: { "0.draft/at-a1": FRAME } }] });
  await settle();
  expect(find("[data-advice]").textContent).toBe("");
  expect(find("[data-advise]").textContent).toBe("Thinking…");
  answers[1]!({ say: "New.", lines: [{ marks: {} }] });
  await settle();
  expect(find("[data-advice]").textContent).toBe("New.");
});

it("says why there is none", async () => {
  ask();
  answers[0]!({ refused: [{ code: "busy", say: "Too many questions." }] });
  await settle();
  expect(notices.at(-1)).toBe("Too many questions.");
  expect(find("[data-advice]").hidden).toBe(true);
  vi.stubGlobal("fetch", () => Promise.reject(new Error()));
  ask();
  await settle();
  expect(notices.at(-1)).toBe("No connection.");
});

it("leaves a draft alone", async () => {
  board.draft({ "0.draft/R": FRAME, "0.draft/Y": FRAME });
  ask();
  answers[0]!({ say: "Hint.", lines: [{ marks: { "0.draft/at-a1": FRAME } }] });
  await settle();
  expect(document.querySelectorAll("[data-layer] path").length).toBe(3);
  board.draft({ "0.draft/R": FRAME });
  expect(marks()).toBe(1);
  hint.heard();
  expect(document.querySelectorAll("[data-layer] path").length).toBe(1);
});
