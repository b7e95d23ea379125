import { beforeEach, describe, expect, it } from "vitest";
import { Draft, Grid, middle, type Form, type Piece } from "./draft";

const form = (rows: string[], turned = 0, flipped = 0): Form => ({
  width: rows[0]!.length,
  height: rows.length,
  covers: rows.flatMap((row, y) => [...row].flatMap((c, x) => (c === "." ? [] : [{ column: x, row: y }]))),
  turned,
  flipped,
});
const bar: Piece = { id: "B", once: true, forms: [form(["###"], 1, 2), form(["#", "#", "#"], 0, 3), form([".##"], 3, 0), form([".", "#", "#"], 2, 1)] };
const large: Piece = { id: "L", once: true, forms: [form([".##.", "####"], 1), form(["#.", "##", "##", "#."], 0, 1)] };
const note: Piece = { id: "n", once: false, forms: [form(["#"], 1), form(["#"], 0)] };
const pieces = new Map([bar, large, note].map((piece) => [piece.id, piece]));
/** Five columns and four rows, called 1A to 5D. */
const grid = new Grid([..."ABCD"].flatMap((letter, row) => [..."12345"].map((n, column) => ({ lay: n + letter, column, row }))));

let draft: Draft;
beforeEach(() => (draft = new Draft(pieces, grid)));

describe("a draft", () => {
  it("is written as pieces, squares and forms, and read again", () => {
    for (const text of ["", "B1A0", "B3D0+n5D1+n1A0", "L2A1"]) {
      draft.begin(text);
      expect(draft.text).toBe(text);
    }
  });

  it("leaves out what is no piece or leaves the board", () => {
    draft.begin("B4A0+Q1A0+n9Z0+n1A7+n1A0++B1C1");
    expect(draft.text).toBe("n1A0");
  });

  it("keeps pieces on the board", () => {
    draft.lay("B", 0, { column: 9, row: -4 });
    expect(draft.text).toBe("B3A0");
    draft.lay("L", 1, { column: -2, row: 3 });
    expect(draft.text).toBe("B3A0+L1A1");
    expect(new Grid([]).fit(bar.forms[0]!, { column: 0, row: 0 })).toBeNull();
  });

  it("has a piece of which there is one only once, and notes anywhere", () => {
    draft.lay("B", 0, { column: 0, row: 0 });
    draft.lay("B", 1, { column: 4, row: 0 });
    expect(draft.text).toBe("B5A1");
    draft.lay("n", 0, { column: 0, row: 0 });
    draft.lay("n", 0, { column: 1, row: 0 });
    draft.lay("n", 1, { column: 0, row: 0 });
    expect(draft.text).toBe("B5A1+n2A0+n1A1");
    draft.lay("n", 0, { column: 1, row: 0 });
    expect(draft.text).toBe("B5A1+n1A1");
  });

  it("knows what covers a square, not what leaves it free", () => {
    draft.begin("L1A0+n1B0");
    expect(draft.at({ column: 0, row: 0 })).toEqual([]);
    expect(draft.at({ column: 0, row: 1 }).map(({ id }) => id)).toEqual(["n", "L"]);
  });

  it("turns about its middle, and four turns change nothing inside the board", () => {
    draft.begin("B2B0");
    draft.chosen = draft.laid[0]!;
    draft.reform("turned");
    expect(draft.text).toBe("B3A1");
    draft.reform("turned");
    expect(draft.text).toBe("B2B0");
    draft.reform("flipped");
    expect(draft.text).toBe("B2B2");
    expect(draft.chosen).toBe(draft.laid[0]);
  });

  it("moves by squares up to the edge", () => {
    draft.begin("B2B0");
    draft.chosen = draft.laid[0]!;
    expect([draft.nudge(1, 0), draft.nudge(1, 0), draft.nudge(0, 1)]).toEqual([true, false, true]);
    expect(draft.text).toBe("B3C0");
    draft.remove();
    expect([draft.text, draft.chosen, draft.nudge(1, 0), draft.remove()]).toEqual(["", null, false, false]);
  });

  it("takes every step back", () => {
    const texts = [draft.text];
    const steps = [
      () => draft.lay("B", 0, { column: 0, row: 0 }),
      () => draft.nudge(1, 1),
      () => draft.reform("turned"),
      () => draft.lay("n", 0, { column: 0, row: 3 }),
      () => draft.clear(),
    ];
    for (const step of steps) {
      expect(step()).toBe(true);
      texts.push(draft.text);
    }
    expect(draft.clear()).toBe(false);
    for (const text of texts.slice(0, -1).reverse()) {
      expect(draft.undoable).toBe(true);
      draft.undo();
      expect(draft.text).toBe(text);
    }
    expect([draft.undoable, draft.undo()]).toEqual([false, false]);
  });

  it("is held in the middle where nobody grabbed it elsewhere", () => {
    expect([bar, large, note].map(({ forms }) => middle(forms[0]!))).toEqual([
      { column: 1, row: 0 },
      { column: 1, row: 0 },
      { column: 0, row: 0 },
    ]);
  });
});
