import { Engine } from "./engine";
import { Study } from "./study";
import type { KletkaTable } from "./table";

void customElements.whenDefined("kletka-table").then(() => {
  for (const table of document.querySelectorAll<KletkaTable>("kletka-table[data-study]")) new Engine(new Study(table));
});
