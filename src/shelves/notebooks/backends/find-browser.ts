import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ShelfError } from "../../../kernel/errors.js";

const COMMANDS = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge-stable"];
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/opt/google/chrome", "/snap/bin", "/run/current-system/sw/bin"];

/** The system's own Chrome or Chromium; nothing is downloaded. Null where there is none. */
export function findBrowser(): string | null {
  return candidates().find(isExecutable) ?? null;
}

/** The given browser, or the one found; with neither, the error says what to install. */
export function requireBrowser(executablePath: string | undefined): string {
  if (executablePath !== undefined) {
    if (isExecutable(executablePath)) return executablePath;
    throw new ShelfError(
      "BROWSER_LAUNCH_FAILED",
      "The configured browser is not an executable file. Correct its path.",
      {
        details: { executable: executablePath },
      },
    );
  }
  const found = findBrowser();
  if (found) return found;
  throw new ShelfError(
    "BROWSER_LAUNCH_FAILED",
    "No Chrome or Chromium was found on this machine. Install Google Chrome or Chromium, then run health_check.",
    { details: { looked_for: COMMANDS } },
  );
}

function candidates(): string[] {
  if (process.platform === "darwin")
    return ["/Applications", join(homedir(), "Applications")].flatMap((folder) =>
      ["Google Chrome", "Chromium", "Microsoft Edge"].map((name) =>
        join(folder, `${name}.app`, "Contents", "MacOS", name),
      ),
    );
  if (process.platform === "win32")
    return ["C:\\Program Files", "C:\\Program Files (x86)", join(homedir(), "AppData", "Local")].flatMap((folder) => [
      join(folder, "Google", "Chrome", "Application", "chrome.exe"),
      join(folder, "Chromium", "Application", "chrome.exe"),
      join(folder, "Microsoft", "Edge", "Application", "msedge.exe"),
    ]);
  return COMMANDS.flatMap((command) => FOLDERS.map((folder) => join(folder, command)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
