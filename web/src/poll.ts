import { fill } from "./policy";

const EVERY = 5000;

/** Lists that other people change are fetched anew while somebody looks at them. */
export function poll(root: ParentNode): void {
  for (const list of root.querySelectorAll<HTMLElement>("[data-poll]")) {
    const address = list.dataset["poll"] ?? "";
    let shown = "";
    const renew = async () => {
      if (document.hidden || list.contains(document.activeElement)) return;
      try {
        const response = await fetch(address, { cache: "no-store" });
        const html = response.ok ? await response.text() : shown;
        if (html !== shown) fill(list, (shown = html));
      } catch {
        // Without a network the list stays as it is; the next look asks again.
      }
    };
    setInterval(() => void renew(), EVERY);
    document.addEventListener("visibilitychange", () => void renew());
    addEventListener("pageshow", () => void renew());
  }
}
