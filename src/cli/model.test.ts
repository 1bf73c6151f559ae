import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HubModel, type HubSandbox, startHub } from "../../sandbox/hub/server.js";
import { tinyModel } from "../../tests/support/tiny-model.js";
import { createEmbedders } from "../shelves/chunks/embedding/embedders.js";
import { modelCommand } from "./model.js";

const VECTORS = {
  "[CLS]": [0, 0, 1],
  "[SEP]": [0, 0, 1],
  sea: [3, 1, 0],
  meer: [3, 1, 0],
  stone: [0, 2, 1],
  query: [0, 0, 9],
};
const NAME = "intfloat/multilingual-e5-small";

let home: string;
let hub: HubSandbox | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "bookwheel-model-"));
});
afterEach(async () => {
  await hub?.close();
  hub = undefined;
  rmSync(home, { recursive: true, force: true });
});

/** Files as the published model has them: more than are needed, two graphs among them. */
async function published(more: Record<string, unknown> = {}): Promise<HubModel> {
  const files = await tinyModel(VECTORS, { files: more });
  const extra = {
    ".gitattributes": "*.onnx filter=lfs",
    "README.md": "# E5",
    "model.safetensors": "weights",
    "onnx/tokenizer.json": "{}",
  };
  for (const [path, text] of Object.entries(extra)) files[path] = Buffer.from(text);
  return { files: { ...files, "onnx/model_quantized.onnx": files["onnx/model.onnx"]! } };
}

async function run(
  words: string,
  {
    signal = AbortSignal.timeout(60_000),
    ...config
  }: { signal?: AbortSignal; token?: string; endpoint?: string; dir?: string } = {},
) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const [positionals, file] = [
    words.split(" ").filter((word) => !word.startsWith("--")),
    /--file=(\S+)/.exec(words)?.[1],
  ];
  const code = await modelCommand(
    { positionals, file, json: words.includes("--json") },
    {
      config: {
        BOOKWHEEL_HOME: home,
        BOOKWHEEL_EMBED_MODEL_DIR: config.dir,
        HF_ENDPOINT: config.endpoint ?? hub?.url ?? "https://huggingface.co",
        HF_TOKEN: config.token,
      },
      print: (line) => printed.push(line),
      complain: (line) => complaints.push(line),
      signal,
      retryMs: 1,
    },
  );
  return { code, printed: printed.join("\n"), complaints: complaints.join("\n") };
}

const folder = () => join(home, "models", NAME);
const unfinished = () => join(home, "models", ".unfinished", NAME);
const fetchedFiles = () => hub!.requests.filter(({ host }) => host === "files");

