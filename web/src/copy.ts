import { relabel } from "./labels";

async function copy(source: Element): Promise<boolean> {
  const field = source as HTMLInputElement;
  const text = field.value ?? source.textContent ?? "";
  // The clipboard is missing on plain http, as at home under an address of the local network.
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (!field.select) return false;
    field.select();
    return document.execCommand("copy");
  }
}

/** Buttons that copy what another element holds. */
export function copyButtons(root: Document): void {
  root.addEventListener("click", async ({ target }) => {
    const button = (target as Element).closest<HTMLElement>("[data-copy]");
    const source = button && root.querySelector(button.dataset["copy"] ?? "");
    if (source && (await copy(source)) && button.dataset["copied"]) relabel(button, button.dataset["copied"], 2000);
  });
}
