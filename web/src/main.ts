import "./style.css";
import "./paper.css";
import "./tables.css";
import { copyButtons } from "./copy";
import { printButtons } from "./paper";
import { poll } from "./poll";
import { setUp } from "./setup";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
setUp(document);
copyButtons(document);
poll(document);
printButtons(document);
