import { remember, remembered } from "./memory";

/** What somebody wants at tables in this browser; everything is off until it is wanted. */
export type Wish = "turn-note" | "sound" | "buzz" | "sure";

/** The switches of the panel "At this table": those that this browser can fulfil are shown. */
export class Wishes {
  private readonly switches = new Map<string, HTMLInputElement>();

  /**
   * `able` says which wishes can be fulfilled here; `pressed` is asked when one is switched on, while the press still
   * counts as one, and answers whether it may stay on.
   */
  constructor(root: HTMLElement, able: Readonly<Record<Wish, boolean>>, pressed: (wish: Wish) => Promise<boolean> | boolean) {
    for (const input of root.querySelectorAll<HTMLInputElement>("[data-wish]")) {
      const wish = input.dataset["wish"] as Wish;
      const row = input.closest<HTMLElement>("label");
      if (row) row.hidden = !able[wish];
      if (!able[wish]) continue;
      input.checked = remembered(wish) === "1";
      this.switches.set(wish, input);
      const denied = root.querySelector<HTMLElement>(`[data-denied="${wish}"]`);
      input.addEventListener("change", async () => {
        const allowed = !input.checked || (await pressed(wish));
        if (!allowed) input.checked = false;
        if (denied) denied.hidden = allowed;
        remember(wish, input.checked ? "1" : "0");
      });
    }
  }

  has(wish: Wish): boolean {
    return this.switches.get(wish)?.checked ?? false;
  }
}
