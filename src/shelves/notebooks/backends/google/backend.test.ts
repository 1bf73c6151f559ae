import { describe, vi } from "vitest";
import { openGoogleSandbox } from "../../../../../tests/support/google-sandbox.js";
import { notebookBackendContract } from "../../../../../tests/support/notebook-backend.contract.js";
import { findBrowser } from "../find-browser.js";

// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.skipIf(!findBrowser())("in a real browser (needs Chrome or Chromium)", () => {
  for (const month of ["2026-01", "2026-08"] as const)
    notebookBackendContract(`google, as of ${month},`, async () => {
      const { notebooks, close } = await openGoogleSandbox({ month });
      return { backend: notebooks, pageUrl: "https://example.org/tides", close };
    });
});
