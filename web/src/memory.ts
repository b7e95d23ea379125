// Only wishes about this browser's own view. Storage may be forbidden: then they last as long as the page.

export function remembered(wish: string): string | null {
  try {
    return localStorage.getItem(`kletka.${wish}`);
  } catch {
    return null;
  }
}

export function remember(wish: string, value: string): void {
  try {
    localStorage.setItem(`kletka.${wish}`, value);
  } catch {
    // Nothing is lost but the wish.
  }
}

/** Whether something is done for the first time in this tab; where that can't be kept, it counts as done. */
export function first(what: string): boolean {
  try {
    if (sessionStorage.getItem(`kletka.done.${what}`) !== null) return false;
    sessionStorage.setItem(`kletka.done.${what}`, "1");
    return true;
  } catch {
    return false;
  }
}

/** What this tab keeps under a name, after a text to keep there instead, if one is given. */
export function inTab(name: string, text?: string): string | null {
  try {
    if (text !== undefined) sessionStorage.setItem(`kletka.${name}`, text);
    return sessionStorage.getItem(`kletka.${name}`);
  } catch {
    return text ?? null;
  }
}

export function forget(wish: string): void {
  try {
    localStorage.removeItem(`kletka.${wish}`);
  } catch {
    // Then nothing is kept either.
  }
}
