import { describe, expect, it } from "vitest";
import { connect } from "../../../../tests/support/connect.js";
import { memoryChunkStore } from "../../../../tests/support/memory-chunk-store.js";
import { createCitations } from "../../../citations/citations.js";
import { createPassages } from "../../../citations/passages.js";
import { createQuotes } from "../../../citations/quotes.js";
import { cite } from "./cite.js";
import { readPassage } from "./read-passage.js";
import { verifyQuote } from "./verify-quote.js";

const tools = [verifyQuote, readPassage, cite];

async function start() {
  const store = memoryChunkStore();
  const model = { id: "none", dimension: 2, pooling: "mean", max_tokens: 256, weights_sha256: null };
  await store.createProject({ id: "p", kind: "project", name: "p", description: null, model, hybrid_enabled: true });
  await store.upsert("p", [
    {
      id: "c1",
      text: "The mass of men lead lives of quiet desperation.",
      doc_id: "walden",
      position: 0,
      start: null,
      end: null,
      citekey: "thoreau1854walden",
      title: "Walden",
      section: null,
      section_path: ["Economy"],
      page_span: [10, 10],
      page_labels: null,
      doi: null,
      url: null,
      year: 1854,
      tags: [],
      language: "en",
      metadata: {},
      vectors: [new Float32Array([1, 0])],
    },
  ]);
  return connect({
    tools,
    services: {
      quotes: createQuotes({ store }),
      passages: createPassages({ store }),
      citations: createCitations({ store }),
    },
  });
}

describe("the tools that finish a citation", () => {
  it("check a quote, show where it stands, and cite it", async () => {
    const client = await start();
    const checked = await client.call("verify_quote", {
      project: "p",
      quote: "the mass of men lead lives of quiet desperation",
    });
    expect(checked).toMatchObject({
      verdict: "normalised",
      matches: [{ citekey: "thoreau1854walden", page_span: [10, 10], chunk_id: "c1" }],
    });
    expect(await client.call("read_passage", { project: "p", chunk_id: "c1" })).toMatchObject({
      text: expect.stringContaining("quiet desperation"),
      section_path: ["Economy"],
    });
    expect(await client.call("cite", { project: "p", sources: ["thoreau1854walden, p. 10"] })).toEqual({
      citation: "[@thoreau1854walden, p. 10]",
      bibliography: null,
      incomplete: [{ citekey: "thoreau1854walden", missing: ["author"] }],
      suspicious: [],
      not_found: [],
    });
    await client.close();
  });

  it("answer with the envelope when a name is unknown", async () => {
    const client = await start();
    expect(
      await client.call("verify_quote", { project: "p", quote: "lead lives of quiet desperation", source: "nobody" }),
    ).toMatchObject({ error: { code: "NOT_FOUND", type: "validation_error" } });
    expect(await client.call("cite", { project: "p", sources: ["nobody"] })).toMatchObject({
      error: { code: "NOT_FOUND", details: { unknown: ["nobody"] } },
    });
    expect(await client.call("verify_quote", { project: "p", quote: "too short" })).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
    await client.close();
  });
});
