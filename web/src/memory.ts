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

export function forget(wish: string): void {
  try {
    localStorage.removeItem(`kletka.${wish}`);
  } catch {
    // Then nothing is kept either.
  }
}
