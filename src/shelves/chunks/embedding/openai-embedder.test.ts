import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { openRemoteEmbedder, type RemoteModel } from "./openai-embedder.js";
import { estimateTokens } from "./token-counting.js";

interface Asked {
  model: string;
  input: string[];
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function serve(listener: RequestListener): Promise<RemoteModel> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  return { url: `http://127.0.0.1:${port}/v1`, model: "big-model", dimension: 2 };
}

/** A server that answers every request with what `answer` makes of its body. */
function answering(answer: (asked: Asked, request: IncomingMessage) => unknown, status = 200): Promise<RemoteModel> {
  return serve(async (request, response) => {
    const body = answer((await json(request)) as Asked, request);
    reply(response, status, body);
  });
}
function reply(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
const vectorFor = (text: string) => [text.length, 0];
const wellMeant = ({ input }: Asked) => ({
  data: input.map((text, index) => ({ index, embedding: vectorFor(text) })).reverse(),
});

describe("an embedding server elsewhere", () => {
  it("is asked in batches, with its key, and answers unit vectors in our order", async () => {
    const seen: { size: number; model: string; path: string | undefined; key: string | undefined }[] = [];
    const remote = await answering((asked, { url, headers }) => {
      seen.push({ size: asked.input.length, model: asked.model, path: url, key: headers.authorization });
      return { data: asked.input.map((text, index) => ({ index, embedding: [Number(text), 1] })).reverse() };
    });
    const embedder = await openRemoteEmbedder({ ...remote, apiKey: "secret" });

    const vectors = await embedder.embed(Array.from({ length: 70 }, (_, i) => String(i)));

    expect(vectors).toHaveLength(70);
    for (const [i, vector] of vectors.entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
      expect(vector[0]! / vector[1]!).toBeCloseTo(i, 3);
    }
    const call = { model: "big-model", path: "/v1/embeddings", key: "Bearer secret" };
    expect(seen).toEqual([
      { size: 32, ...call },
      { size: 32, ...call },
      { size: 6, ...call },
    ]);
  });

  it.each(["", "/", "/v1/", "/v1/embeddings"])("is found at its address when that ends in '%s'", async (path) => {
    const remote = await answering((asked, { url }) => {
      expect(url).toBe("/v1/embeddings");
      return wellMeant(asked);
    });
    const embedder = await openRemoteEmbedder({ ...remote, url: new URL(remote.url).origin + path });
    expect(await embedder.embed(["a"])).toHaveLength(1);
  });

  it("tells its dimension by a first call where nobody else does", async () => {
    const remote = await answering(({ input }) => ({ data: input.map(() => ({ embedding: [1, 2, 3] })) }));
    const embedder = await openRemoteEmbedder({ ...remote, dimension: undefined });
    expect(embedder.identity).toEqual({
      id: "big-model",
      dimension: 3,
      pooling: "remote",
      max_tokens: 512,
      weights_sha256: null,
    });
  });

  it.each([
    ["fewer vectors than texts", ({ input }: Asked) => ({ data: input.slice(1).map(() => ({ embedding: [1, 0] })) })],
    ["two vectors for one text", ({ input }: Asked) => ({ data: input.map(() => ({ index: 0, embedding: [1, 0] })) })],
    ["an index out of range", ({ input }: Asked) => ({ data: input.map(() => ({ index: 9, embedding: [1, 0] })) })],
    ["something that is not a number", ({ input }: Asked) => ({ data: input.map(() => ({ embedding: [1, null] })) })],
    ["a number too large to be one", ({ input }: Asked) => `{"data":[${input.map(() => '{"embedding":[1e999,1]}')}]}`],
    ["a vector of zeros", ({ input }: Asked) => ({ data: input.map((_, index) => ({ index, embedding: [0, 0] })) })],
    ["another shape", () => ({ embeddings: [] })],
    ["no JSON", () => "<html>"],
  ])("is not believed when it sends %s", async (_what, answer) => {
    const embedder = await openRemoteEmbedder(await answering(answer));
    await expect(embedder.embed(["one", "two"])).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  });

  it("is not believed when its vectors change length", async () => {
    const embedder = await openRemoteEmbedder({ ...(await answering(wellMeant)), dimension: 3 });
    await expect(embedder.embed(["one"])).rejects.toMatchObject({
      code: "EMBEDDING_MISMATCH",
      details: { expected: 3, provided: 2 },
    });
  });

  it.each([
    [429, { "retry-after": "17" }, 17],
    [503, {}, 5],
  ])("that answers %i may be asked again later", async (status, headers, retry_after) => {
    const remote = await serve((_request, response) => reply(response, status, "busy", headers));
    const embedder = await openRemoteEmbedder({ ...remote, apiKey: "secret" });
    const error: unknown = await embedder.embed(["private words"]).catch((caught) => caught);
    expect(error).toMatchObject({ code: "INDEX_UNAVAILABLE", retry_after });
    expect(String(error)).not.toMatch(/secret|private/);
  });

  it("that refuses the key says which setting to check", async () => {
    const embedder = await openRemoteEmbedder(await answering(() => ({}), 401));
    await expect(embedder.embed(["a"])).rejects.toThrow(/BOOKWHEEL_EMBED_API_KEY/);
  });

  it("that never answers is given up in time", async () => {
    const embedder = await openRemoteEmbedder({ ...(await serve(() => {})), timeoutMs: 50 });
    await expect(embedder.embed(["a"])).rejects.toThrow(/did not answer in time/);
  });

  it("that breaks off in the middle is an error", async () => {
    const remote = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"data":[');
      setImmediate(() => response.destroy());
    });
    const embedder = await openRemoteEmbedder(remote);
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  });

  it("does not get our key and texts sent on to another address", async () => {
    const remote = await serve((_request, response) => reply(response, 307, "", { location: "http://127.0.0.1:9/" }));
    const embedder = await openRemoteEmbedder(remote);
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  });

  it("is let go when the caller cancels, and when it is closed", async () => {
    const embedder = await openRemoteEmbedder(await serve(() => {}));
    const cancel = new AbortController();
    const cancelled = embedder.embed(["a"], { signal: cancel.signal });
    cancel.abort(new Error("no longer wanted"));
    await expect(cancelled).rejects.toThrow("no longer wanted");
    const waiting = embedder.embed(["a"]);
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" }), embedder.close()]);
  });

  it("gets windows no longer than it reads, and nothing longer", async () => {
    const embedder = await openRemoteEmbedder({ ...(await answering(wellMeant)), maxTokens: 64 });
    const text = "All men by nature desire to know. ".repeat(60);
    const windows = (await embedder.windows([{ text, prefix: "Metaphysics" }])).flat();
    expect(windows.length).toBeGreaterThan(5);
    expect(await embedder.embed(windows)).toHaveLength(windows.length);
    await expect(embedder.embed(["word ".repeat(200)])).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

it("estimates more tokens than English prose has, and at least one a Chinese character", () => {
  const prose = "I went to the woods because I wished to live deliberately, to front only the essential facts of life.";
  expect(estimateTokens(prose)).toBeGreaterThanOrEqual(22);
  expect(estimateTokens(prose)).toBeLessThan(60);
  expect(estimateTokens("城市的历史")).toBeGreaterThanOrEqual(5);
  expect(estimateTokens("")).toBe(0);
});
