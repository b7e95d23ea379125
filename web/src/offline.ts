// The page's side of the service worker (web/src/worker), which keeps finished games for the time without a network.
import { workerAddress } from "./policy";
import type { Game } from "./worker/keeping";

/** Between looks whether the server is there again, in ms. */
const RETRY = 3000;

/** Registers the worker, tells it what to keep, and lists what is kept. */
export function offline(root: Document): void {
  const { serviceWorker } = navigator;
  const register = () => void serviceWorker.register(workerAddress()).catch(() => undefined);
  if (root.readyState === "complete") register();
  else addEventListener("load", register);

  const keep = async (...paths: string[]) => {
    const { active } = await serviceWorker.ready;
    active?.postMessage({ keep: paths });
  };
  const table = root.querySelector("kletka-table");
  // Pages that the worker hasn't seen loading: the first one, and a table whose game ends.
  const unseen = serviceWorker.controller === null && (!table || table.hasAttribute("data-over"));
  void keep(`/${root.documentElement.lang}/`, ...(unseen ? [location.pathname] : []));
  if (table && !table.hasAttribute("data-over")) {
    const watch = new MutationObserver(() => {
      watch.disconnect();
      void keep(location.pathname);
    });
    watch.observe(table, { attributeFilter: ["data-over"] });
  }
  const page = root.querySelector<HTMLElement>("[data-offline]");
  if (page) void show(page, serviceWorker);
}

/** The games that the worker has kept, the newest first. */
async function games(serviceWorker: ServiceWorkerContainer): Promise<Game[]> {
  const { active } = await serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<Game[]>((resolve) => (port1.onmessage = ({ data }) => resolve(data as Game[])));
  active?.postMessage({ list: 1 }, [port2]);
  return answer;
}

function reached(address: string): Promise<boolean> {
  return fetch(address, { method: "HEAD" }).then(
    () => true,
    () => false,
  );
}

async function show(page: HTMLElement, serviceWorker: ServiceWorkerContainer): Promise<void> {
  const again = page.querySelector<HTMLAnchorElement>("[data-again]");
  if (!location.pathname.endsWith("/offline")) {
    // It stands in place of another page.
    if (again) again.href = location.href;
    const retry = async () => {
      if (navigator.onLine && !document.hidden && (await reached(location.href))) location.reload();
    };
    addEventListener("online", () => void retry());
    // A network isn't always the way to this server.
    setInterval(() => void retry(), RETRY);
  }
  const list = page.querySelector("[data-kept]");
  const kept = await games(serviceWorker);
  page.querySelector("[data-none]")?.toggleAttribute("hidden", kept.length > 0);
  for (const { path, title } of kept) {
    const link = document.createElement("a");
    link.href = path;
    link.lang = link.hreflang = path.split("/")[1] ?? "";
    link.textContent = title;
    const item = document.createElement("li");
    item.append(link);
    list?.append(item);
  }
}
