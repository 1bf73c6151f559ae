import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { requireBrowser } from "../../src/shelves/notebooks/backends/find-browser.js";

export async function emptyProfile(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "bookwheel-profile-"));
  // The browser may still be writing its last files when its process is said to be gone.
  return { dir, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

/** A browser profile in which a person has signed in to the notebook sandbox at `url`. */
export async function signedInProfile(url: string): Promise<{ dir: string; remove(): Promise<void> }> {
  const profile = await emptyProfile();
  const context = await chromium.launchPersistentContext(profile.dir, {
    executablePath: requireBrowser(undefined),
    headless: true,
    args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update", "--disable-sync"],
  });
  await context.pages()[0]?.goto(`${url}/sandbox/sign-in`);
  await context.close();
  return profile;
}
