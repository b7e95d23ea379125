// The service worker: with a network it only watches, without one it shows what is kept.
import { type Built, Keeper } from "./keeping";

declare const self: ServiceWorkerGlobalScope;
declare const BUILT: Built;

const keeper = new Keeper(BUILT);

// No skipWaiting: pages of an older build keep their files until the last of them is gone.
self.addEventListener("install", (event) => event.waitUntil(keeper.install()));
self.addEventListener("activate", (event) => event.waitUntil(keeper.activate().then(() => self.clients.claim())));

self.addEventListener("message", (event) => {
  const { keep: wished, list } = (event.data ?? {}) as { keep?: unknown; list?: unknown };
  if (list) event.waitUntil(keeper.games().then((games) => event.ports[0]?.postMessage(games)));
  if (!Array.isArray(wished)) return;
  const paths = wished.filter((path): path is string => typeof path === "string" && /^\/(?!\/)/.test(path));
  event.waitUntil(Promise.all(paths.slice(0, 10).map((path) => keeper.keep(path))));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(request.method === "GET" ? page(event, url) : sent(request, url));
  else if (request.method !== "GET") return;
  else if (url.pathname.startsWith("/static/assets/")) event.respondWith(file(request));
  else event.respondWith(anything(request));
});

async function page(event: FetchEvent, { pathname, search }: URL): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(event.request);
  } catch {
    return (
      (await keeper.find(event.request)) ?? (await keeper.offline(pathname, navigator.languages)) ?? Response.error()
    );
  }
  if (answer.headers.has("Kletka-Keep") && !search) event.waitUntil(keeper.keep(pathname));
  return answer;
}

/** A form: nothing of it is kept, but whoever sent it in vain isn't left with the browser's own words. */
async function sent(request: Request, { pathname }: URL): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return Response.redirect(keeper.page(pathname, navigator.languages), 303);
  }
}

/** Names of built files change with their content. */
async function file(request: Request): Promise<Response> {
  return (await keeper.find(request)) ?? fetch(request);
}

async function anything(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await keeper.find(request)) ?? Response.error();
  }
}
