import { createHash } from "node:crypto";
import { expect, it, vi } from "vitest";
import { checked, proof } from "./proof";

const salt = "0123456789abcdef0123456789abcdef";
const text = "R2C3+Y4B2+B7C1+W5D1+S3C0";
const hash = createHash("sha256").update(salt + text).digest("hex");

function page(values: { text: string; salt: string; hash: string }): HTMLFormElement {
  document.body.innerHTML = `<form data-proof data-same="yes" data-other="no" data-unreadable="what" data-here="here">
    <textarea name="text"></textarea><input name="salt"><input name="hash"><p data-verdict data-is="other">no</p></form>`;
  for (const [name, value] of Object.entries(values))
    document.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = value;
  return document.querySelector("form")!;
}

const verdict = () => document.querySelector<HTMLElement>("[data-verdict]")!;

it("works out what the server works out", async () => {
  expect(await checked(text, salt, hash)).toBe("same");
  expect(await checked(`${text}0`, salt, hash)).toBe("other");
  expect(await checked(text, salt.slice(1), hash)).toBe("unreadable");
  expect(await checked(text, salt, "x")).toBe("unreadable");
});

it("checks a page that is filled in, and again when it is sent", async () => {
  const form = page({ text: ` ${text}\n`, salt: salt.toUpperCase(), hash });
  proof(document);
  await vi.waitFor(() => expect(verdict().textContent).toBe("yes here"));
  form.querySelector("textarea")!.value = "other";
  form.dispatchEvent(new Event("input"));
  expect(verdict().textContent).toBe("");
  const sent = new Event("submit", { cancelable: true });
  form.dispatchEvent(sent);
  expect(sent.defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(verdict().dataset["is"]).toBe("other"));
});

it("leaves it to the server where the browser can't", () => {
  vi.stubGlobal("crypto", {});
  const form = page({ text, salt, hash });
  proof(document);
  const sent = new Event("submit", { cancelable: true });
  form.dispatchEvent(sent);
  expect(sent.defaultPrevented).toBe(false);
  expect(verdict().textContent).toBe("no");
  vi.unstubAllGlobals();
});
