import type { Named } from "./history";
import { bounds, centre, STANDING, walk, type Size, type Spot } from "./keys";
import { Lights } from "./lights";
import { drawn } from "./policy";
import { Touch, type Point } from "./touch";

export interface Player {
  /** Whether a press may play now. */
  may(): boolean;
  /** Plays a move; `then` are the moves that carry on what it begins. False: it waits for another press. */
  play(move: string, then: readonly string[]): boolean;
  /** A press that can't play now: whoever knows the rules says why. */
  ask(move: string): void;
  /** Whether somebody else deals with this press, by a finger or not; nothing more comes of it then. */
  takes?(place: Element, finger: boolean): boolean;
  /** A finger aims at this place. */
  aims?(place: Element | null): void;
}

/** A part of a panel, in the panel's units, that small screens enlarge at a touch. */
interface Block {
  readonly element: Element;
  readonly panel: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Place extends Spot {
  readonly element: Element;
  readonly radius: number;
  readonly block: Block | null;
}

interface Grip {
  readonly panel: Element;
  readonly u: number;
  readonly v: number;
}

const MOST = 4;
const STEP = 1.5;
/** How far beside a place a finger still means it, in pixels of the screen. */
const REACH = 16;
const DRAWING = 1000;
/** What a finger hits surely, in pixels of the screen. */
const FINGER = 44;
/** How much of the board's room an enlarged block takes: around it there is somewhere to tap for leaving it. */
const FILL = 0.7;

function blocksOf(panel: Element, number: number): Block[] {
  const blocks = [...panel.querySelectorAll("[data-block]")];
  return blocks.map((element) => ({ element, panel: number, ...bounds(element.getAttribute("points") ?? "") }));
}

/** The server's board: focus, presses, fingers and zoom; marks come and go. It draws nothing and knows no rule. */
export class Board {
  private readonly panels: SVGSVGElement[];
  private readonly sizes: Size[];
  private readonly places: Place[] = [];
  private readonly byId = new Map<string, Element>();
  /** The places where a press can't play. */
  private readonly closed = new Set<Element>();
  /** Whether every place can be pressed, since presses put a move together. */
  private composing = false;
  private readonly groups = new Map<string, Element>();
  private readonly nodes = new Map<string, Element>();
  private readonly fragments = new Map<string, string>();
  /** The marks of a draft, which have no history. */
  private readonly drafted = new Map<string, Element>();
  /** Marks that an engine's advice puts beside those of a draft. */
  private advised: Element[] = [];
  private readonly marked = new Map<string, string | null>();
  private chosen: string | null = null;
  private dimmed: string | null = null;
  private readonly lights: Lights;
  private readonly touch: Touch;
  private current = 0;
  private pairing: string | null = null;
  private picked: Element | null = null;
  private walking = STANDING;
  private aimed: Place | null = null;
  private zoom = 1;
  /** The block that fills the room. */
  private entered: Block | null = null;
  private looking = false;
  private pinching: { zoom: number; boxes: DOMRect[]; grip: Grip; to: Point } | null = null;

  /** Told how many places of a pair are named; null when both are, or none will be. */
  paired: (named: number | null) => void = () => {};

  /** Told which block fills the board's room; null: the board is seen as a whole. */
  entering: (block: string | null) => void = () => {};

  /** Told when the zoom changes: whether there is still something to enlarge, to make smaller. */
  zoomed: (larger: boolean, smaller: boolean) => void = () => {};

