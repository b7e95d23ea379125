import { expect, it } from "vitest";
import { pictured, read, sized, whole, written } from "./squares";

it.each([
  ["1-1.0-3.1-1", ".#./###/.#."],
  ["0-1-1-1", "#.#"],
  ["0-2.0.1-1", "##/../.#"],
  ["2x3", "###/###"],
  ["1-1.0-1", ".#/#."],
])("reads and writes %s", (text, picture) => {
  expect(read(text, 40)).toEqual(pictured(picture));
  expect(written(pictured(picture))).toBe(text);
});

it("leaves out what is empty around a board", () => {
  expect(written(pictured("..../..#./.##./...."))).toBe("1-1.0-2");
  expect(written(pictured("...../.###./....."))).toBe("1x3");
  expect(written(pictured("../.."))).toBe("0");
});

it.each(["", "banana", "41x2", "2x41", "0x3", "1-", "-1", "1..2", "41-1", "1-2,3", Array(41).fill("0-1").join(".")])(
  "draws nothing of %j",
  (text) => expect(read(text, 40)).toBeNull(),
);

it("writes what it reads, whatever is drawn", () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let n = 0; n < 200; n++) {
    const [rows, columns] = [1 + Math.floor(random() * 40), 1 + Math.floor(random() * 40)];
    const drawn = sized([], rows, columns).map((row) => row.map(() => random() < 0.5));
    const text = written(drawn);
    if (text === "0") continue;
    expect(text.length).toBeLessThan(3400);
    const again = read(text, 40)!;
    expect(written(again)).toBe(text);
    expect(again.flat().filter(Boolean).length).toBe(drawn.flat().filter(Boolean).length);
  }
});

it("keeps the lower left corner when the size changes", () => {
  const drawn = pictured("#.#/.##");
  expect(sized(drawn, 3, 4, true)).toEqual(pictured("####/#.##/.###"));
  expect(sized(drawn, 1, 2, true)).toEqual(pictured(".#"));
  expect(sized(whole(2, 2), 2, 2)).toEqual(whole(2, 2));
});
