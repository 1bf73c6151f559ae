import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalEmbedder } from "./local-embedder.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const shipped = join(root, "dist", "models", "all-MiniLM-L6-v2");
const exact = join(root, ".cache", "models", "all-MiniLM-L6-v2-fp32");
const reference: { text: string; vector: number[] }[] = JSON.parse(
  readFileSync(new URL("./fixtures/reference-vectors.json", import.meta.url), "utf8"),
).vectors;

beforeAll(() => {
  for (const flags of [[], ["--fp32"]])
    execFileSync(process.execPath, [join(root, "scripts", "build-model.mjs"), ...flags]);
});

const hash = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return dot / Math.sqrt(aa * bb);
};

describe("the model in the package", () => {
  const embedder = openLocalEmbedder(shipped);
  afterAll(() => embedder.close());

  it("is, byte for byte, the graph its identity names", () => {
    const sha256 = "add329b7c958bda497e3b8989a60c1489bd9f7b0e936746fe049c4936a14732d";
    expect(hash(join(shipped, "model.onnx"))).toBe(sha256);
    expect(embedder.identity).toEqual({
      id: "all-MiniLM-L6-v2",
      dimension: 384,
      pooling: "mean",
      max_tokens: 256,
      weights_sha256: sha256,
    });
  });

  it("answers unit vectors close to the exact graph's", async () => {
    const vectors = await embedder.embed(reference.map(({ text }) => text));
    for (const [i, vector] of vectors.entries()) {
      expect(vector).toBeInstanceOf(Float32Array);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(cosine(vector, reference[i]!.vector)).toBeGreaterThanOrEqual(0.98);
    }
  });

  it("answers the same vector whatever is embedded with it", async () => {
    const texts = reference.map(({ text }) => text);
    const together = await embedder.embed(texts);
    for (const [i, text] of texts.entries()) {
      const [alone] = await embedder.embed([text], { as: "query" });
      expect(alone).toEqual(together[i]);
    }
  });

  it("refuses a text it could not read whole, before it embeds any", async () => {
    await expect(embedder.embed(["short", "word ".repeat(255)])).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { index: 1, tokens: 257, max_tokens: 256 },
    });
    expect(await embedder.embed(["word ".repeat(254)])).toHaveLength(1);
  });

  it("cuts a long text into windows it then reads", async () => {
    const text = "All men by nature desire to know. ".repeat(80);
    const windows = (await embedder.windows([{ text, prefix: "Metaphysics" }])).flat();
    expect(windows.length).toBeGreaterThan(3);
    for (const window of windows) expect(await embedder.countTokens(window)).toBeLessThanOrEqual(256);
    expect(await embedder.embed(windows)).toHaveLength(windows.length);
  });

  it("stops when the signal aborts", async () => {
    const cancel = new AbortController();
    const work = embedder.embed(Array(200).fill("a passage of some length"), { signal: cancel.signal });
    setImmediate(() => cancel.abort());
    await expect(work).rejects.toMatchObject({ name: "AbortError" });
    expect(await embedder.embed(["still there"], { as: "query" })).toHaveLength(1);
  });
});

it("matches the stored vectors when the exact graph is used", async () => {
  expect(hash(join(exact, "model.onnx"))).toBe("ebedc41cdaae28a4a8dd193582f622434200eec9bf2fe26446b1fd9e12eeeb30");
  const embedder = openLocalEmbedder(exact);
  const vectors = await embedder.embed(reference.map(({ text }) => text));
  await embedder.close();
  for (const [i, vector] of vectors.entries())
    expect(cosine(vector, reference[i]!.vector)).toBeGreaterThanOrEqual(0.9999);
});

it("lets the program end by itself once the work is done", () => {
  const script = `
    import { openLocalEmbedder } from ${JSON.stringify(new URL("../../../../dist/shelves/chunks/embedding/local-embedder.js", import.meta.url).href)};
    const [vector] = await openLocalEmbedder(${JSON.stringify(shipped)}).embed(["a"]);
    console.log(vector.length);`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", timeout: 15_000 });
  expect(run).toMatchObject({ status: 0, stdout: "384\n", stderr: "" });
});

describe("a model that cannot be used", () => {
  const folder = mkdtempSync(join(tmpdir(), "model-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is refused with what is missing", () => {
    expect(() => openLocalEmbedder(folder)).toThrow(/model\.json is missing/);
  });

  it("is refused when its file is not the one its identity names", async () => {
    for (const name of ["model.json", "tokenizer.json"]) copyFileSync(join(shipped, name), join(folder, name));
    writeFileSync(join(folder, "model.onnx"), "not a graph");
    const embedder = openLocalEmbedder(folder);
    await expect(embedder.embed(["a"])).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      message: expect.stringContaining("damaged"),
    });
    expect(embedder.unusable).toContain("damaged");
    await embedder.close();
  });
});
