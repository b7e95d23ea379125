import { expect, it } from "vitest";
import { setUp } from "./setup";

it("fills the form from the chosen preset", () => {
  document.body.innerHTML = `<form data-setup><select data-preset><option>-</option>
    <option data-options='{"shape":"4x4x4","line":4,"gravity":true,"misere":false,"start":"b"}'>cube</option></select>
    <select name="shape"><option>3x3</option><option>4x4x4</option></select><input name="line" type="number" value="3">
    <input name="gravity" type="hidden" value="false"><input name="gravity" type="checkbox" value="true"><input name="misere" type="checkbox" checked>
    <input name="start" type="radio" value="a" checked><input name="start" type="radio" value="b"></form>`;
  setUp(document);
  const form = document.querySelector("form")!;
  const preset = form.querySelector("select")!;
  preset.selectedIndex = 1;
  preset.dispatchEvent(new Event("change", { bubbles: true }));
  expect(Object.fromEntries(new FormData(form))).toEqual({ shape: "4x4x4", line: "4", gravity: "true", start: "b" });
});

it("names no preset any more when an option is changed", () => {
  document.body.innerHTML = `<form data-setup><input type="radio" name="preset" value="plain" checked data-options='{"shape":"3x3"}'>
    <details open><input name="shape" value="3x3"></details><input name="name"></form>`;
  setUp(document);
  const preset = document.querySelector<HTMLInputElement>("[name=preset]")!;
  const change = (name: string) =>
    document.querySelector(`[name=${name}]`)!.dispatchEvent(new Event("change", { bubbles: true }));
  change("name");
  expect(preset.checked).toBe(true);
  change("shape");
  expect(preset.checked).toBe(false);
  preset.checked = true;
  change("preset");
  expect(preset.checked).toBe(true);
});
