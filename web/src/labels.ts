const labels = new WeakMap<Element, { text: string; timer: ReturnType<typeof setTimeout> }>();

/** Shows another label on a button for a while; whether another one was shown already. */
export function relabel(button: Element, text: string, time: number): boolean {
  const shown = labels.get(button);
  if (shown) clearTimeout(shown.timer);
  const label = shown?.text ?? button.textContent ?? "";
  button.textContent = text;
  labels.set(button, { text: label, timer: setTimeout(() => restore(button), time) });
  return shown !== undefined;
}

export function restore(button: Element): void {
  const shown = labels.get(button);
  if (!shown) return;
  clearTimeout(shown.timer);
  labels.delete(button);
  button.textContent = shown.text;
}
