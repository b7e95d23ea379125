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

it("offers the seats of the chosen number of players", () => {
  const seat = (n: number) => `<label data-seat-choice="${n}"><input type="radio" name="seat" value="${n}"></label>`;
  document.body.innerHTML = `<form data-setup><input type="radio" name="preset" data-options='{"tag":"b","b.players":"3"}'>
    <details open><div class="tag"><label><input type="radio" name="tag" value="a" checked></label><label><input type="radio" name="tag" value="b"></label></div>
    <fieldset data-shape="a"><input name="a.players" value="2" data-players></fieldset>
    <fieldset data-shape="b"><input name="b.players" value="4" data-players></fieldset></details>${[0, 1, 2, 3].map(seat).join("")}</form>`;
  setUp(document);
  const find = (selector: string) => document.querySelector<HTMLInputElement>(selector)!;
  const offered = () => [...document.querySelectorAll<HTMLElement>("[data-seat-choice]")].filter(({ hidden }) => !hidden).length;
  expect(offered()).toBe(2);
  find("[value=b]").checked = true;
  find("[value=b]").dispatchEvent(new Event("change", { bubbles: true }));
  expect(offered()).toBe(4);
  find("[name=seat][value='3']").checked = true;
  find("[name=preset]").checked = true;
  find("[name=preset]").dispatchEvent(new Event("change", { bubbles: true }));
  expect(offered()).toBe(3);
  expect(find("[name=seat]:checked").value).toBe("0");
  const [fixed] = document.querySelectorAll<HTMLInputElement>("[value=a]");
  fixed!.dataset["seats"] = "2";
  find("[data-shape=a]").replaceChildren();
  fixed!.checked = true;
  fixed!.dispatchEvent(new Event("change", { bubbles: true }));
  expect(offered()).toBe(2);
  find("[value=b]").checked = true;
  find("[name='b.players']").value = "";
  find("[name='b.players']").dispatchEvent(new Event("input", { bubbles: true }));
  expect(offered()).toBe(4);
});