  constructor(
    private readonly root: HTMLElement,
    private readonly player: Player,
  ) {
    this.panels = [...root.querySelectorAll<SVGSVGElement>("[data-panel]")];
    this.sizes = this.panels.map((panel) => {
      const [, , width = 0, height = 0] = (panel.getAttribute("viewBox") ?? "").split(" ").map(Number);
      return { width, height };
    });
    this.panels.forEach((panel, number) => {
      const blocks = blocksOf(panel, number);
      for (const element of panel.querySelectorAll("[data-place]")) {
        if (element.getAttribute("tabindex") === "0") this.current = this.places.length;
        const middle = centre(element.getAttribute("points") ?? "");
        const inside = ({ x, y, width, height }: Block) =>
          middle.x > x && middle.x < x + width && middle.y > y && middle.y < y + height;
        this.places.push({ element, panel: number, ...middle, block: blocks.find(inside) ?? null });
        this.byId.set(element.getAttribute("data-place") ?? "", element);
        if (element.hasAttribute("aria-disabled")) this.closed.add(element);
      }
    });
    for (const group of root.querySelectorAll("[data-layer]")) {
      this.groups.set(group.getAttribute("data-layer") ?? "", group);
    }
    for (const node of root.querySelectorAll("[data-m]")) this.nodes.set(node.getAttribute("data-m") ?? "", node);

    this.lights = new Lights(root);
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("click", (event) => {
      // A second click of a double click, and the click that follows a finger, have been played already.
      if (event.detail > 1 || (event.detail > 0 && (this.touch.finger || this.looking))) return;
      const place = (event.target as Element).closest("[data-place]");
      if (place) this.press(place);
    });
    root.addEventListener("focusin", (event) => {
      const index = this.places.findIndex(({ element }) => element === event.target);
      if (index >= 0 && index !== this.current) this.settle(index);
    });
    this.touch = new Touch(root, {
      pans: () => this.zoom > 1 || this.looking,
      aim: (at) => this.aim(this.meant(at)),
      lift: () => this.lift(),
      cancel: () => this.aim(null),
      pinch: (spread, from, to) => this.pinch(spread, from, to),
      pinched: () => this.pinched(),
    });
  }

  /** Puts a mark's fragment where its key says, or takes the mark away. */
  put(key: string, fragment: string | null, fresh = false): void {
    const old = this.nodes.get(key);
    if (fragment === null) {
      old?.remove();
      this.nodes.delete(key);
      this.fragments.delete(key);
      return;
    }
    if (this.fragments.get(key) === fragment) return;
    const node = drawn(fragment);
    if (!node) return;
    node.setAttribute("data-m", key);
    if (old) old.replaceWith(node);
    else this.groups.get(key.slice(0, key.indexOf("/")))?.append(node);
    this.nodes.set(key, node);
    this.fragments.set(key, fragment);
    // The same stroke in another ink isn't a new one.
    if (fresh && (!old || old.getAttribute("d") !== node.getAttribute("d"))) this.drawIn(node);
  }

  /** Shows these marks and no others. */
  show(marks: ReadonlyMap<string, string | null>): void {
    for (const key of [...this.nodes.keys()]) if (marks.get(key) == null) this.put(key, null);
    for (const [key, fragment] of marks) if (fragment !== null) this.put(key, fragment);
  }

  /** Shows these marks in the draft layer instead of those before. */
  draft(marks: Readonly<Record<string, string>>): void {
    for (const node of this.drafted.values()) node.remove();
    this.drafted.clear();
    for (const [key, fragment] of Object.entries(marks)) {
      const node = drawn(fragment);
      const group = this.groups.get(key.slice(0, key.indexOf("/")));
      if (!node || !group) continue;
      group.append(node);
      this.drafted.set(key, node);
    }
    this.choose(this.chosen);
    this.dim(this.dimmed);
  }

  /** Shows these marks of advice in the draft layer instead of those before; a draft stays as it is. */
  advise(marks: Readonly<Record<string, string>>): void {
    for (const node of this.advised) node.remove();
    this.advised = [];
    for (const [key, fragment] of Object.entries(marks)) {
      const node = drawn(fragment);
      const group = this.groups.get(key.slice(0, key.indexOf("/")));
      if (!node || !group) continue;
      node.classList.add("advised");
      group.append(node);
      this.advised.push(node);
    }
  }

  /** Marks one mark of the draft as chosen. */
  choose(key: string | null): void {
    this.chosen = key;
    for (const [name, node] of this.drafted) node.classList.toggle("chosen", name === key);
  }

  /** Takes one mark of the draft out of sight while it is dragged. */
  dim(key: string | null): void {
    this.dimmed = key;
    for (const [name, node] of this.drafted) node.classList.toggle("dim", name === key);
  }

