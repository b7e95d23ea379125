/** A place as the arrow keys see it: its centre in the units of its panel. */
export interface Spot {
  readonly panel: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The line that one is walking along: it stays while the axis stays, as an editor keeps its column. */
export interface Walk {
  readonly axis: "x" | "y" | null;
  readonly goal: number;
}

export const STANDING: Walk = { axis: null, goal: 0 };

const ARROWS: Readonly<Record<string, readonly ["x" | "y", 1 | -1]>> = {
  ArrowRight: ["x", 1],
  ArrowLeft: ["x", -1],
  ArrowDown: ["y", 1],
  ArrowUp: ["y", -1],
};

/** The box around a polygon, in its panel's units. */
export function bounds(points: string): { x: number; y: number; width: number; height: number } {
  const numbers = points.trim().split(/[\s,]+/).map(Number);
  const [xs, ys] = [0, 1].map((axis) => numbers.filter((_, index) => index % 2 === axis)) as [number[], number[]];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Panel units, not screen boxes: in a turned stack screen boxes make the arrows wander between layers. */
export function centre(points: string): { x: number; y: number; radius: number } {
  const numbers = points.trim().split(/[\s,]+/).map(Number);
  const corners: [number, number][] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) corners.push([numbers[i] ?? 0, numbers[i + 1] ?? 0]);
  const mean = (axis: 0 | 1) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  const [x, y] = [mean(0), mean(1)];
  return { x, y, radius: Math.max(...corners.map(([a, b]) => Math.hypot(a - x, b - y))) };
}

function least(spots: readonly Spot[], cost: (spot: Spot) => number): number | null {
  let found: number | null = null;
  let best = Infinity;
  spots.forEach((spot, index) => {
    const now = cost(spot);
    if (now < best) [found, best] = [index, now];
  });
  return found;
}

/** Where a key leads from a place, and the line walked along; null where the key isn't one of ours. */
export function walk(
  spots: readonly Spot[],
  sizes: readonly Size[],
  from: number,
  key: string,
  walking: Walk,
): { to: number; walking: Walk } | null {
  const here = spots[from];
  if (!here) return null;
  if (key === "Home" || key === "End") return { to: key === "Home" ? 0 : spots.length - 1, walking: STANDING };
  if (key === "PageUp" || key === "PageDown") {
    const panel = here.panel + (key === "PageUp" ? 1 : -1);
    const to = least(spots, (spot) =>
      spot.panel === panel ? Math.hypot(spot.x - here.x, spot.y - here.y) : Infinity,
    );
    return { to: to ?? from, walking: STANDING };
  }
  const arrow = ARROWS[key];
  if (!arrow) return null;
  const [axis, sign] = arrow;
  const other = axis === "x" ? "y" : "x";
  const goal = walking.axis === axis ? walking.goal : here[other];
  const cost = (along: number, spot: Spot) => along + 0.9 * Math.abs(spot[other] - goal);
  const inside = least(spots, (spot) => {
    const along = sign * (spot[axis] - here[axis]);
    const fits = spot.panel === here.panel && along > 0 && Math.abs(spot[other] - here[other]) <= 2 * along;
    return fits ? cost(along, spot) : Infinity;
  });
  const panel = here.panel + sign;
  // The next panel counts as standing behind the edge, so that one enters it on the line one was walking along.
  const side = axis === "x" ? "width" : "height";
  const gap = sizes[sign > 0 ? here.panel : panel]?.[side] ?? 0;
  const to =
    inside ??
    least(spots, (spot) => (spot.panel === panel ? cost(sign * (spot[axis] - here[axis]) + gap, spot) : Infinity));
  return { to: to ?? from, walking: { axis, goal } };
}
