export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Gestures {
  /** Whether one finger moves the board, so that only a tap plays. */
  pans(): boolean;
  /** A finger lies here: light what it would play. */
  aim(at: Point): void;
  /** The finger was lifted: play what is lit. */
  lift(): void;
  /** Nothing will be played. */
  cancel(): void;
  /** Two fingers: how much they spread, where their middle was and is. */
  pinch(spread: number, from: Point, to: Point): void;
  pinched(): void;
}

const TAP = 10;

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** Fingers (and pens) on the board: aim, then lift; two of them zoom. The mouse clicks and isn't our affair. */
export class Touch {
  /** The last press came from a finger: the click that follows it has been dealt with. */
  finger = false;
  /** A finger aims: a long press must not open a menu. */
  get aiming(): boolean {
    return this.mode === "aim";
  }

  private mode: "none" | "aim" | "pinch" | "spent" = "none";
  private readonly fingers = new Map<number, Point>();
  private first: Point = { x: 0, y: 0 };
  private second: Point = { x: 0, y: 0 };

  constructor(
    element: HTMLElement,
    private readonly gestures: Gestures,
  ) {
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event, false));
    element.addEventListener("pointercancel", (event) => this.up(event, true));
    element.addEventListener("contextmenu", (event) => this.aiming && event.preventDefault());
    document.addEventListener("pointerdown", (event) => {
      // A pinch with one finger beside the board.
      if (this.mode !== "aim" || element.contains(event.target as Node)) return;
      this.mode = "spent";
      this.gestures.cancel();
    });
    const pair = (event: TouchEvent) => {
      // Otherwise the browser takes a pinch on a zoomed board for a pan and cancels both fingers.
      if (event.touches.length > 1 && event.cancelable) event.preventDefault();
    };
    element.addEventListener("touchstart", pair, { passive: false });
    element.addEventListener("touchmove", pair, { passive: false });
  }

  private down(event: PointerEvent): void {
    this.finger = event.pointerType !== "mouse";
    if (!this.finger) return;
    const at = { x: event.clientX, y: event.clientY };
    this.fingers.set(event.pointerId, at);
    if (this.fingers.size === 1) {
      this.mode = "aim";
      this.first = at;
      this.gestures.aim(at);
      return;
    }
    if (this.mode === "aim") this.gestures.cancel();
    if (this.mode === "pinch") this.gestures.pinched();
    this.mode = "spent";
    const [one, two] = [...this.fingers.values()];
    if (this.fingers.size === 2 && one && two) {
      this.mode = "pinch";
      [this.first, this.second] = [one, two];
    }
  }

  private move(event: PointerEvent): void {
    if (!this.fingers.has(event.pointerId)) return;
    const at = { x: event.clientX, y: event.clientY };
    this.fingers.set(event.pointerId, at);
    if (this.mode === "aim") {
      if (this.gestures.pans() && distance(at, this.first) > TAP) {
        this.mode = "spent";
        this.gestures.cancel();
      } else this.gestures.aim(at);
    }
    const [one, two] = [...this.fingers.values()];
    if (this.mode === "pinch" && one && two) {
      const spread = distance(one, two) / Math.max(1, distance(this.first, this.second));
      this.gestures.pinch(spread, middle(this.first, this.second), middle(one, two));
    }
  }

  private up(event: PointerEvent, cancelled: boolean): void {
    if (!this.fingers.delete(event.pointerId)) return;
    const { mode } = this;
    this.mode = this.fingers.size ? "spent" : "none";
    if (mode === "pinch") this.gestures.pinched();
    if (mode === "aim") cancelled ? this.gestures.cancel() : this.gestures.lift();
  }
}
