import "./style.css";
import "./hint.css";
import "./paper.css";
import "./live.css";
import { copyButtons } from "./copy";
import { printButtons } from "./paper";
import "./study.css";
import { KletkaTable } from "./table";

copyButtons(document);
printButtons(document);
// Scripts that only some pages need. A table whose composers don't come works as well as it can.
const begin = () => customElements.get("kletka-table") ?? customElements.define("kletka-table", KletkaTable);
if (document.querySelector("[data-tray], [data-brush]")) {
  const loaded = import("./compose/all").then((composers) => void (KletkaTable.composers = composers));
  void loaded.catch(() => undefined).then(begin);
} else begin();
if (document.querySelector("[data-setup]")) void import("./setup").then(({ setUp }) => setUp(document));
if (document.querySelector("[data-study]")) void import("./studying");
