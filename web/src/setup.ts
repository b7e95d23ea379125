import { BoardChoice } from "./drawing";

interface Field {
  name: string;
  type: string;
  value: string;
  checked: boolean;
}

function choose(form: HTMLFormElement, options: string): void {
  const chosen = JSON.parse(options) as Record<string, unknown>;
  for (const field of form.elements as Iterable<Element & Field>) {
    if (!Object.hasOwn(chosen, field.name)) continue;
    const value = String(chosen[field.name]);
    if (field.type === "checkbox") field.checked = value === "true";
    else if (field.type === "radio") field.checked = field.value === value;
    // A hidden field says what an empty checkbox can't.
    else if (field.type !== "hidden") field.value = value;
  }
}

/** Seats beyond the number of players, chosen or fixed by the kind of game, can't be chosen; where the number can't be read all are offered. */
function offerSeats(form: HTMLFormElement): void {
  const chosen = [...form.querySelectorAll<HTMLInputElement>("[data-players]")].find((field) => {
    const shape = field.closest<HTMLElement>("[data-shape]")?.dataset["shape"];
    return shape === undefined || form.querySelector(`.tag [value="${shape}"]:checked`);
  });
  const fixed = form.querySelector<HTMLElement>(".tag :checked")?.dataset["seats"];
  const players = Number(chosen?.value ?? fixed) || Infinity;
  // Whoever plays alone chooses neither company nor a seat.
  for (const choice of form.querySelectorAll<HTMLElement>("[data-company]")) choice.hidden = players === 1;
  for (const choice of form.querySelectorAll<HTMLElement>("[data-alone]")) choice.hidden = players !== 1;
  for (const seat of form.querySelectorAll<HTMLElement>("[data-seat-choice]")) {
    seat.hidden = Number(seat.dataset["seatChoice"]) >= players;
    const choice = seat.querySelector("input");
    if (!seat.hidden || !choice?.checked) continue;
    const first = form.querySelector<HTMLInputElement>("[data-seat-choice] input");
    if (first) first.checked = true;
  }
}

/** An option of one's own is no preset any more. */
function noPreset(form: HTMLFormElement): void {
  for (const preset of form.querySelectorAll<HTMLInputElement>("input[data-options]")) preset.checked = false;
}

/** Presets fill the fields of a set-up form, and boards can be drawn. */
export function setUp(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-setup]")) {
    const boards = [...form.querySelectorAll<HTMLElement>("[data-board]")].map((board) => new BoardChoice(board));
    form.addEventListener("change", ({ target }) => {
      const chosen = target instanceof HTMLSelectElement ? target.selectedOptions[0] : target;
      const options = (chosen as HTMLElement | undefined)?.dataset["options"];
      if (options) {
        choose(form, options);
        for (const board of boards) board.sync();
      } else if ((target as Element).closest("details:not([data-terms])")) noPreset(form);
      offerSeats(form);
    });
    form.addEventListener("drawn", () => noPreset(form));
    form.addEventListener("input", ({ target }) => {
      if ((target as Element).matches("[data-players]")) offerSeats(form);
    });
    offerSeats(form);
  }
}
