import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { libraryFixture } from "../../../../tests/support/library-fixture.js";

describe("sync_library", () => {
  let fixture: Awaited<ReturnType<typeof libraryFixture>>;
  beforeEach(async () => {
    fixture = await libraryFixture();
    await fixture.retrieval.createProject({ project: "reading" });
  });
  afterEach(() => fixture.close());

  it("brings highlights and documents into the project, and tells how far it is", async () => {
    const client = await fixture.as("mine");
    const seen: number[] = [];
    expect(
      await client.call("sync_library", { project: "reading" }, { onprogress: ({ progress }) => seen.push(progress) }),
    ).toEqual({
      project: "reading",
      complete: true,
      highlights: { added: 3, updated: 0, unchanged: 0, removed: 0 },
      documents: { added: 2, updated: 0, unchanged: 0, removed: 0 },
      chunks: 7,
      skipped: [],
      skipped_count: 0,
      warnings: [],
      stopped: null,
      left: [],
    });
    expect(seen.length).toBeGreaterThan(1);
    const { items } = await fixture.retrieval.hybrid("reading", "straight lines", { top_k: 1 });
    expect(items).toMatchObject([
      { render_text: "Water keeps no straight lines.", url: `https://readwise.io/open/${fixture.lines.id}` },
    ]);
  });

  it("says what is left when it may write no more, and goes on when called again", async () => {
    const client = await fixture.as("mine");
    expect(await client.call("sync_library", { project: "reading", max_documents: 4 })).toMatchObject({
      complete: false,
      stopped: expect.stringContaining("4"),
      left: [expect.stringContaining("documents")],
    });
    expect(await client.call("sync_library", { project: "reading" })).toMatchObject({
      complete: true,
      documents: { added: 1 },
    });
  });

  it("tells when to come back where Readwise wants more patience than a call has", async () => {
    fixture.sandbox.faults.set({ kind: "throttle", retry_after_s: 600 });
    const client = await fixture.as("mine");
    expect(await client.call("sync_library", { project: "reading" })).toMatchObject({
      complete: false,
      retry_after: 600,
      left: ["highlights", "documents"],
    });
  });

  it("wants a key, a project and a part of the library there is", async () => {
    const [client, stranger] = [await fixture.as("mine"), await fixture.as()];
    expect(await stranger.call("sync_library", { project: "reading" })).toMatchObject({
      error: { code: "auth_error", message: expect.stringContaining("X-Readwise-Token") },
    });
    expect(await client.call("sync_library", { project: "other" })).toMatchObject({
      error: { code: "INVALID_PROJECT", details: { available_projects: ["reading"] } },
    });
    expect(await client.call("sync_library", { project: "reading", include: "books" })).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
  });
});
