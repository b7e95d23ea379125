import "./style.css";
import "./hint.css";
import { copyButtons } from "./copy";
import { setUp } from "./setup";
import "./study.css";
import { Study } from "./study";
import { KletkaTable } from "./table";
import { Engine } from "./engine";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
setUp(document);
copyButtons(document);
for (const table of document.querySelectorAll<KletkaTable>("kletka-table[data-study]")) new Engine(new Study(table));
