import { ShelfError } from "../../../../kernel/errors.js";

export const DEFAULT_URL = "https://notebook.google.com";

const APP_HOSTS: readonly string[] = [
  "notebook.google.com",
  "notebooklm.google.com",
  "notebook.cloud.google.com",
  "notebooklm.cloud.google.com",
  "notebooklm.cloud.google",
];
const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Whether a page there may be trusted with the session: the service's own hosts over https, or loopback in tests. */
export function isAppUrl(url: URL, allowLoopback: boolean): boolean {
  if (url.protocol === "https:" && APP_HOSTS.includes(url.hostname)) return true;
  return allowLoopback && isLoopback(url);
}

export function isLoopback(url: URL): boolean {
  return LOOPBACK.includes(url.hostname);
}

export function appUrl(text: string, allowLoopback: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && isAppUrl(url, allowLoopback)) return new URL(url.origin);
  throw new ShelfError(
    "INVALID_INPUT",
    `NOTEBOOKLM_URL must be one of ${APP_HOSTS.map((host) => `https://${host}`).join(", ")}.`,
    {
      details: { fields: ["NOTEBOOKLM_URL"] },
    },
  );
}
