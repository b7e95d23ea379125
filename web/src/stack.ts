import { remember, remembered } from "./memory";

/** Degrees for a pixel that the mouse or a finger is drawn sideways. */
const PACE = 0.5;
const TAP = 4;

/** Layers shown as they lie upon each other, to be turned and looked at. */
export class Stack {
  private readonly button: HTMLButtonElement | null;
  private readonly slider: HTMLInputElement | null;
  private drag: { id: number; x: number; turn: number; moved: boolean } | null = null;

  constructor(
    private readonly table: HTMLElement,
    private readonly board: HTMLElement,
    private readonly looks: (looking: boolean) => void,
  ) {
    this.button = table.querySelector("[data-stack]");
    this.slider = table.querySelector("[data-turn]");
    const leaves = [...board.querySelectorAll<HTMLElement>(".leaf")];
    if (!this.button || !this.slider || leaves.length < 2) return;
    const { button, slider } = this;
    leaves.forEach(({ style }, number) => style.setProperty("--level", String((leaves.length - 1) / 2 - number)));
    board.style.setProperty("--levels", String(leaves.length));
    button.addEventListener("click", () => this.show(!this.shown));
    slider.addEventListener("input", () => this.turn(Number(slider.value)));
    board.addEventListener("pointerdown", (event) => {
      this.drag = this.shown && event.isPrimary ? { id: event.pointerId, x: event.clientX, turn: this.at, moved: false } : null;
    });
    board.addEventListener("pointermove", (event) => {
      const { drag } = this;
      if (drag?.id !== event.pointerId || !event.buttons) return;
      const way = event.clientX - drag.x;
      drag.moved ||= Math.abs(way) > TAP;
      if (drag.moved) this.turn(((drag.turn + PACE * way + 540) % 360) - 180);
    });
    this.turn(Number(remembered("turn") ?? slider.value) || 0);
  }

  private get shown(): boolean {
    return this.table.classList.contains("stacked");
  }

  private get at(): number {
    return Number(this.slider?.value);
  }

  private show(shown: boolean): void {
    this.table.classList.toggle("stacked", shown);
    this.button?.setAttribute("aria-pressed", String(shown));
    this.looks(shown);
  }

  private turn(degrees: number): void {
    if (this.slider) this.slider.value = String(Math.round(degrees));
    this.board.style.setProperty("--turn", `${this.at}deg`);
    remember("turn", String(this.at));
  }
}
