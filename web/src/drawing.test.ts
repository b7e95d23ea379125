import { beforeEach, expect, it } from "vitest";
import { setUp } from "./setup";

const find = <E extends HTMLElement = HTMLInputElement>(selector: string) => document.querySelector<E>(selector)!;
const cells = () => [...document.querySelectorAll<HTMLElement>("[role=gridcell]")];
const there = () => cells().map((cell) => (cell.getAttribute("aria-selected") === "true" ? "#" : ".")).join("");
const press = (key: string) =>
  find("[role=grid] [tabindex='0']").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));

function choose(value: string): void {
  find<HTMLSelectElement>("[data-ready]").value = value;
  find("[data-ready]").dispatchEvent(new Event("change", { bubbles: true }));
}

function fill(selector: string, value: string): void {
  find(selector).value = value;
  find(selector).dispatchEvent(new Event("input", { bubbles: true }));
}

beforeEach(() => {
  document.body.innerHTML = `<form data-setup><input type="radio" name="preset" value="plain" checked data-options='{"board":"2x2"}'>
    <details open><label for="f">Board</label><div data-board="row {row}, column {column}">
    <select id="r" data-ready hidden><option value="2x2" data-squares="##/##">2</option>
    <option value="plus" data-squares=".#./###/.#.">plus</option><option value="">own</option></select>
    <input id="f" name="board" value="2x2"><div data-drawing hidden><input type="number" data-rows><input type="number" data-columns>
    <button type="button" data-whole></button><div role="grid"></div></div></div></details></form>`;
  setUp(document);
});

it("offers ready boards, and holds in the text field what is chosen", () => {
  expect(find("#r").hidden).toBe(false);
  expect(find("#f").hidden).toBe(true);
  expect(find<HTMLLabelElement>("label").htmlFor).toBe("r");
  choose("plus");
  expect(find("#f").value).toBe("plus");
  expect(find("[data-drawing]").hidden).toBe(true);
});

it("draws a board by keys, beginning with the last one chosen", () => {
  choose("plus");
  choose("");
  expect(find("[data-drawing]").hidden).toBe(false);
  expect(there()).toBe(".#.###.#.");
  expect(cells()[0]!.getAttribute("aria-label")).toBe("row 3, column 1");
  press(" ");
  press("ArrowRight");
  press("ArrowDown");
  press("ArrowUp");
  press("ArrowUp");
  press("Enter");
  expect(there()).toBe("#..###.#.");
  expect(find("#f").value).toBe("0-1.0-3.1-1");
  expect(find<HTMLInputElement>("[name=preset]").checked).toBe(false);
});

it("calls a drawing by the name of the ready board that it is", () => {
  choose("plus");
  choose("");
  press(" ");
  press(" ");
  expect(find("#f").value).toBe("plus");
});

it("changes the size, as far as it can be read", () => {
  choose("");
  fill("[data-rows]", "3");
  expect([there(), find("#f").value]).toEqual(["######", "3x2"]);
  fill("[data-columns]", "1");
  expect(find("#f").value).toBe("3x1");
  for (const wrong of ["", "0", "41", "1.5"]) fill("[data-columns]", wrong);
  expect(there()).toBe("###");
  press(" ");
  find("[data-whole]").click();
  expect(there()).toBe("###");
});

it("follows a preset, and shows a text that it can't draw", () => {
  choose("plus");
  find("[name=preset]").checked = true;
  find("[name=preset]").dispatchEvent(new Event("change", { bubbles: true }));
  expect(find<HTMLSelectElement>("#r").value).toBe("2x2");
  find("#f").value = "banana";
  find("#f").dispatchEvent(new Event("change", { bubbles: true }));
  expect(find("#f").hidden).toBe(false);
  find("#f").value = "1x3";
  find("#f").dispatchEvent(new Event("change", { bubbles: true }));
  expect([find("#f").hidden, there(), find<HTMLSelectElement>("#r").value]).toEqual([true, "###", ""]);
});
