import "./style.css";
import "./tables.css";
import { copyButtons } from "./copy";
import { poll } from "./poll";
import { setUp } from "./setup";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
setUp(document);
copyButtons(document);
poll(document);
