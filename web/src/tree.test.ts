import { describe, expect, it } from "vitest";
import { along, at, beside, count, line, onward, played, read, removed, text } from "./tree";

const moves = (root: ReturnType<typeof line>, path: readonly number[]) => along(root, path).map(({ move }) => move).join(" ");

describe("a study's tree", () => {
  it("branches where another move is played, and only there", () => {
    const root = line(["a1", "b2", "c3"], ["a1!", "b2!"]);
    expect(onward(root, [])).toEqual([0, 0, 0]);
    expect(played(root, [0], "b2", "x")).toEqual([0, 0]);
    expect(at(root, [0, 0]).label).toBe("b2!");
    expect(at(root, [0, 0, 0]).label).toBe("c3");
    const branch = played(root, [0], "c1", "C1");
    expect(branch).toEqual([0, 1]);
    expect(played(root, branch, "c2", "C2")).toEqual([0, 1, 0]);
    expect(moves(root, onward(root, branch))).toBe("a1 c1 c2");
    expect(count(root)).toBe(5);
  });

  it("walks to the branches beside, and ends at the last", () => {
    const root = line(["a1", "b2", "c3"]);
    for (const other of ["a2", "a3"]) played(root, [], other, other);
    played(root, [0], "b1", "b1");
    expect(beside(root, [0, 0, 0], 1)).toEqual([0, 1]);
    expect(beside(root, [0, 1], 1)).toEqual([1]);
    expect(beside(root, [2], 1)).toBeNull();
    expect(beside(root, [0, 1], -1)).toEqual([0, 0]);
    expect(beside(root, [0, 0], -1)).toBeNull();
    expect(beside(root, [], 1)).toBeNull();
  });

  it("takes a move away with all that follows", () => {
    const root = line(["a1", "b2", "c3"]);
    played(root, [0], "b1", "b1");
    expect(removed(root, [0, 0])).toEqual([0]);
    expect(moves(root, onward(root, []))).toBe("a1 b1");
  });

  it("stops where a path leads nowhere", () => {
    const root = line(["a1"]);
    expect(moves(root, [0, 5, 2])).toBe("a1");
    expect(at(root, [3])).toBe(root);
  });

  it("is kept as text, and what is no study is none", () => {
    const root = line(["a1", "b2"]);
    at(root, [0]).comment = "“fine” \u2028 <b>";
    at(root, [0, 0]).fell = "blunder";
    at(root, [0, 0]).score = 0.25;
    expect(read(text(root))).toEqual(root);
    for (const bad of [null, "", "{", "1", "[]", '["a"]', '["","","","","",null,[1]]', '[1,"","","","",null,[]]']) {
      expect(read(bad)).toBeNull();
    }
    const many = line(Array.from({ length: 900 }, (_, at) => `m${at}`));
    expect(count(read(text(many))!)).toBe(900);
  });
});
