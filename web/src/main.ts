import "./style.css";
import "./lesson.css";
import { copyButtons } from "./copy";
import { setUp } from "./setup";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
// Only the page of a walk-through needs its script.
if (document.querySelector("kletka-lesson")) void import("./lesson");
setUp(document);
copyButtons(document);
