// The only module that turns text into nodes or code: a second policy of this name would be refused by the browser.

interface Policy {
  createHTML(text: string): string;
  createScriptURL(address: string): string;
}

const WORKER = "/worker.js";

const rules: Policy = { createHTML: (text) => text, createScriptURL: () => WORKER };
const types = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes;
const policy = types ? types.createPolicy("kletka", rules) : rules;

function parsed(html: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html);
  return template.content;
}

/** Replaces what is inside an element. */
export function fill(element: Element, html: string): void {
  element.innerHTML = policy.createHTML(html);
}

/** The element that a piece of HTML describes. */
export function made(html: string): Element | null {
  return parsed(html).firstElementChild;
}

/** The SVG element that a mark's fragment describes. */
export function drawn(fragment: string): Element | null {
  // Without an <svg> around it, <path> would become an HTML element that shows nothing.
  return parsed(`<svg>${fragment}</svg>`).firstElementChild?.firstElementChild ?? null;
}

/** The address of the service worker: the only code that a page may load by itself. */
export function workerAddress(): string {
  return policy.createScriptURL(WORKER);
}
