import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KletkaTable } from "./table";

class Wire {
  static last: Wire;
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(readonly address: string) {
    Wire.last = this;
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {}
}

const sent = (kind: string) => Wire.last.sent.filter((message) => message["do"] === kind);
const tell = (message: object) => Wire.last.onmessage!({ data: JSON.stringify(message) });
const mark = (name: string) => `<path class="s0" d="M0 0h${name.length}"></path>`;

const place = (id: string, x: number, tab: number) =>
  `<polygon data-place="${id}" points="${x},0 ${x + 100},0 ${x + 100},100 ${x},100" role="button" tabindex="${tab}" aria-label="${id}, free"/>`;

const PAGE = `<kletka-table data-at="/en/t/Ab3x" data-socket="/t/Ab3x/socket" data-lang="en" data-version="1" data-base="1" data-to="0" data-seat="0" data-token="secret" data-live="off">
<div class="board" data-board><svg class="panel" data-panel="0" viewBox="0 0 400 100">
<g data-layer="0.sign"><path class="s0" d="M0 0h2" data-m="0.sign/a1"></path></g><g data-layer="0.over"></g>
<g class="places">${place("a1", 0, 0)}${place("b1", 100, -1)}${place("c1", 200, -1)}${place("d1", 300, -1)}</g></svg></div>
<label><input type="checkbox" data-chains></label><p data-say>Yours.</p><p data-notice hidden></p>
<div><button data-step="first"></button><button data-step="back"></button><button data-step="forward"></button><button data-step="now"></button><span data-shown-text data-template="Move {n} of {m}"></span></div>
<section data-part="actions"><button data-do="resign" data-key="resign" data-confirm="Really?">Resign</button></section>
<ol data-moves><li data-v="1"><button data-step="1">a1</button></li></ol>
<form data-move-form><input name="move"><input type="hidden" name="base" value="1"><button>Play</button></form>
<p data-away hidden></p><p data-hint hidden></p>
<p data-holding data-marked="{move} is marked." hidden><button data-held="play" data-label="Play {move}"></button><button data-held="drop"></button></p>
<label><input type="checkbox" data-wish="sure"></label></kletka-table>`;

const EVENTS = [
  { v: 0, marks: {} },
  { v: 1, marks: { "0.sign/a1": mark("a1") } },
];

let table: HTMLElement;
const find = (selector: string) => table.querySelector<HTMLElement>(selector)!;
const polygon = (id: string) => find(`[data-place="${id}"]`);
const press = (id: string) => polygon(id).dispatchEvent(new MouseEvent("click", { bubbles: true }));
const drawn = () => [...table.querySelectorAll("[data-m]")].map((node) => node.getAttribute("data-m")).sort();
const click = async (selector: string) => {
  find(selector).click();
  await vi.advanceTimersByTimeAsync(0);
};
const event = (v: number, id: string, to: number, more: object = {}) => ({
  v,
  to,
  base: v,
  say: `${id} played`,
  marks: { [`0.sign/${id}`]: mark(id), "0.over/last": mark("last") },
  places: { [id]: [`${id}, taken`, 0] },
  item: `<li data-v="${v}"><button data-step="${v}">${id}</button></li>`,
  ...more,
});

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Wire);
  vi.stubGlobal("fetch", async () => ({ ok: true, json: async () => ({ events: EVENTS }) }));
  // Connected with its children, as a module finds it in a page that has been parsed.
  const holder = document.createElement("div");
  holder.innerHTML = PAGE;
  document.body.replaceChildren(holder);
  table = document.querySelector("kletka-table")!;
  Wire.last.onopen!();
  tell({ here: 1 });
});
afterEach(() => {
  table.remove();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe("table", () => {
  it("greets with what the page shows", () => {
    expect(Wire.last.address).toMatch(/^wss?:.*\/t\/Ab3x\/socket$/);
    expect(Wire.last.sent[0]).toEqual({ do: "hello", since: 1, lang: "en", token: "secret" });
    expect(table.dataset["live"]).toBe("on");
    expect(table.classList.contains("mine")).toBe(true);
    expect(find("[data-shown-text]").textContent).toBe("Move 1 of 1");
  });

  it("asks no more where the server will have nobody look", () => {
    const wire = Wire.last;
    tell({ refused: [{ code: "sealed", at: [], say: "Closed until all are done." }] });
    vi.advanceTimersByTime(60_000);
    expect(Wire.last).toBe(wire);
    expect(find("[data-notice]").textContent).toBe("Closed until all are done.");
  });

  it("says that there is no room, and asks again later, until there is", () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const wire = Wire.last;
    wire.onclose!();
    vi.advanceTimersByTime(0);
    const again = Wire.last;
    again.onopen!();
    tell({ refused: [{ code: "too_many", at: [], say: "Too many here." }] });
    expect(again.onclose, "its end isn't waited for").toBeNull();
    vi.advanceTimersByTime(59_000);
    expect(Wire.last).toBe(again);
    expect([find("[data-notice]").textContent, find("[data-notice]").hidden]).toEqual(["Too many here.", false]);
    expect(find("[data-away]").hidden, "the connection isn't lost").toBe(true);
    vi.advanceTimersByTime(2000);
    expect(Wire.last).not.toBe(again);
    Wire.last.onopen!();
    tell({ here: 1 });
    expect([table.dataset["live"], find("[data-notice]").hidden]).toEqual(["on", true]);
  });

  it("plays once, and not again before the event is there", () => {
    press("b1");
    press("b1");
    press("c1");
    expect(sent("move")).toMatchObject([{ base: 1, move: "b1" }]);
    tell({ id: sent("move")[0]!["id"], applied: 2 });
    expect(table.hasAttribute("data-pending")).toBe(true);
    press("c1");
    tell(event(2, "b1", 0));
    expect(table.hasAttribute("data-pending")).toBe(false);
    press("b1");
    press("c1");
    expect(sent("move").slice(1)).toMatchObject([{ base: 2, move: "c1" }]);
  });

  it("sends the move that a place stands for, and nothing out of turn", () => {
    tell({ v: 2, to: 0, places: { d1: ["d1", "a1"] } });
    press("d1");
    expect(sent("move")).toMatchObject([{ base: 1, move: "a1" }]);
    tell({ id: sent("move")[0]!["id"], applied: 3 });
    tell(event(3, "a1", 1));
    press("c1");
    expect(sent("move")).toHaveLength(1);
  });

  describe("a chain", () => {
    const begin = (wanted: boolean) => {
      find("[data-chains]").click();
      if (!wanted) find("[data-chains]").click();
      tell({ v: 2, to: 0, base: 2, places: { b1: ["b1", 1, "", "c1 d1"] } });
      press("b1");
    };
    const applied = (v: number, id: string, to: number) => {
      const waiting = sent("move").at(-1)!["id"];
      if (v % 2) tell({ id: waiting, applied: v });
      tell(event(v, id, to));
      if (!(v % 2)) tell({ id: waiting, applied: v });
    };
    const played = () => sent("move").map(({ base, move }) => `${base}:${move}`);

    it("is taken move by move, each once, after the one before it", () => {
      begin(true);
      expect(played()).toEqual(["2:b1"]);
      applied(3, "b1", 0);
      expect(played()).toEqual(["2:b1", "3:c1"]);
      tell({ pong: 3 });
      expect(played()).toHaveLength(2);
      applied(4, "c1", 0);
      applied(5, "d1", 0);
      tell({ pong: 5 });
      expect(played()).toEqual(["2:b1", "3:c1", "4:d1"]);
      expect(new Set(sent("move").map(({ id }) => id)).size).toBe(3);
      expect(localStorage.getItem("kletka.chains")).toBe("1");
    });

    it("isn't taken unless somebody wants that", () => {
      begin(false);
      applied(3, "b1", 0);
      expect(played()).toEqual(["2:b1"]);
    });

    it("stops when the turn passes, at a closed place, a refusal, a conflict, a lost connection and an own press", () => {
      begin(true);
      tell({ id: sent("move")[0]!["id"], applied: 3 });
      tell(event(3, "b1", 1));
      tell({ v: 4, to: 0, base: 4, places: { b1: ["b1", 1] } });
      expect(played()).toEqual(["2:b1"]);
      press("b1");
      tell({ id: sent("move")[1]!["id"], applied: 5 });
      tell({ v: 5, to: 0, base: 5, places: { b1: ["b1", 1, "", "c1 d1"], c1: ["c1, taken", 0] } });
      press("b1");
      applied(6, "b1", 0);
      tell({ v: 7, to: 0, base: 7, places: { b1: ["b1", 1, "", "d1"], c1: ["c1", 1] } });
      expect(played()).toEqual(["2:b1", "4:b1", "5:b1"]);
      press("b1");
      tell({ id: sent("move")[3]!["id"], refused: [{ code: "taken", at: [], say: "No." }] });
      press("b1");
      tell({ id: sent("move")[4]!["id"], conflict: true, say: "No." });
      tell({ v: 8, to: 0, base: 8 });
      expect(played()).toHaveLength(5);
      press("b1");
      Wire.last.onclose!();
      vi.advanceTimersByTime(1);
      Wire.last.onopen!();
      tell({ v: 9, to: 0, base: 9 });
      tell({ id: sent("move")[0]!["id"], applied: 9 });
      tell({ here: 9 });
      expect(sent("move")).toHaveLength(1);
    });
  });

  it("lights up what a place names while it is pointed at", () => {
    const lit = () => [...table.querySelectorAll(".lit")].map((node) => node.getAttribute("data-place"));
    const over = (id: string) =>
      polygon(id).dispatchEvent(Object.assign(new Event("pointerover", { bubbles: true }), { pointerType: "mouse" }));
    tell({ v: 2, places: { b1: ["b1", 1, "c1 d1"], c1: ["c1", 1, "d1 nowhere"] } });
    over("b1");
    expect(lit()).toEqual(["c1", "d1"]);
    over("c1");
    expect(lit()).toEqual(["d1"]);
    tell({ v: 3, places: { c1: ["c1", 1, "a1"] } });
    expect(lit()).toEqual(["a1"]);
    tell({ v: 4, places: { c1: ["c1", 0] } });
    expect([lit(), polygon("c1").hasAttribute("data-lights")]).toEqual([[], false]);
    over("b1");
    find("[data-board]").dispatchEvent(Object.assign(new Event("pointerleave"), { pointerType: "mouse" }));
    expect(lit()).toEqual([]);
  });

  it("doesn't draw a stroke anew that only changes its ink", () => {
    const stroke = (ink: string) => ({ "0.sign/x": `<path ${ink}d="M0 0h9"/>` });
    tell({ v: 2, marks: stroke('class="s0" ') });
    expect(find('[data-m="0.sign/x"]').classList.contains("new")).toBe(true);
    tell({ v: 3, marks: stroke("") });
    expect(find('[data-m="0.sign/x"]').hasAttribute("class")).toBe(false);
  });

  it("hears an event twice as once, and leaves the board as if loaded anew", () => {
    tell(event(2, "b1", 1));
    tell(event(2, "b1", 1));
    expect(find("[data-moves]").children).toHaveLength(2);
    const node = find('[data-m="0.sign/b1"]');
    expect(node.namespaceURI).toBe("http://www.w3.org/2000/svg");
    expect(node.parentElement!.getAttribute("data-layer")).toBe("0.sign");
    expect(node.getAttribute("pathLength")).toBe("1");
    vi.advanceTimersByTime(1000);
    expect([node.getAttribute("pathLength"), node.getAttribute("class")]).toEqual([null, "s0"]);
    expect(polygon("b1").getAttribute("aria-disabled")).toBe("true");
    expect(find("[data-say]").textContent).toBe("b1 played");
    expect(find("[aria-current]").dataset["v"]).toBe("2");
  });

  it("shows a refusal where it belongs until something happens", () => {
    press("b1");
    tell({ id: sent("move")[0]!["id"], refused: [{ code: "taken", at: ["b1"], say: "Taken." }] });
    expect([find("[data-notice]").hidden, find("[data-notice]").textContent]).toEqual([false, "Taken."]);
    expect(polygon("b1").classList.contains("refused")).toBe(true);
    press("c1");
    expect(find("[data-notice]").hidden).toBe(true);
    expect(polygon("b1").classList.contains("refused")).toBe(false);
  });

  it("steps back and forth while the game goes on", async () => {
    await click("[data-step=back]");
    expect(table.dataset["shown"]).toBe("0");
    expect(drawn()).toEqual([]);
    press("b1");
    expect(sent("move")).toEqual([]);
    tell(event(2, "b1", 0));
    expect(drawn()).toEqual([]);
    expect(find("[data-shown-text]").textContent).toBe("Move 0 of 2");
    await click("[data-step=forward]");
    expect([table.dataset["shown"], drawn()]).toEqual(["1", ["0.sign/a1"]]);
    await click("[data-step=now]");
    expect([table.dataset["shown"], drawn()]).toEqual(["2", ["0.over/last", "0.sign/a1", "0.sign/b1"]]);
    await click('[data-step="1"]');
    expect(table.dataset["shown"]).toBe("1");
    await click("[data-step=first]");
    expect(table.dataset["shown"]).toBe("0");
    press("c1");
    await click('li [data-step="2"]');
    press("c1");
    expect(sent("move")).toHaveLength(1);
  });

  it("takes a snapshot as the whole truth", () => {
    tell({ v: 30, whole: 1, to: 1, seat: 1, marks: { "0.sign/c1": mark("c1") }, items: '<li data-v="30"></li>', base: 29 });
    expect(drawn()).toEqual(["0.sign/c1"]);
    expect(table.dataset).toMatchObject({ version: "30", shown: "30", seat: "1" });
    press("b1");
    expect(sent("move")).toMatchObject([{ base: 29 }]);
  });

  it("asks again when an event got lost", () => {
    tell({ pong: 3 });
    vi.advanceTimersByTime(1100);
    expect(sent("hello")).toHaveLength(2);
  });

  it("keeps the focus in a part that changes", () => {
    find("[data-do]").focus();
    tell({ v: 2, parts: { actions: '<button data-do="resign" data-key="resign">Resign now</button>' } });
    expect(document.activeElement?.textContent).toBe("Resign now");
  });

  it("asks before it resigns", () => {
    const button = find("[data-do=resign]");
    button.click();
    expect([button.textContent, sent("resign")]).toEqual(["Really?", []]);
    vi.advanceTimersByTime(4000);
    expect(button.textContent).toBe("Resign");
    button.click();
    vi.advanceTimersByTime(100);
    button.click();
    expect([button.textContent, sent("resign").length]).toEqual(["Really?", 0]);
    vi.advanceTimersByTime(1000);
    button.click();
    expect([button.textContent, sent("resign").length]).toEqual(["Resign", 1]);
  });

  it("sends the typed move and clears it when it is applied", () => {
    const field = find("input[name=move]") as HTMLInputElement;
    field.value = " b1 ";
    const submitted = new Event("submit", { bubbles: true, cancelable: true });
    find("form").dispatchEvent(submitted);
    expect(submitted.defaultPrevented).toBe(true);
    expect(sent("move")).toMatchObject([{ move: "b1", base: 1 }]);
    tell({ id: sent("move")[0]!["id"], applied: 2 });
    tell(event(2, "b1", 1));
    expect(field.value).toBe("");
    expect((find("input[name=base]") as HTMLInputElement).value).toBe("2");
  });

  it("says after a second that the connection is lost", () => {
    Wire.last.onclose!();
    expect(table.dataset["live"]).toBe("lost");
    expect(find("[data-away]").hidden).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(find("[data-away]").hidden).toBe(false);
    Wire.last.onopen!();
    tell({ here: 1 });
    expect([table.dataset["live"], find("[data-away]").hidden]).toEqual(["on", true]);
  });

  describe("a connection that comes back", () => {
    const lose = () => {
      Wire.last.onclose!();
      vi.advanceTimersByTime(1);
      Wire.last.onopen!();
    };

    it("counts only when nothing is missing", () => {
      lose();
      tell(event(2, "b1", 1));
      expect(table.dataset["live"]).toBe("lost");
      tell({ here: 3 });
      expect(table.dataset["live"]).toBe("lost");
      tell(event(3, "c1", 0));
      expect(table.dataset["live"]).toBe("on");
    });

    it("carries what was pressed meanwhile", () => {
      lose();
      press("b1");
      expect(polygon("b1").classList.contains("waits")).toBe(true);
      tell({ here: 1 });
      tell({ id: sent("move")[0]!["id"], applied: 2 });
      expect(polygon("b1").classList.contains("waits")).toBe(true);
      tell(event(2, "b1", 1));
      expect(polygon("b1").getAttribute("class")).toBe("");
    });

    it("visibly takes back what came too late, and goes on saying why until the next press", () => {
      lose();
      press("b1");
      tell(event(2, "c1", 0));
      tell({ here: 2 });
      tell({ id: sent("move")[0]!["id"], refused: [{ code: "stale", at: [], say: "Too late." }] });
      expect([...polygon("b1").classList]).toEqual(["refused"]);
      tell(event(3, "d1", 0));
      tell({ pong: 3 });
      expect([find("[data-notice]").textContent, find("[data-notice]").hidden]).toEqual(["Too late.", false]);
      expect(polygon("b1").classList.contains("refused")).toBe(true);
      press("b1");
      expect([find("[data-notice]").hidden, ...polygon("b1").classList]).toEqual([true, "waits"]);
    });
  });

  it("puts events in order, drops repeated ones, and asks for what doesn't come", () => {
    tell(event(3, "c1", 0));
    expect(table.dataset["version"]).toBe("1");
    tell(event(2, "b1", 1));
    tell(event(2, "b1", 1));
    expect([table.dataset["version"], drawn()]).toEqual(["3", ["0.over/last", "0.sign/a1", "0.sign/b1", "0.sign/c1"]]);
    expect(find("[data-moves]").children).toHaveLength(3);
    tell({ v: 2, whole: 1, to: 0, marks: {}, items: "" });
    expect(table.dataset["version"]).toBe("3");
    tell(event(5, "d1", 0));
    vi.advanceTimersByTime(1000);
    expect(sent("hello").map(({ since }) => since)).toEqual([1, 3]);
  });

  it("loads anew, once, where the server goes on leaving out what is missing", () => {
    sessionStorage.clear();
    const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
    for (let time = 0; time < 6; time++) {
      tell({ here: 9 });
      vi.advanceTimersByTime(1100);
    }
    expect(reload).toHaveBeenCalledOnce();
    reload.mockRestore();
  });

  it("loads anew, once, where it can't make sense of an event", () => {
    sessionStorage.clear();
    const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
    tell({ v: 2, to: 0, places: { b1: null } });
    tell({ v: 3, to: 0, places: { b1: null } });
    expect(reload).toHaveBeenCalledOnce();
    reload.mockRestore();
  });

  it("loads the page with the curtain where a second person sits down at this screen", () => {
    sessionStorage.clear();
    table.dataset["hidden"] = "";
    const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
    tell({ v: 2, own: [0] });
    expect(reload).not.toHaveBeenCalled();
    tell({ v: 3, own: [0, 1] });
    expect(reload).toHaveBeenCalledOnce();
    reload.mockRestore();
  });

  it("sends what a button is about", () => {
    const parts = {
      actions: '<button data-do="offer" data-what="takeback">Back</button><button data-do="accept" data-offer="5">Yes</button><button data-do="leave" data-level="3">Leave</button>',
    };
    tell({ v: 2, to: 1, parts });
    for (const kind of ["offer", "accept", "leave"]) find(`[data-do=${kind}]`).click();
    const { id: _, ...offer } = sent("offer")[0]!;
    expect(offer).toEqual({ do: "offer", what: "takeback", base: 1 });
    expect(sent("accept")).toMatchObject([{ offer: 5 }]);
    expect(sent("leave")).toMatchObject([{ level: 3 }]);
  });

  it("goes on to the next table, but nowhere else", () => {
    const assign = vi.spyOn(location, "assign").mockImplementation(() => undefined);
    for (const [at, follow] of ["https://elsewhere.example/en/t/x", "//elsewhere/t/x", "/en/t/next"].entries()) {
      tell({ v: 2 + at, follow });
    }
    expect(assign.mock.calls).toEqual([["/en/t/next"]]);
    assign.mockRestore();
  });

  describe("where somebody wants to be asked", () => {
    beforeEach(() => find("[data-wish]").click());

    it("plays at the second press on the same place, by mouse or key, and not at a double press", () => {
      press("b1");
      press("b1");
      expect([sent("move"), polygon("b1").classList.contains("held")]).toEqual([[], true]);
      expect([find("[data-holding]").hidden, find("[data-held=play]").textContent]).toEqual([false, "Play b1"]);
      expect(find("[data-hint]").textContent).toBe("b1 is marked.");
      vi.advanceTimersByTime(500);
      press("c1");
      vi.advanceTimersByTime(500);
      expect([polygon("b1").classList.contains("held"), polygon("c1").classList.contains("held")]).toEqual([false, true]);
      polygon("c1").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      polygon("a1").focus();
      polygon("c1").focus();
      document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      expect(sent("move")).toMatchObject([{ move: "c1" }]);
      expect([find("[data-holding]").hidden, polygon("c1").classList.contains("held")]).toEqual([true, false]);
    });

    it("plays by the button, and not after Escape", () => {
      press("b1");
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
      expect(find("[data-holding]").hidden).toBe(true);
      press("b1");
      find("[data-held=drop]").click();
      expect([find("[data-holding]").hidden, sent("move").length]).toEqual([true, 0]);
      press("b1");
      find("[data-held=play]").click();
      expect(sent("move")).toMatchObject([{ move: "b1" }]);
    });

    it("lets go of a move that can't be played any more, and of no other", () => {
      press("b1");
      tell({ v: 2, to: 0, say: "An offer." });
      expect(polygon("b1").classList.contains("held")).toBe(true);
      tell(event(3, "b1", 0));
      expect([polygon("b1").classList.contains("held"), find("[data-holding]").hidden]).toEqual([false, true]);
    });
  });

  it("is in step again when a page that was left comes back as it was", () => {
    const wire = Wire.last;
    dispatchEvent(new Event("pagehide"));
    expect(wire.onmessage).toBeNull();
    dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    expect(Wire.last).not.toBe(wire);
    expect(table.dataset["live"]).toBe("lost");
    Wire.last.onopen!();
    tell(event(2, "b1", 0));
    tell({ here: 2 });
    expect([table.dataset["live"], table.dataset["version"]]).toEqual(["on", "2"]);
  });

  it("walks by keys with one stop for Tab", () => {
    polygon("a1").focus();
    const key = (name: string) =>
      document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    key("ArrowRight");
    key("ArrowRight");
    expect(table.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    expect(document.activeElement).toBe(polygon("c1"));
    key("Enter");
    expect(sent("move")).toMatchObject([{ move: "c1" }]);
  });
});
