// What is kept for the time without a network. The server marks by a header what may be; nothing else is.

/** What the server writes before the worker's code: the build, its files, and the page for no network by language. */
export interface Built {
  readonly build: string;
  readonly files: readonly string[];
  readonly pages: Readonly<Record<string, string>>;
}

/** Pages that are kept, and what stepping through a game asks for. */
const PAGES = "kletka-pages";
/** Files that the kept pages name: they may be of older builds, which the server no longer has. */
const FILES = "kletka-files";
const BUILD = "kletka-build-";
const MOST: Readonly<Record<string, number>> = { finished: 50, page: 60 };
const HOUR = 3600_000;
const NAMED = /\/static\/assets\/[\w.-]+/g;

/** A page's answers beside it: games are stepped through, and read as text. */
function beside(path: string): string[] {
  return [`${path}/events`, `${path}/text`];
}

/** As somebody would ask whom nobody knows: what is kept holds no key of a seat. */
function ask(path: string): Promise<Response> {
  return fetch(path, { credentials: "omit", redirect: "error", cache: "no-store" });
}

/** A finished game that is kept: where it is, what it is listed by, and when it was kept (ms since 1970). */
export interface Game {
  readonly path: string;
  readonly title: string;
  readonly at: number;
}

interface Kept {
  readonly request: Request;
  readonly what: string;
  readonly at: number;
  readonly files: readonly string[];
}

export class Keeper {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly built: Built) {}

  /** Puts a new build in, beside the old one, whose pages may still be open. */
  async install(): Promise<void> {
    const cache = await caches.open(BUILD + this.built.build);
    const fresh = Object.values(this.built.pages).map((page) => new Request(page, { cache: "reload" }));
    await cache.addAll([...this.built.files, ...fresh]);
  }

  /** No page of an older build is open any more. */
  async activate(): Promise<void> {
    for (const name of await caches.keys()) {
      if (name.startsWith(BUILD) && name !== BUILD + this.built.build) await caches.delete(name);
    }
  }

  /** Something kept or built. */
  async find(request: Request | string): Promise<Response | undefined> {
    return caches.match(request, { ignoreVary: true });
  }

  /** The page that says that there is no network, in the language of an address or one that the browser prefers. */
  async offline(path: string, wishes: readonly string[]): Promise<Response | undefined> {
    return this.find(this.page(path, wishes));
  }

  page(path: string, wishes: readonly string[]): string {
    const { pages } = this.built;
    const languages = [path.split("/")[1] ?? "", ...wishes.map((wish) => wish.split("-")[0] ?? "")];
    return languages.map((language) => pages[language]).find(Boolean) ?? pages["en"] ?? "/en/offline";
  }

  /** The finished games that are kept, the newest first. */
  async games(): Promise<Game[]> {
    const found: Game[] = [];
    const pages = await caches.open(PAGES);
    for (const request of await pages.keys()) {
      const headers = (await pages.match(request))?.headers;
      const [title, at] = [headers?.get("Kletka-Title"), headers?.get("Kletka-At")];
      if (!title || !at) continue;
      found.push({ path: new URL(request.url).pathname, title: decodeURIComponent(title), at: Number(at) });
    }
    return found.sort((one, other) => other.at - one.at);
  }

  /** Keeps a page, with what belongs to it, if the server lets it; one after the other. */
  keep(path: string): Promise<void> {
    const kept = this.last.then(() => this.take(path)).catch(() => undefined);
    this.last = kept;
    return kept;
  }

  private async take(path: string): Promise<void> {
    const pages = await caches.open(PAGES);
    const before = await pages.match(path);
    if (before && this.fresh(before)) return;
    const answer = await ask(path);
    const what = answer.headers.get("Kletka-Keep");
    if (!answer.ok || !what || !(what in MOST)) return;
    const text = await answer.text();
    const named = this.needs(text);
    const files = await caches.open(FILES);
    for (const name of named) {
      if (await files.match(name)) continue;
      const file = (await this.find(name)) ?? (await fetch(name));
      if (!file.ok) return;
      await files.put(name, file);
    }
    // Whole or not at all.
    const more = await Promise.all((what === "finished" ? beside(path) : []).map(ask));
    if (!more.every(({ ok, headers }) => ok && headers.get("Kletka-Keep") === what)) return;
    for (const [number, address] of beside(path).entries()) {
      const one = more[number];
      if (one) await pages.put(address, one);
    }
    const headers = new Headers(answer.headers);
    headers.set("Kletka-At", String(Date.now()));
    headers.set("Kletka-Build", this.built.build);
    headers.set("Kletka-Files", named.join(" "));
    await pages.put(path, new Response(text, { headers }));
    await this.prune(pages, files);
  }

  /** The files that a page needs: those that it names, and what these may load, which is known of this build. */
  private needs(text: string): string[] {
    const named = [...new Set(text.match(NAMED))];
    const own = this.built.files.filter((name) => name.startsWith("/static/"));
    return named.every((name) => own.includes(name)) ? own : named;
  }

  /** What never changes is fresh while it is of this build; what may, for an hour. */
  private fresh({ headers }: Response): boolean {
    if (headers.get("Kletka-Build") !== this.built.build) return false;
    return headers.get("Kletka-Keep") === "finished" || Date.now() - Number(headers.get("Kletka-At")) < HOUR;
  }

  private async prune(pages: Cache, files: Cache): Promise<void> {
    const kept: Kept[] = [];
    for (const request of await pages.keys()) {
      const headers = (await pages.match(request))?.headers;
      const at = headers?.get("Kletka-At");
      if (!headers || !at) continue;
      const named = headers.get("Kletka-Files")?.split(" ") ?? [];
      kept.push({ request, what: headers.get("Kletka-Keep") ?? "", at: Number(at), files: named });
    }
    kept.sort((one, other) => other.at - one.at);
    const stays: Kept[] = [];
    for (const what of Object.keys(MOST)) {
      const alike = kept.filter((page) => page.what === what);
      stays.push(...alike.slice(0, MOST[what]));
      for (const { request } of alike.slice(MOST[what])) {
        const { pathname } = new URL(request.url);
        for (const address of [pathname, ...beside(pathname)]) await pages.delete(address);
      }
    }
    const needed = new Set(stays.flatMap((page) => page.files));
    for (const request of await files.keys()) {
      if (!needed.has(new URL(request.url).pathname)) await files.delete(request);
    }
  }
}
