let pressing = false;
const waiting: (() => void)[] = [];

function after(): void {
  // The click follows the release before anything else does.
  setTimeout(() => {
    if (!pressing) for (const done of waiting.splice(0)) done();
  });
}

document.addEventListener("pointerdown", () => (pressing = true), true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(
    end,
    () => {
      pressing = false;
      after();
    },
    true,
  );
}

/** Does what moves the page once nothing is pressed: what slides away between a press and its release misses its click. */
export function released(done: () => void): void {
  waiting.push(done);
  if (!pressing) after();
}
