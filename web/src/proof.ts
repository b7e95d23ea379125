/** The SHA-256 of a salt followed by a text, as hexadecimal digits. */
async function hashOf(salt: string, text: string): Promise<string> {
  const hashed = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(salt + text));
  return [...new Uint8Array(hashed)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a hash is that of a text with its salt. */
export async function checked(text: string, salt: string, hash: string): Promise<"same" | "other" | "unreadable"> {
  if (!/^[0-9a-f]{32}$/.test(salt) || !/^[0-9a-f]{64}$/.test(hash)) return "unreadable";
  return (await hashOf(salt, text)) === hash ? "same" : "other";
}

/** The page that checks what was hidden: this browser works it out itself, and nothing is sent. */
export function proof(root: Document): void {
  const form = root.querySelector<HTMLFormElement>("[data-proof]");
  const verdict = form?.querySelector<HTMLElement>("[data-verdict]");
  // Browsers have no crypto.subtle on plain http: there the server is asked.
  if (!form || !verdict || !globalThis.crypto?.subtle) return;
  const field = (name: string) => form.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`)?.value.trim() ?? "";
  const check = async () => {
    const found = await checked(field("text"), field("salt").toLowerCase(), field("hash").toLowerCase());
    verdict.dataset["is"] = found;
    verdict.textContent = [form.dataset[found], form.dataset["here"]].join(" ");
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void check();
  });
  form.addEventListener("input", () => {
    delete verdict.dataset["is"];
    verdict.textContent = "";
  });
  if (field("text") && field("salt") && field("hash")) void check();
}
