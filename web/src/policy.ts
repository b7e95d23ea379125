// The only module that turns text into nodes: a second policy of this name would be refused by the browser.

interface Policy {
  createHTML(text: string): string;
}

const rules: Policy = { createHTML: (text) => text };
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