  /** Marks the places where a draft is wrong. */
  fault(ids: readonly string[]): void {
    for (const [id, place] of this.byId) place.classList.toggle("fault", ids.includes(id));
  }

  /** Spoken names, and what pressing and pointing do. */
  name(places: Record<string, Named>): void {
    for (const [id, [name, open, lights, then]] of Object.entries(places)) {
      const place = this.byId.get(id);
      if (!place) continue;
      place.setAttribute("aria-label", name);
      if (open === 0) this.closed.add(place);
      else this.closed.delete(place);
      this.bar(place);
      const more = { "data-sends": typeof open === "string" ? open : "", "data-lights": lights, "data-then": then };
      for (const [attribute, value] of Object.entries(more)) {
        if (value) place.setAttribute(attribute, value);
        else place.removeAttribute(attribute);
      }
    }
    this.lights.renew();
  }

  /** Presses put a move together: every place is open to them. */
  compose(composing: boolean): void {
    this.composing = composing;
    for (const place of this.byId.values()) this.bar(place);
  }

  private bar(place: Element): void {
    if (this.closed.has(place) && !this.composing) place.setAttribute("aria-disabled", "true");
    else place.removeAttribute("aria-disabled");
  }

  /** Whether a press could send this move now. */
  offers(move: string): boolean {
    return this.places.some(({ element }) => this.sends(element) === move && this.open(element));
  }

  /** Marks the places that a refusal concerns; without places the marks go. */
  refuse(ids: readonly string[]): void {
    for (const [id, place] of this.byId) place.classList.toggle("refused", ids.includes(id));
  }

  /** Marks where a move is to be played: `held` until another press, `waits` until it stands; null: nowhere. */
  mark(how: "held" | "waits", move: string | null): void {
    if ((this.marked.get(how) ?? null) === move) return;
    this.marked.set(how, move);
    for (const place of this.root.querySelectorAll(`.${how}`)) place.classList.remove(how);
    if (move === null) return;
    const own = this.byId.get(move);
    const places = own ? [own] : [...this.byId.values()].filter((place) => this.sends(place) === move);
    for (const place of places) place.classList.add(how);
  }

  larger(): void {
    this.enlarge(this.zoom * STEP);
  }

  smaller(): void {
    if (this.entered) this.leave();
    else this.enlarge(this.zoom / STEP);
  }

  /** The window changed: an enlarged board takes the room that it would have unenlarged. */
  resized(): void {
    const { entered } = this;
    if (entered) {
      this.leave();
      this.enter(entered);
    } else if (this.zoom > 1) this.enlarge(this.zoom);
  }

  /** Whether the board is only looked at: pointing lights up, pressing by mouse or finger plays nothing. */
  look(looking: boolean): void {
    this.leave();
    this.looking = looking;
  }

  private sends(place: Element): string | null {
    return place.getAttribute("data-sends") ?? place.getAttribute("data-place");
  }

  /** Presses name two places of a move that begins with this word, until both are named; null: they don't. */
  pair(word: string | null): void {
    this.picked?.classList.remove("picked");
    this.picked = null;
    this.pairing = word;
    this.paired(word === null ? null : 0);
  }

  private pick(place: Element): void {
    if (!this.picked) {
      this.picked = place;
      place.classList.add("picked");
      this.paired(1);
      return;
    }
    const [one, other] = [this.picked, place].map((end) => end.getAttribute("data-place") ?? "");
    const move = `${this.pairing ?? ""}:${one ?? ""}-${other ?? ""}`;
    this.pair(null);
    if (this.player.may()) this.player.play(move, []);
    else this.player.ask(move);
  }

  press(place: Element, finger = false): void {
    if (this.player.takes?.(place, finger)) return;
    if (this.pairing !== null) return this.pick(place);
    const move = this.sends(place);
    if (!move) return;
    if (!this.open(place)) return this.player.ask(move);
    const played = this.player.play(move, place.getAttribute("data-then")?.split(" ") ?? []);
    if (this.entered && played) this.leave();
  }

