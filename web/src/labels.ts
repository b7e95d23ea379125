const labels = new WeakMap<Element, { text: string; since: number; timer: ReturnType<typeof setTimeout> }>();

/** Shows another label on a button for a while; whether another one has been shown for `least` milliseconds already. */
export function relabel(button: Element, text: string, time: number, least = 0): boolean {
  const shown = labels.get(button);
  if (shown) clearTimeout(shown.timer);
  const label = shown?.text ?? button.textContent ?? "";
  button.textContent = text;
  button.classList.add("relabelled");
  const since = shown?.since ?? Date.now();
  labels.set(button, { text: label, since, timer: setTimeout(() => restore(button), time) });
  return shown !== undefined && Date.now() - since >= least;
}

export function restore(button: Element): void {
  const shown = labels.get(button);
  if (!shown) return;
  clearTimeout(shown.timer);
  labels.delete(button);
  button.textContent = shown.text;
  button.classList.remove("relabelled");
}
