import { scratch } from "./scratch";
import { Wishes, type Wish } from "./wishes";

const BUZZ = 60;
/** Missed moves that come all at once are heard as one. */
const TOGETHER = 150;

/** Says that it is somebody's turn where they look, or would hear it: title, icon, and what they wished for. */
export class Attention {
  private readonly wishes: Wishes;
  private readonly title = document.title;
  private readonly icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  private readonly plain = this.icon?.getAttribute("href") ?? "";
  private mine: boolean | null = null;
  private note: Notification | null = null;
  private sounded = -Infinity;

  constructor(private readonly table: HTMLElement) {
    const able = {
      // Without a secure context browsers have the interface and refuse the permission.
      "turn-note": "Notification" in globalThis && isSecureContext,
      sound: "AudioContext" in globalThis,
      buzz: typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches,
      sure: true,
    };
    this.wishes = new Wishes(table, able, (wish) => this.wished(wish));
  }

  has(wish: Wish): boolean {
    return this.wishes.has(wish);
  }

  /** Whether it is the turn of whoever sits here; `said` is the sentence under the board. */
  turn(mine: boolean, said: string): void {
    if (mine === this.mine) return;
    const begins = this.mine === false && mine;
    this.mine = mine;
    const marked = this.table.querySelector<HTMLElement>("[data-turn-title]")?.dataset["turnTitle"];
    // A board to try things out calls nobody.
    if (marked === undefined) return;
    document.title = mine ? marked.replace("{title}", this.title) : this.title;
    this.icon?.setAttribute("href", mine ? "/icon-turn.svg" : this.plain);
    if (!mine) this.seen();
    if (!begins) return;
    if (this.has("buzz")) navigator.vibrate(BUZZ);
    if (this.has("turn-note") && document.hidden) this.notify(said);
  }

  /** A move was heard. */
  moved(): void {
    const now = performance.now();
    if (!this.has("sound") || now - this.sounded < TOGETHER) return;
    this.sounded = now;
    scratch();
  }

  /** Somebody looks at the page again. */
  seen(): void {
    this.note?.close();
    this.note = null;
  }

  private notify(said: string): void {
    if (Notification.permission !== "granted") return;
    const more = { body: said, tag: location.pathname, icon: "/icon-turn.svg" };
    try {
      const note = (this.note = new Notification(document.title, more));
      note.onclick = () => {
        window.focus();
        note.close();
      };
    } catch {
      // Phones show notifications only by the page's worker, where there is one.
      void navigator.serviceWorker?.getRegistration().then((worker) => worker?.showNotification(document.title, more));
    }
  }

  private async wished(wish: Wish): Promise<boolean> {
    if (wish === "turn-note") return (await Notification.requestPermission()) === "granted";
    if (wish === "sound") scratch();
    if (wish === "buzz") navigator.vibrate(BUZZ);
    return true;
  }
}