  /** A finger was lifted: its place is played, or the block is entered or left that holds it. */
  private lift(): void {
    const place = this.aimed;
    this.aim(null);
    if (place && (this.looking || this.enters(place))) {
      if (place.block && !this.looking) this.enter(place.block);
      this.lights.point(place.element);
    } else if (this.entered && place?.block !== this.entered) this.leave();
    else if (place) this.press(place.element, true);
  }

  /** Whether a finger is too large for this place, so that it enlarges the place's block first. */
  private enters({ element, block }: Place): boolean {
    if (!block || this.zoom > 1 || this.looking) return false;
    const { width, height } = element.getBoundingClientRect();
    return Math.min(width, height) < FINGER;
  }

  private enter(block: Block): void {
    const panel = this.panels[block.panel];
    const size = this.sizes[block.panel];
    if (!panel || !size) return;
    const room = this.root.getBoundingClientRect();
    const scale = panel.getBoundingClientRect().width / size.width;
    const zoom = FILL * Math.min(room.width / (block.width * scale), room.height / (block.height * scale));
    const [u, v] = [(block.x + block.width / 2) / size.width, (block.y + block.height / 2) / size.height];
    const to = { x: room.left + room.width / 2, y: room.top + room.height / 2 };
    this.setZoom(zoom, { panel, u, v }, to, Math.max(zoom, MOST));
    this.entered = this.zoom > 1 ? block : null;
    if (this.entered) this.entering(block.element.getAttribute("data-block"));
  }

  private leave(): void {
    this.lights.point(null);
    this.setZoom(1, null, { x: 0, y: 0 });
  }

