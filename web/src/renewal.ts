import { first } from "./memory";

/**
 * A page that is older than its server, or that doesn't understand it any more: it says so and offers to load anew. By
 * itself it does that only when it disturbs nobody, and never twice for one reason.
 */
export class Renewal {
  /** Why the page would load anew by itself; null: it needn't. */
  private reason: string | null = null;

  constructor(
    private readonly page: HTMLElement,
    /** Whether loading anew takes nothing from whoever sits here. */
    private readonly idle: () => boolean,
    private readonly load: () => void = () => location.reload(),
  ) {
    this.line?.addEventListener("click", (event) => {
      if ((event.target as Element).closest("[data-renew]")) this.load();
    });
  }

  private get line(): HTMLElement | null {
    return this.page.querySelector<HTMLElement>("[data-renewed]");
  }

  /** The server runs this build of Kletka. */
  runs(build: string): void {
    const { build: own } = this.page.dataset;
    if (own !== undefined && own !== build) this.want(`build ${build}`);
  }

  /** What the server says can't be made sense of: nothing is worth waiting for. */
  puzzled(version: number): void {
    const { reason } = this;
    this.want(`${location.pathname} ${version}`);
    if (reason === null && this.reason !== null) this.now();
  }

  /** Something changed: perhaps nobody is disturbed any more. */
  consider(): void {
    if (this.reason !== null && this.idle()) this.now();
  }

  private want(reason: string): void {
    if (this.line) this.line.hidden = false;
    this.reason ??= reason;
  }

  private now(): void {
    const { reason } = this;
    this.reason = "";
    if (reason && first(reason)) this.load();
  }
}
