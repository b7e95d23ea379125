import "./style.css";
import "./tables.css";
import "./live.css";
import "./lesson.css";
import "./hint.css";
import "./study.css";
import "./paper.css";
import "./offline.css";
import { copyButtons } from "./copy";
import { offline } from "./offline";
import { printButtons } from "./paper";
import { poll } from "./poll";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
copyButtons(document);
printButtons(document);
poll(document);
// On plain http, as at home, there is no service worker, and nothing that it could keep.
if ("serviceWorker" in navigator) offline(document);
// Scripts that only some pages need.
if (document.querySelector("[data-setup]")) void import("./setup").then(({ setUp }) => setUp(document));
if (document.querySelector("kletka-lesson")) void import("./lesson");
if (document.querySelector("[data-study]")) void import("./studying");