describe("bookwheel model add", () => {
  it("fetches the files a model needs, the quantised graph, and prints the setting that uses it", async () => {
    hub = await startHub({ [NAME]: await published() });
    const { code, printed } = await run(`add ${NAME}`);
    expect(code).toBe(0);
    expect(readdirSync(folder(), { recursive: true }).map(String).sort()).toEqual([
      "1_Pooling",
      "1_Pooling/config.json",
      "bookwheel-model.json",
      "config.json",
      "onnx",
      "onnx/model_quantized.onnx",
      "tokenizer.json",
    ]);
    expect(printed).toContain("3 dimensions, mean pooling");

    const dir = /^BOOKWHEEL_EMBED_MODEL_DIR=(.*)$/m.exec(printed)?.[1];
    const embedders = await createEmbedders({ ownDir: dir });
    expect(embedders.preferred).toMatchObject({ id: NAME, dimension: 3 });
    const embedder = embedders.get({ id: NAME })!;
    const [sea] = await embedder.embed(["sea"]);
    const [meer, question] = [
      (await embedder.embed(["meer"]))[0],
      (await embedder.embed(["meer"], { as: "query" }))[0],
    ];
    expect(meer).toEqual(sea);
    expect(question).not.toEqual(sea); // "query: " stands in front of it
    await embedders.close();
  });

  it("does nothing where the same files are there, and takes another graph when asked", async () => {
    hub = await startHub({ [NAME]: await published() });
    await run(`add ${NAME}`);
    const before = hub.requests.length;
    expect((await run(`add ${NAME}`)).printed).toContain("was here already");
    expect(hub.requests.length).toBe(before + 1);
    expect((await run(`add ${NAME} --file=model.onnx --json`)).printed).toContain('"graph":"onnx/model.onnx"');
    expect(existsSync(join(folder(), "onnx/model_quantized.onnx"))).toBe(false);
    expect((await run(`add ${NAME} --file=model_q9.onnx`)).complaints).toContain(
      "Its graphs: onnx/model.onnx, onnx/model_quantized.onnx",
    );
  });

  it("goes on where a broken connection left off", async () => {
    hub = await startHub({ [NAME]: await published() });
    hub.faults.cutAfter = { bytes: 40, times: 3 };
    expect((await run(`add ${NAME}`)).code).toBe(0);
    expect(fetchedFiles().map(({ range }) => range)).toEqual([undefined, "bytes=40-", "bytes=80-", "bytes=120-"]);
  });

  it("goes on where a killed run left off, and begins again where what is left is damaged or no part can be had", async () => {
    const model = await published();
    hub = await startHub({ [NAME]: model });
    const graph = model.files["onnx/model_quantized.onnx"]!;
    const leave = (bytes: Uint8Array) => {
      const file = join(unfinished(), "onnx/model_quantized.onnx");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    };
    leave(graph.subarray(0, 100));
    expect((await run("list")).printed).toContain(`${NAME}  unfinished`);
    expect((await run(`add ${NAME}`)).code).toBe(0);
    expect(fetchedFiles().map(({ range }) => range)).toEqual(["bytes=100-"]);
    expect((await run("list")).printed).not.toContain("unfinished");

    await run(`remove ${NAME}`);
    leave(Buffer.alloc(100, 7));
    expect((await run(`add ${NAME}`)).code).toBe(0);
    expect(readFileSync(join(folder(), "onnx/model_quantized.onnx")).equals(graph)).toBe(true);

    await run(`remove ${NAME}`);
    leave(graph.subarray(0, 100));
    hub.faults.wholeOnly = true;
    expect((await run(`add ${NAME}`)).code).toBe(0);
    expect(readFileSync(join(folder(), "onnx/model_quantized.onnx")).equals(graph)).toBe(true);
  });

  it("keeps what is there when it is stopped, and nothing half-made has the model's place", async () => {
    hub = await startHub({ [NAME]: await published() });
    hub.faults.endless = true;
    const stopping = new AbortController();
    const running = run(`add ${NAME}`, { signal: stopping.signal });
    while (fetchedFiles().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stopping.abort();
    await expect(running).rejects.toThrow();
    expect(existsSync(folder())).toBe(false);
    expect(existsSync(join(unfinished(), "tokenizer.json"))).toBe(true);
    hub.faults.endless = false;
    expect((await run(`add ${NAME}`)).code).toBe(0);
  });

  it("keeps nothing that has another hash than the hub lists", async () => {
    hub = await startHub({ [NAME]: await published() });
    hub.faults.damaged = true;
    const { code, complaints } = await run(`add ${NAME}`);
    expect(code).toBe(1);
    expect(complaints).toContain("does not have the hash");
    expect(existsSync(folder())).toBe(false);
    expect(existsSync(join(unfinished(), "onnx/model_quantized.onnx"))).toBe(false);
  });

  it("says how to get at a gated model, and sends the token to the hub alone", async () => {
    hub = await startHub({ [NAME]: { ...(await published()), gated: "manual" } });
    expect((await run(`add ${NAME}`)).complaints).toMatch(/is gated\. Accept its terms at .*HF_TOKEN/);
    expect((await run(`add ${NAME}`, { token: "hf_wrong" })).complaints).toContain("does not accept this HF_TOKEN");
    hub.requests.length = 0;
    expect((await run(`add ${NAME}`, { token: hub.token })).code).toBe(0);
    for (const { host, authorization } of hub.requests)
      expect(authorization).toBe(host === "hub" ? `Bearer ${hub.token}` : undefined);
  });

  it("takes how vectors are pooled from the original where a conversion leaves it out", async () => {
    const conversion = await tinyModel(VECTORS, { files: { "1_Pooling/config.json": undefined } });
    const original = await published({ "1_Pooling/config.json": { pooling_mode_cls_token: true } });
    hub = await startHub({ "Xenova/some-model": { files: conversion, baseModel: NAME }, [NAME]: original });
    expect((await run("add Xenova/some-model")).printed).toContain("cls pooling");
  });

  it("refuses a configuration it cannot use before the weights are fetched", async () => {
    hub = await startHub({
      [NAME]: await published({ "modules.json": [{ type: "sentence_transformers.models.CNN" }] }),
    });
    expect((await run(`add ${NAME}`)).complaints).toContain("models.CNN, which cannot be run");
    expect(fetchedFiles()).toEqual([]);
  });

  it.each(["../../outside.onnx", "/etc/outside.onnx", "onnx/../../outside.onnx", "a\\..\\outside.onnx"])(
    "refuses a listing with the file name %s",
    async (path) => {
      hub = await startHub({ [NAME]: { ...(await published()), alsoListed: [path] } });
      const { code, complaints } = await run(`add ${NAME}`);
      expect([code, complaints]).toEqual([1, expect.stringContaining("leads elsewhere")]);
      expect(readdirSync(home)).toEqual([]);
    },
  );

  it.each([
    "http://169.254.169.254/latest",
    "http://127.0.0.2/x",
    "https://example.org/x",
    "file:///etc/passwd",
    "http://huggingface.co/x",
  ])("does not follow the hub to %s", async (elsewhere) => {
    hub = await startHub({ [NAME]: await published() });
    hub.faults.elsewhere = elsewhere;
    expect((await run(`add ${NAME}`)).complaints).toContain("not one of its own hosts");
  });

  it.each([
    ["a name that is none", "add ../../etc", {}, "ORG/NAME"],
    ["a model that is not there", "add nobody/nothing", {}, "There is no model 'nobody/nothing'"],
    ["a model without a graph", "add some/plain", {}, "Xenova/plain"],
    ["a hub over plain HTTP", `add ${NAME}`, { endpoint: "http://hub.example" }, "must be https://"],
    ["a hub that cannot be reached", `add ${NAME}`, { endpoint: "http://127.0.0.1:9" }, "cannot be reached"],
  ])("says what to do about %s", async (_case, words, config, sentence) => {
    const plain = Object.fromEntries(
      Object.entries(await tinyModel(VECTORS)).filter(([path]) => !path.endsWith(".onnx")),
    );
    hub = await startHub({ [NAME]: await published(), "some/plain": { files: plain } });
    const { code, complaints } = await run(words, config);
    expect([code, complaints]).toEqual([1, expect.stringContaining(sentence)]);
  });

  it("says how long the hub asks to wait", async () => {
    hub = await startHub({ [NAME]: await published() });
    hub.faults.status = 429;
    expect((await run(`add ${NAME}`)).complaints).toContain("17 s");
  });
});

describe("bookwheel model", () => {
  it("lists what is here and what is in use, and removes it", async () => {
    hub = await startHub({ [NAME]: await published() });
    expect((await run("list")).printed).toContain("built-in");
    await run(`add ${NAME}`);
    const { printed } = await run("list", { dir: folder() });
    expect(printed).toContain(`${NAME}  0.0 MB  onnx/model_quantized.onnx  in use`);
    const removed = await run(`remove ${NAME}`, { dir: folder() });
    expect(removed).toMatchObject({ code: 0, complaints: expect.stringContaining("still names it") });
    expect(existsSync(folder())).toBe(false);
    expect(await run(`remove ${NAME}`)).toMatchObject({ code: 1, complaints: expect.stringContaining("not here") });
  });

  it.each(["", "add", "remove", "list more", "install x/y"])("says how it is used after 'model %s'", async (words) => {
    expect(await run(words)).toMatchObject({ code: 2, complaints: expect.stringContaining("model add ORG/NAME") });
  });
});
