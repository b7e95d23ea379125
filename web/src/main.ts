import "./style.css";
import "./tray.css";
import "./tables.css";
import "./live.css";
import "./lesson.css";
import "./hint.css";
import "./study.css";
import "./paper.css";
import "./offline.css";
import "./proof.css";
import { copyButtons } from "./copy";
import { offline } from "./offline";
import { printButtons } from "./paper";
import { poll } from "./poll";
import { KletkaTable } from "./table";

copyButtons(document);
printButtons(document);
poll(document);
// On plain http, as at home, there is no service worker, and nothing that it could keep.
if ("serviceWorker" in navigator) offline(document);
// Scripts that only some pages need. A table whose composers don't come works as well as it can.
const begin = () => customElements.get("kletka-table") ?? customElements.define("kletka-table", KletkaTable);
if (document.querySelector("[data-tray], [data-brush]")) {
  const loaded = import("./compose/all").then((composers) => void (KletkaTable.composers = composers));
  void loaded.catch(() => undefined).then(begin);
} else begin();
if (document.querySelector("[data-setup]")) void import("./setup").then(({ setUp }) => setUp(document));
if (document.querySelector("kletka-lesson")) void import("./lesson");
if (document.querySelector("[data-proof]")) void import("./proof").then(({ proof }) => proof(document));
if (document.querySelector("[data-study]")) void import("./studying");
