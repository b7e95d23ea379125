import "./style.css";
import "./hint.css";
import "./paper.css";
import { copyButtons } from "./copy";
import { printButtons } from "./paper";
import "./study.css";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
copyButtons(document);
printButtons(document);
// Scripts that only some pages need.
if (document.querySelector("[data-setup]")) void import("./setup").then(({ setUp }) => setUp(document));
if (document.querySelector("[data-study]")) void import("./studying");
