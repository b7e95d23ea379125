import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Attention } from "./attention";

class Note {
  static made: Note[] = [];
  static permission = "default";
  static answer = "granted";
  static requestPermission = vi.fn(async () => (Note.permission = Note.answer));
  closed = false;
  onclick: (() => void) | null = null;
  constructor(
    readonly title: string,
    readonly more: { body: string; tag: string },
  ) {
    Note.made.push(this);
  }
  close(): void {
    this.closed = true;
  }
}

const vibrate = vi.fn();
let hidden = false;
let table: HTMLElement;
const row = (wish: string) => table.querySelector<HTMLInputElement>(`[data-wish="${wish}"]`)!;
const want = async (wish: string) => {
  row(wish).click();
  await Promise.resolve();
  await Promise.resolve();
};
const icon = () => document.querySelector("link[rel=icon]")!.getAttribute("href");

beforeEach(() => {
  localStorage.clear();
  Note.made = [];
  [Note.permission, Note.answer] = ["default", "granted"];
  Note.requestPermission.mockClear();
  vibrate.mockReset();
  hidden = false;
  vi.stubGlobal("Notification", Note);
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("AudioContext", class {});
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  Object.defineProperty(navigator, "vibrate", { value: vibrate, configurable: true });
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.head.innerHTML = `<title>Dots – Kletka</title><link rel="icon" href="/icon.svg">`;
  const wish = (name: string) => `<label hidden><input type="checkbox" data-wish="${name}"></label><p data-denied="${name}" hidden></p>`;
  document.body.innerHTML = `<div><details data-turn-title="● Your turn – {title}">${["turn-note", "sound", "buzz", "sure"].map(wish).join("")}</details></div>`;
  table = document.querySelector("div")!;
});
afterEach(() => vi.unstubAllGlobals());

describe("attention", () => {
  it("is called for by title and icon while it is my turn", () => {
    const attention = new Attention(table);
    attention.turn(true, "Yours.");
    expect([document.title, icon()]).toEqual(["● Your turn – Dots – Kletka", "/icon-turn.svg"]);
    attention.turn(false, "Theirs.");
    expect([document.title, icon()]).toEqual(["Dots – Kletka", "/icon.svg"]);
  });

  it("does nothing else unless somebody wants it", () => {
    const attention = new Attention(table);
    hidden = true;
    attention.turn(false, "");
    attention.turn(true, "Yours.");
    attention.moved();
    expect([Note.made.length, vibrate.mock.calls.length, Note.requestPermission.mock.calls.length]).toEqual([0, 0, 0]);
    expect([...table.querySelectorAll("input")].some(({ checked }) => checked)).toBe(false);
  });

  it("notifies when the turn comes while the page isn't seen, and takes the note back", async () => {
    const attention = new Attention(table);
    await want("turn-note");
    expect(Note.requestPermission).toHaveBeenCalledOnce();
    hidden = true;
    attention.turn(true, "As it was loaded.");
    attention.turn(false, "");
    attention.turn(true, "b2 played. Your turn.");
    attention.turn(true, "b2 played. Your turn.");
    expect(Note.made).toHaveLength(1);
    expect(Note.made[0]).toMatchObject({ title: "● Your turn – Dots – Kletka", more: { body: "b2 played. Your turn." } });
    attention.seen();
    expect(Note.made[0]!.closed).toBe(true);
    hidden = false;
    attention.turn(false, "");
    attention.turn(true, "Seen.");
    expect(Note.made).toHaveLength(1);
    expect(new Attention(table).has("turn-note")).toBe(true);
  });

  it("leaves a switch off that the browser doesn't allow, and says so", async () => {
    Note.answer = "denied";
    const attention = new Attention(table);
    await want("turn-note");
    expect([attention.has("turn-note"), row("turn-note").checked]).toEqual([false, false]);
    expect(table.querySelector<HTMLElement>('[data-denied="turn-note"]')!.hidden).toBe(false);
    expect(localStorage.getItem("kletka.turn-note")).toBe("0");
  });

  it("shakes the phone when the turn comes", async () => {
    const attention = new Attention(table);
    await want("buzz");
    vibrate.mockReset();
    attention.turn(false, "");
    attention.turn(true, "");
    expect(vibrate).toHaveBeenCalledOnce();
  });

  it("shows the switches that can do something", () => {
    const shown = () => [...table.querySelectorAll("label")].filter((label) => !label.hidden).length;
    new Attention(table);
    expect(shown()).toBe(4);
    vi.stubGlobal("isSecureContext", false);
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    Reflect.deleteProperty(globalThis, "AudioContext");
    new Attention(table);
    expect(shown()).toBe(1);
  });
});
