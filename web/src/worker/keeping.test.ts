import { beforeEach, describe, expect, it, vi } from "vitest";
import { Keeper } from "./keeping";

const BUILT = {
  build: "one",
  files: ["/static/assets/main-1.js", "/static/assets/main-1.css", "/icon.svg"],
  pages: { en: "/en/offline", fr: "/fr/offline", ru: "/ru/offline" },
};
const NEXT = { ...BUILT, build: "two", files: ["/static/assets/main-2.js", "/static/assets/main-2.css", "/icon.svg"] };

const url = (request: Request | string) => new URL(typeof request === "string" ? request : request.url, "http://here").href;

class Cache {
  readonly held = new Map<string, Response>();
  async match(request: Request | string) {
    return this.held.get(url(request))?.clone();
  }
  async put(request: Request | string, response: Response) {
    this.held.set(url(request), response);
  }
  async delete(request: Request | string) {
    return this.held.delete(url(request));
  }
  async keys() {
    return [...this.held.keys()].map((address) => ({ url: address }));
  }
  async addAll(requests: (Request | string)[]) {
    for (const request of requests) await this.put(request, await fetch(request));
  }
}

let stored: Map<string, Cache>;
let served: Map<string, () => Response>;
let asked: { path: string; init: RequestInit | undefined }[];
let now: number;

function serve(path: string, text: string, headers: Record<string, string> = {}, status = 200): void {
  served.set(path, () => new Response(text, { headers, status }));
}

function game(id: string, keep = "finished", build = "1"): string {
  const path = `/en/t/${id}`;
  const mark = keep ? { "Kletka-Keep": keep } : {};
  serve(path, `<script src="/static/assets/main-${build}.js">`, { ...mark, "Kletka-Title": `Cube%20${id}` });
  serve(`${path}/events`, "{}", mark);
  serve(`${path}/text`, "x", mark);
  return path;
}

async function held(): Promise<string[]> {
  return [...stored.entries()]
    .filter(([name]) => !name.includes("build"))
    .flatMap(([, cache]) => [...cache.held.keys()])
    .map((address) => address.replace("http://here", ""));
}

beforeEach(() => {
  stored = new Map();
  served = new Map();
  asked = [];
  now = 1_000_000;
  vi.spyOn(Date, "now").mockImplementation(() => now);
  vi.stubGlobal("caches", {
    async open(name: string) {
      if (!stored.has(name)) stored.set(name, new Cache());
      return stored.get(name);
    },
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    async match(request: Request | string) {
      for (const cache of stored.values()) {
        const found = await cache.match(request);
        if (found) return found;
      }
      return undefined;
    },
  });
  vi.stubGlobal(
    "Request",
    class {
      constructor(readonly url: string) {}
    },
  );
  vi.stubGlobal("fetch", async (request: Request | string, init?: RequestInit) => {
    const address = new URL(url(request));
    const path = address.pathname + address.search;
    asked.push({ path, init });
    const answer = served.get(path);
    if (!answer) throw new TypeError("no network");
    return answer();
  });
  for (const file of [...BUILT.files, ...NEXT.files]) serve(file, file);
  for (const page of Object.values(BUILT.pages)) serve(page, page);
});

describe("what is kept", () => {
  it("is a finished game with its events and its text, asked for by nobody", async () => {
    const keeper = new Keeper(BUILT);
    const path = game("a");
    await keeper.keep(path);
    expect(await held()).toEqual(expect.arrayContaining([path, `${path}/events`, `${path}/text`]));
    expect(await held()).toContain("/static/assets/main-1.css");
    const own = asked.filter((one) => one.path.startsWith(path));
    expect(own.map((one) => one.init?.credentials)).toEqual(["omit", "omit", "omit"]);
    expect(await keeper.games()).toEqual([{ path, title: "Cube a", at: now }]);
  });

  it("is nothing that the server doesn't mark, or marks otherwise", async () => {
    const keeper = new Keeper(BUILT);
    await keeper.keep(game("running", ""));
    await keeper.keep(game("other", "for ever"));
    serve(`${game("half")}/text`, "x");
    await keeper.keep("/en/t/half");
    serve("/en/t/refused", "", { "Kletka-Keep": "finished" }, 410);
    await keeper.keep("/en/t/refused");
    await keeper.keep("/en/t/gone");
    expect((await held()).filter((path) => path.startsWith("/en"))).toEqual([]);
    expect(await keeper.games()).toEqual([]);
  });

  it("is bounded: the oldest games go, with all that is theirs", async () => {
    const keeper = new Keeper(BUILT);
    serve("/en/", "home", { "Kletka-Keep": "page" });
    await keeper.keep("/en/");
    for (let number = 0; number < 55; number++) {
      now += 1;
      await keeper.keep(game(`g${number}`));
    }
    const games = await keeper.games();
    expect(games.map(({ title }) => title)).toEqual(Array.from({ length: 50 }, (_, n) => `Cube g${54 - n}`));
    const kept = await held();
    expect(kept.filter((path) => path.startsWith("/en/t/"))).toHaveLength(150);
    expect(kept).toContain("/en/");
  });

  it("isn't asked for again while it is fresh", async () => {
    const keeper = new Keeper(BUILT);
    serve("/en/", "home", { "Kletka-Keep": "page" });
    const paths = ["/en/", game("a")];
    const ask = () => Promise.all(paths.map((path) => keeper.keep(path)));
    const count = (path: string) => asked.filter((one) => one.path === path).length;
    await ask();
    await ask();
    expect(paths.map(count)).toEqual([1, 1]);
    now += 3600_000;
    await ask();
    expect(paths.map(count)).toEqual([2, 1]);
    const next = new Keeper(NEXT);
    for (const path of paths) await next.keep(path);
    expect(paths.map(count)).toEqual([3, 2]);
  });
});

describe("builds", () => {
  it("stay until the next one takes over, and what kept pages name stays with them", async () => {
    const first = new Keeper(BUILT);
    await first.install();
    await first.activate();
    await first.keep(game("old"));
    const second = new Keeper(NEXT);
    await second.install();
    expect([...stored.keys()]).toEqual(expect.arrayContaining(["kletka-build-one", "kletka-build-two"]));
    await second.activate();
    expect([...stored.keys()]).not.toContain("kletka-build-one");
    // The server has only the new build.
    served.delete("/static/assets/main-1.js");
    served.delete("/static/assets/main-1.css");
    await second.keep(game("new", "finished", "2"));
    for (const file of [...BUILT.files, ...NEXT.files]) expect(await second.find(file)).toBeDefined();
    // As soon as no kept page needs them, old files go.
    now += 1;
    await second.keep(game("old", "finished", "2"));
    expect(await second.find("/static/assets/main-1.js")).toBeUndefined();
    expect(await second.find("/static/assets/main-2.js")).toBeDefined();
  });

  it("aren't put in by halves", async () => {
    served.delete("/ru/offline");
    await expect(new Keeper(BUILT).install()).rejects.toThrow();
  });
});

describe("the page that says that there is no network", () => {
  it("speaks the language of the address, else one that the browser prefers", () => {
    const keeper = new Keeper(BUILT);
    expect(keeper.page("/fr/t/abc", ["ru"])).toBe("/fr/offline");
    expect(keeper.page("/t/abc", ["de-DE", "ru-RU", "fr"])).toBe("/ru/offline");
    expect(keeper.page("/", ["de"])).toBe("/en/offline");
  });
});
