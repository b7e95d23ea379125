import "./style.css";
import "./tables.css";
import "./live.css";
import "./lesson.css";
import "./hint.css";
import "./study.css";
import "./paper.css";
import { copyButtons } from "./copy";
import { printButtons } from "./paper";
import { poll } from "./poll";
import { setUp } from "./setup";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
// Only the pages of walk-throughs and studies need their scripts.
if (document.querySelector("kletka-lesson")) void import("./lesson");
if (document.querySelector("[data-study]")) void import("./studying");
setUp(document);
copyButtons(document);
poll(document);
printButtons(document);
