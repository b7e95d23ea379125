import "./style.css";
import "./paper.css";
import { copyButtons } from "./copy";
import { printButtons } from "./paper";
import { setUp } from "./setup";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
setUp(document);
copyButtons(document);
printButtons(document);
