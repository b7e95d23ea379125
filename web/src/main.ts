import "./style.css";
import "./hint.css";
import { copyButtons } from "./copy";
import { setUp } from "./setup";
import "./study.css";
import { Study } from "./study";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
setUp(document);
copyButtons(document);
for (const table of document.querySelectorAll<KletkaTable>("kletka-table[data-study]")) new Study(table);
