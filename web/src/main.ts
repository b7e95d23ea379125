import "./style.css";
import "./tables.css";
import "./offline.css";
import { copyButtons } from "./copy";
import { offline } from "./offline";
import { poll } from "./poll";
import { setUp } from "./setup";
import { KletkaTable } from "./table";

if (!customElements.get("kletka-table")) customElements.define("kletka-table", KletkaTable);
setUp(document);
copyButtons(document);
poll(document);
// On plain http, as at home, there is no service worker, and nothing that it could keep.
if ("serviceWorker" in navigator) offline(document);
