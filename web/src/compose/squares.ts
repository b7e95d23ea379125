import { bounds } from "../keys";
import { Grid, type Spot } from "./draft";

/** The squares of a panel: where they begin and how wide they are, in the panel's units, and the place of each. */
export class Squares {
  readonly grid: Grid;
  readonly places: readonly SVGElement[];
  private readonly x: number;
  private readonly y: number;
  private readonly size: number;

  constructor(readonly panel: SVGSVGElement) {
    this.places = [...panel.querySelectorAll<SVGElement>("[data-lay]")];
    const boxes = this.places.map((place) => ({
      lay: place.getAttribute("data-lay") ?? "",
      ...bounds(place.getAttribute("points") ?? ""),
    }));
    this.x = Math.min(...boxes.map(({ x }) => x));
    this.y = Math.min(...boxes.map(({ y }) => y));
    this.size = boxes[0]?.width ?? 1;
    this.grid = new Grid(
      boxes.map(({ lay, x, y }) => ({
        lay,
        column: Math.round((x - this.x) / this.size),
        row: Math.round((y - this.y) / this.size),
      })),
    );
  }

  /** A point of the screen in squares from the upper left corner; null where the panel isn't shown. */
  at(x: number, y: number): Spot | null {
    const matrix = this.panel.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return { column: (point.x - this.x) / this.size, row: (point.y - this.y) / this.size };
  }

  /** Where a square's upper left corner is on the screen, and how wide it is. */
  screen({ column, row }: Spot): { x: number; y: number; size: number } | null {
    const matrix = this.panel.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(this.x + column * this.size, this.y + row * this.size).matrixTransform(matrix);
    return { x: point.x, y: point.y, size: this.size * matrix.a };
  }

  place(spot: Spot): SVGElement | null {
    const lay = this.grid.lay(spot);
    return this.places.find((place) => place.getAttribute("data-lay") === lay) ?? null;
  }
}
