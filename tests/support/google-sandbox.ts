import type { Month } from "../../sandbox/notebook/generation.js";
import { type NotebookSandbox, startNotebookSandbox } from "../../sandbox/notebook/server.js";
import { seededState } from "../../sandbox/notebook/state.js";
import { type GoogleNotebooksOptions, googleNotebooks } from "../../src/shelves/notebooks/backends/google/backend.js";
import type { NotebookBackend } from "../../src/shelves/notebooks/notebook-backend.js";
import { signedInProfile } from "./signed-in-profile.js";

export interface GoogleSandbox {
  sandbox: NotebookSandbox;
  profileDir: string;
  notebooks: NotebookBackend;
  /** Closes the backend and opens another on the same profile. */
  reopen(options?: Partial<GoogleNotebooksOptions>): Promise<NotebookBackend>;
  /** Seeded notebooks, no faults, no requests seen. */
  reset(): void;
  close(): Promise<void>;
}

/** The `google` backend in a real browser, signed in to the notebook sandbox. Its waits are short. */
export async function openGoogleSandbox({ month }: { month?: Month } = {}): Promise<GoogleSandbox> {
  const sandbox = await startNotebookSandbox(month ? { month } : {});
  const profile = await signedInProfile(sandbox.url);
  const open = (options: Partial<GoogleNotebooksOptions> = {}) =>
    googleNotebooks({
      profileDir: profile.dir,
      url: sandbox.url,
      allowLoopback: true,
      ...options,
      timeouts: { retryDelayMs: 5, confirmDelaysMs: [0, 10, 10], ...options.timeouts },
    });
  const opened: GoogleSandbox = {
    sandbox,
    profileDir: profile.dir,
    notebooks: open(),
    async reopen(options) {
      await opened.notebooks.close();
      opened.notebooks = open(options);
      return opened.notebooks;
    },
    reset() {
      sandbox.faults.clear();
      sandbox.state.accounts = seededState().accounts;
      sandbox.state.delays = {};
      sandbox.requests.length = 0;
    },
    async close() {
      await opened.notebooks.close();
      await sandbox.close();
      await profile.remove();
    },
  };
  return opened;
}
