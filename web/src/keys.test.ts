import { describe, expect, it } from "vitest";
import { centre, STANDING, walk, type Size, type Spot, type Walk } from "./keys";

type Plane = { spots: Spot[]; sizes: Size[] };

function squares(rows: number, columns: number, layers = 1): Plane {
  const spots: Spot[] = [];
  for (let panel = 0; panel < layers; panel++) {
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) spots.push({ panel, x: 100 + 100 * c, y: 70 + 100 * r });
    }
  }
  return { spots, sizes: Array(layers).fill({ width: 70 + 100 * columns, height: 70 + 100 * rows }) };
}

function boxEdges(side: number): Plane {
  const spots: Spot[] = [];
  for (let r = 0; r <= side; r++) for (let c = 0; c < side; c++) spots.push({ panel: 0, x: 100 * c + 50, y: 100 * r });
  for (let r = 0; r < side; r++) for (let c = 0; c <= side; c++) spots.push({ panel: 0, x: 100 * c, y: 100 * r + 50 });
  return { spots, sizes: [{ width: 100 * side, height: 100 * side }] };
}

function triangleEdges(dots: number): Plane {
  const dot = (row: number, i: number) => ({ x: 100 * i - 50 * row, y: 87 * row });
  const spots: Spot[] = [];
  const edge = (a: { x: number; y: number }, b: { x: number; y: number }) =>
    spots.push({ panel: 0, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  for (let row = 1; row < dots; row++) {
    for (let i = 0; i < row; i++) {
      edge(dot(row - 1, i), dot(row, i));
      edge(dot(row - 1, i), dot(row, i + 1));
      edge(dot(row, i), dot(row, i + 1));
    }
  }
  return { spots, sizes: [{ width: 100 * dots, height: 87 * dots }] };
}

const ARROWS = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"];

function reached({ spots, sizes }: Plane): number {
  const key = (at: number, walking: Walk) => `${at} ${walking.axis} ${walking.goal}`;
  const seen = new Set([key(0, STANDING)]);
  const places = new Set([0]);
  const queue: [number, Walk][] = [[0, STANDING]];
  for (let state = queue.shift(); state; state = queue.shift()) {
    for (const arrow of ARROWS) {
      const went = walk(spots, sizes, state[0], arrow, state[1]);
      if (!went || seen.has(key(went.to, went.walking))) continue;
      seen.add(key(went.to, went.walking));
      places.add(went.to);
      queue.push([went.to, went.walking]);
    }
  }
  return places.size;
}

describe("arrows", () => {
  it.each([
    ["3x3", squares(3, 3), 9],
    ["4x4x4", squares(4, 4, 4), 64],
    ["15x15", squares(15, 15), 225],
    ["the edges of 8x8 boxes", boxEdges(8), 144],
    ["the edges of triangle 8", triangleEdges(8), 84],
  ])("reach every place of %s", (_, plane, places) => {
    expect(plane.spots).toHaveLength(places);
    expect(reached(plane)).toBe(places);
  });

  it("keep the line one walks along", () => {
    const { spots, sizes } = boxEdges(3);
    // From the first horizontal line down: the vertical ones beside it are left out only by the kept goal.
    let at = 0;
    let walking = STANDING;
    for (let press = 0; press < 3; press++) {
      const went = walk(spots, sizes, at, "ArrowDown", walking);
      [at, walking] = [went!.to, went!.walking];
    }
    expect(walking).toEqual({ axis: "y", goal: 50 });
    expect(spots[at]).toMatchObject({ y: 150 });
  });

  it("lead over the edge into the next panel, on the same line", () => {
    const { spots, sizes } = squares(4, 4, 4);
    const to = (from: number, key: string) => walk(spots, sizes, from, key, STANDING)!.to;
    expect(to(7, "ArrowRight")).toBe(16 + 4);
    expect(to(16 + 4, "ArrowLeft")).toBe(7);
    expect(to(13, "ArrowDown")).toBe(16 + 1);
    expect(to(16 + 1, "ArrowUp")).toBe(13);
    expect(to(0, "ArrowLeft")).toBe(0);
    expect(to(63, "ArrowDown")).toBe(63);
  });

  it("have company: a layer up and down, first and last place", () => {
    const { spots, sizes } = squares(4, 4, 4);
    const to = (from: number, key: string) => walk(spots, sizes, from, key, STANDING)?.to;
    expect(to(5, "PageUp")).toBe(21);
    expect(to(21, "PageDown")).toBe(5);
    expect(to(5, "PageDown")).toBe(5);
    expect(to(5, "Home")).toBe(0);
    expect(to(5, "End")).toBe(63);
    expect(to(5, "a")).toBeUndefined();
  });
});

it("takes a polygon's centre and reach from its corners", () => {
  expect(centre("50,20 150,20 150,120 50,120")).toEqual({ x: 100, y: 70, radius: Math.hypot(50, 50) });
});