  private open(place: Element): boolean {
    return this.player.may() && (this.composing || !this.closed.has(place));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { key } = event;
    const here = this.places[this.current];
    if (!here || event.target !== here.element) return;
    if (key === "Enter" || key === " ") {
      event.preventDefault();
      if (!event.repeat) this.press(here.element);
    } else if (key === "+" || key === "=") this.larger();
    else if (key === "-") this.smaller();
    else {
      const went = walk(this.places, this.sizes, this.current, key, this.walking);
      if (!went) return;
      event.preventDefault();
      this.settle(went.to);
      this.walking = went.walking;
      const place = this.places[went.to]?.element as SVGElement | undefined;
      place?.focus({ preventScroll: true });
      place?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  private settle(index: number): void {
    this.places[this.current]?.element.setAttribute("tabindex", "-1");
    this.places[index]?.element.setAttribute("tabindex", "0");
    this.current = index;
    this.walking = STANDING;
  }

  private aim(place: Place | null): void {
    if (this.aimed === place) return;
    for (const lit of this.root.querySelectorAll(".aim")) lit.classList.remove("aim");
    if (place && this.enters(place)) place.block?.element.classList.add("aim");
    else if (place && !this.looking && this.open(place.element)) place.element.classList.add("aim");
    this.aimed = place;
    this.player.aims?.(place?.element ?? null);
    this.lights.point(place?.element ?? null);
  }

  /** The place that a finger at a point of the screen means; beside an enlarged block it means none. */
  private meant(at: Point): Place | null {
    if (this.looking) return this.under(at);
    return this.entered && !this.over(this.entered, at) ? null : this.nearest(at);
  }

  /** Whether a point of the screen is on a block; the box that the browser gives has the stroke and more around it. */
  private over({ panel, x, y, width, height }: Block, at: Point): boolean {
    const matrix = this.panels[panel]?.getScreenCTM();
    if (!matrix) return true;
    const point = new DOMPoint(at.x, at.y).matrixTransform(matrix.inverse());
    return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
  }

  /** The place that is seen at a point of the screen. */
  private under({ x, y }: Point): Place | null {
    const element = document.elementFromPoint(x, y)?.closest("[data-place]");
    return this.places.find((place) => place.element === element) ?? null;
  }

  /** The place nearest to a point of the screen; null beside the board. */
  private nearest({ x, y }: Point): Place | null {
    const box = this.root.getBoundingClientRect();
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
    const points = this.panels.map((panel) => {
      const matrix = panel.getScreenCTM();
      if (!matrix) return null;
      const { x: px, y: py } = new DOMPoint(x, y).matrixTransform(matrix.inverse());
      return { x: px, y: py, scale: Math.hypot(matrix.a, matrix.b) };
    });
    let found: Place | null = null;
    let best = Infinity;
    for (const place of this.places) {
      const point = points[place.panel];
      if (!point) continue;
      const away = Math.hypot(place.x - point.x, place.y - point.y) * point.scale;
      if (away < best && away <= place.radius * point.scale + REACH) [found, best] = [place, away];
    }
    return found;
  }

  private drawIn(node: Element): void {
    const paths = [...(node.matches("path") ? [node] : []), ...node.querySelectorAll("path")];
    for (const path of paths) path.setAttribute("pathLength", "1");
    node.classList.add("new");
    // Afterwards the board is as if the page were loaded anew. Not on animationend: without motion it never comes.
    setTimeout(() => {
      for (const path of paths) path.removeAttribute("pathLength");
      node.classList.remove("new");
      if (!node.classList.length) node.removeAttribute("class");
    }, DRAWING);
  }

  private grip({ x, y }: Point): Grip | null {
    let grip: Grip | null = null;
    let best = Infinity;
    for (const panel of this.panels) {
      const box = panel.getBoundingClientRect();
      const away = Math.hypot(
        Math.max(box.left - x, 0, x - box.right),
        Math.max(box.top - y, 0, y - box.bottom),
      );
      if (away >= best || !box.width || !box.height) continue;
      best = away;
      grip = { panel, u: (x - box.left) / box.width, v: (y - box.top) / box.height };
    }
    return grip;
  }

  private enlarge(zoom: number): void {
    const focused = this.places[this.current]?.element;
    const box = (focused && focused === document.activeElement ? focused : this.root).getBoundingClientRect();
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    this.setZoom(zoom, this.grip(middle), middle);
  }

  private setZoom(wanted: number, grip: Grip | null, to: Point, most = MOST): void {
    const { root } = this;
    const zoom = Math.min(most, wanted < 1.05 ? 1 : wanted);
    this.entered = null;
    this.entering(null);
    root.classList.remove("zoomed");
    root.style.removeProperty("--zoom");
    root.style.removeProperty("--room");
    if (zoom > 1) {
      root.style.setProperty("--room", `${root.offsetHeight}px`);
      root.style.setProperty("--zoom", zoom.toFixed(3));
      root.classList.add("zoomed");
    }
    this.zoom = zoom;
    if (grip) {
      const box = grip.panel.getBoundingClientRect();
      root.scrollLeft += box.left + grip.u * box.width - to.x;
      root.scrollTop += box.top + grip.v * box.height - to.y;
    }
    this.zoomed(zoom < MOST, zoom > 1);
  }

  // While the fingers move only the picture is scaled: laying the board out anew takes several frames.
  private pinch(spread: number, from: Point, to: Point): void {
    if (this.looking) return;
    if (!this.pinching) {
      const grip = this.grip(from);
      if (!grip) return;
      const boxes = this.panels.map((panel) => panel.getBoundingClientRect());
      this.pinching = { zoom: 1, boxes, grip, to };
      this.root.classList.add("pinching");
    }
    const { pinching } = this;
    pinching.zoom = Math.min(MOST, Math.max(1, this.zoom * spread));
    pinching.to = to;
    this.panels.forEach(({ style }, number) => {
      const box = pinching.boxes[number];
      if (!box) return;
      style.setProperty("will-change", "transform");
      style.setProperty("transform-origin", `${from.x - box.left}px ${from.y - box.top}px`);
      const moved = `translate(${to.x - from.x}px, ${to.y - from.y}px)`;
      style.setProperty("transform", `${moved} scale(${pinching.zoom / this.zoom})`);
    });
  }

  private pinched(): void {
    const { pinching } = this;
    if (!pinching) return;
    this.pinching = null;
    this.root.classList.remove("pinching");
    for (const { style } of this.panels) {
      for (const name of ["will-change", "transform-origin", "transform"]) style.removeProperty(name);
    }
    this.setZoom(pinching.zoom, pinching.grip, pinching.to);
  }
}
