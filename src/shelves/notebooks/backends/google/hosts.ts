import { ShelfError } from "../../../../kernel/errors.js";

export const DEFAULT_URL = "https://notebook.google.com";

const APP_HOSTS: readonly string[] = ["notebook.google.com", "notebooklm.google.com"];
const ENTERPRISE_HOSTS: readonly string[] = [
  "notebook.cloud.google.com",
  "notebooklm.cloud.google.com",
  "notebooklm.cloud.google",
];
const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];
const STAND_IN = ".localhost";

/** Whether a page there may be trusted with the session: the service's own hosts over https, or loopback in tests. */
export function isAppUrl(url: URL, allowLoopback: boolean): boolean {
  if (url.protocol === "https:" && APP_HOSTS.includes(url.hostname)) return true;
  return allowLoopback && (isLoopback(url) || APP_HOSTS.includes(serviceHost(url)));
}

export function isLoopback(url: URL): boolean {
  return LOOPBACK.includes(url.hostname);
}

/** The host of a URL: on loopback, `accounts.google.com.localhost` counts as the part before `.localhost`. */
export function serviceHost(url: URL): string {
  return url.hostname.endsWith(STAND_IN) ? url.hostname.slice(0, -STAND_IN.length) : url.hostname;
}

export function isEnterprise(url: URL): boolean {
  return ENTERPRISE_HOSTS.includes(serviceHost(url));
}

export function appUrl(text: string, allowLoopback: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && isAppUrl(url, allowLoopback)) return new URL(url.origin);
  const use = `Use ${APP_HOSTS.map((host) => `https://${host}`).join(" or ")}.`;
  throw new ShelfError(
    "INVALID_INPUT",
    url && isEnterprise(url)
      ? `NOTEBOOKLM_URL names NotebookLM Enterprise, another app that Bookwheel does not speak with. ${use}`
      : `NOTEBOOKLM_URL is not an address of NotebookLM. ${use}`,
    { details: { fields: ["NOTEBOOKLM_URL"] } },
  );
}
