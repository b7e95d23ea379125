import "./style.css";
import "./live.css";
import { copyButtons } from "./copy";
import { setUp } from "./setup";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
setUp(document);
copyButtons(document);
