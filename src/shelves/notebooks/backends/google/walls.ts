import { type ErrorCode, ShelfError } from "../../../../kernel/errors.js";
import { isEnterprise, serviceHost } from "./hosts.js";

/** A page that blocks the way to the notebooks: sign-in, consent, region. */
interface Wall {
  code: Extract<ErrorCode, "AUTH_REQUIRED" | "NETWORK_ERROR">;
  reason: string;
  message: string;
  /** A person in front of the browser cannot get past it, so waiting for one is of no use. */
  final: boolean;
}

const LOGIN = "`bookwheel login notebooks`";
const GATE_LABEL = "boq_labs-tailwind-marketing_";
const ENTERPRISE_LABEL = "boq_cloud-ml-notebooklm-ui_";

const REGION: Wall = {
  code: "NETWORK_ERROR",
  reason: "region_not_served",
  message:
    "NotebookLM is not served to this region or network: a VPN, the address of a data centre, or a language and time zone that do not fit it. Signing in again does not help; use another network.",
  final: true,
};
const COOKIES: Wall = {
  code: "AUTH_REQUIRED",
  reason: "cookie_mismatch",
  message: `Google refuses the cookies of this browser profile. Delete the profile folder, then run ${LOGIN}.`,
  final: true,
};
const ENTERPRISE: Wall = {
  code: "AUTH_REQUIRED",
  reason: "enterprise",
  message:
    "This account opens NotebookLM Enterprise, another app that Bookwheel does not speak with. Sign in with a personal or Workspace account at notebook.google.com, or use NOTEBOOK_BACKEND=local.",
  final: true,
};
const CHOOSER: Wall = {
  code: "AUTH_REQUIRED",
  reason: "choose_account",
  message: `Google asks which account to use. Run ${LOGIN} and choose one in its window.`,
  final: false,
};
const CONFIRM: Wall = {
  code: "AUTH_REQUIRED",
  reason: "confirm_account",
  message: `Google asks to confirm the Workspace account of this profile. Run ${LOGIN} and confirm it in its window.`,
  final: false,
};

/** The wall that a page is, by its address and build label; null for the app itself and for a plain sign-in page. */
export function wallOf(url: URL, buildLabel = ""): Wall | null {
  const host = serviceHost(url);
  const unserved = host === "notebooklm.google" && url.searchParams.get("location") === "unsupported";
  if (unserved || buildLabel.startsWith(GATE_LABEL)) return REGION;
  if (isEnterprise(url) || buildLabel.startsWith(ENTERPRISE_LABEL)) return ENTERPRISE;
  if (host === "support.google.com") return COOKIES;
  if (host !== "accounts.google.com") return null;
  const page = url.pathname.toLowerCase();
  if (page.includes("cookiemismatch")) return COOKIES;
  if (page.includes("accountchooser")) return CHOOSER;
  return page.includes("confirmidentifier") ? CONFIRM : null;
}

export function wallError({ code, reason, message }: Wall, host: string): ShelfError {
  return new ShelfError(code, message, { details: { reason, host } });
}
