/** What is lit up while a place is pointed at: the places and blocks that the place names. */
export class Lights {
  private readonly named = new Map<string, Element>();
  private lit: Element[] = [];
  private pointed: Element | null = null;
  private focused: Element | null = null;

  constructor(root: HTMLElement) {
    for (const element of root.querySelectorAll("[data-place], [data-block]")) {
      this.named.set(element.getAttribute("data-place") ?? element.getAttribute("data-block") ?? "", element);
    }
    const mouse = (event: Event) => (event as PointerEvent).pointerType === "mouse";
    const place = (event: Event) => (event.target as Element).closest("[data-place]");
    root.addEventListener("pointerover", (event) => mouse(event) && this.point(place(event)));
    root.addEventListener("pointerleave", (event) => mouse(event) && this.point(null));
    root.addEventListener("focusin", (event) => {
      // A press focuses too, but whoever pressed doesn't ask any more.
      this.focused = (event.target as Element).matches(":focus-visible") ? place(event) : null;
      if (this.focused) this.point(this.focused);
    });
    root.addEventListener("focusout", () => {
      const { focused } = this;
      this.focused = null;
      if (focused && focused === this.pointed) this.point(null);
    });
  }

  /** One place is pointed at, the newest; none: the one that has the focus. */
  point(place: Element | null): void {
    this.pointed = place ?? this.focused;
    this.renew();
  }

  /** What the pointed place names may have changed. */
  renew(): void {
    const names = this.pointed?.getAttribute("data-lights")?.split(" ") ?? [];
    const lit = names.flatMap((name) => this.named.get(name) ?? []);
    for (const element of this.lit) if (!lit.includes(element)) element.classList.remove("lit");
    for (const element of lit) element.classList.add("lit");
    this.lit = lit;
  }
}
