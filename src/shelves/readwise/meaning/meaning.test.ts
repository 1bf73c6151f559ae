import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Library } from "../../../../sandbox/readwise/library.js";
import { fakeEmbedders } from "../../../../tests/support/fake-embedders.js";
import { ideaEmbedder } from "../../../../tests/support/idea-embedder.js";
import { meaningStoreContract } from "../../../../tests/support/meaning-store.contract.js";
import { memoryMeaningStore } from "../../../../tests/support/memory-meaning-store.js";
import { NOON, readwiseFixture } from "../../../../tests/support/readwise.js";
import { redisIsInstalled, startRedis } from "../../../../tests/support/redis-server.js";
import { silentLog } from "../../../../tests/support/silent-log.js";
import { openRedis } from "../../../redis/redis-link.js";
import { createDotKernel } from "../../chunks/stores/sqlite/dot-kernel.js";
import { sqliteMeaningStore } from "../../chunks/stores/sqlite-meaning.js";
import { createMeaning, type Meaning } from "./meaning.js";
import type { MeaningStore } from "./meaning-store.js";
import { sharedMeaningStore } from "./shared-store.js";

meaningStoreContract("memory", memoryMeaningStore);

const IDEAS = [
  "felicity advantages joy comforts happy",
  "solitude companionable alone company",
  "swarm bee group member",
];
const HAPPY = "Human felicity is made by little advantages that occur every day.";
const ALONE = "I never found the companion that was so companionable as solitude.";

function reading(...texts: string[]): Library {
  const library = new Library("reading");
  const book = library.addBook({ title: "Collected", author: "Henry David Thoreau" }, NOON - 1e9);
  texts.forEach((text, i) => {
    library.addHighlight(book, { text }, NOON - 1e9 + i * 1000);
  });
  return library;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(libraries: Record<string, Library>, store: MeaningStore = memoryMeaningStore()) {
  const embedder = ideaEmbedder(...IDEAS);
  const meaning = createMeaning({
    embedders: fakeEmbedders(embedder),
    store,
    kernelFor: (rowBytes) => createDotKernel({ rowBytes }),
  });
  const fixture = await readwiseFixture({ libraries, meaning });
  closing.push(() => fixture.close());
  const ask = async (query: string, key = "ann") =>
    (await fixture.as(key)).call("search_highlights", { query }) as Promise<{
      results: { highlight: { id: number; text: string }; author: string | null }[];
      best_match: string;
      by_meaning: number;
      searched: number;
      hint?: string;
    }>;
  return { embedder, meaning: meaning as Meaning, fixture, ask };
}
const textsOf = ({ results }: { results: { highlight: { text: string } }[] }) =>
  results.map(({ highlight }) => highlight.text);

it("finds a highlight in other words once its vectors are made; until then words answer, and the answer says so", async () => {
  const { ask, meaning } = await open({ ann: reading(HAPPY, ALONE) });
  const before = await ask("small comforts make us happy");
  expect(before).toMatchObject({ best_match: "none", by_meaning: 0, searched: 2 });
  expect(before.hint).toContain("By meaning 0 of 2");

  await meaning.settled();
  const after = await ask("small comforts make us happy");
  expect(textsOf(after)[0]).toBe(HAPPY);
  expect(after).toMatchObject({ best_match: "good", by_meaning: 2 });
  expect(after.hint).toBeUndefined();
});

it("embeds only what is new after a restart and after a refresh", async () => {
  const store = memoryMeaningStore();
  const first = await open({ ann: reading(HAPPY, ALONE) }, store);
  await first.ask("joy");
  await first.meaning.settled();
  expect(first.embedder.texts.filter((text) => text.includes("felicity"))).toHaveLength(2);

  const again = await open(
    { ann: reading(HAPPY, ALONE, "What is not good for the swarm is not good for the bee.") },
    store,
  );
  expect(textsOf(await again.ask("being alone"))[0]).toBe(ALONE);
  await again.meaning.settled();
  expect(textsOf(await again.ask("what harms each member of a group"))[0]).toContain("swarm");
  const passages = again.embedder.texts.filter((text) => text.includes("felicity") || text.includes("companion"));
  expect(passages).toEqual([]);
});

it("gives a query to the model before its words are searched, and only once", async () => {
  const { ask, meaning, embedder } = await open({ ann: reading(HAPPY, ALONE) });
  const asked = (query: string) => embedder.texts.filter((text) => text === query).length;
  await meaning.expect("nothing to compare with");
  expect(asked("nothing to compare with")).toBe(0);
  await ask("joy");
  await meaning.settled();
  await meaning.expect("alone in company");
  expect(asked("alone in company")).toBe(1);
  expect(textsOf(await ask("alone in company"))[0]).toBe(ALONE);
  expect(asked("alone in company")).toBe(1);
});

it("keeps the vectors of two keys apart, also where their texts are the same", async () => {
  const store = memoryMeaningStore();
  const { ask, meaning } = await open({ ann: reading(HAPPY, ALONE), bob: reading(HAPPY) }, store);
  await ask("joy", "ann");
  await ask("joy", "bob");
  await meaning.settled();
  expect(store.rows).toBe(3);
  expect(textsOf(await ask("being alone in company", "bob"))).not.toContain(ALONE);
  expect(textsOf(await ask("being alone in company", "ann"))).toContain(ALONE);
});

it("forgets a key's vectors and makes them again when it is used", async () => {
  const store = memoryMeaningStore();
  const { ask, meaning, embedder } = await open({ ann: reading(HAPPY) }, store);
  await ask("joy");
  await meaning.settled();
  expect(await meaning.forget()).toBe(1);
  expect(store.rows).toBe(0);
  const made = embedder.texts.length;
  await ask("small comforts");
  await meaning.settled();
  expect(embedder.texts.length).toBeGreaterThan(made);
});

/** Whatever store two servers have in common: each text is embedded once, and both find it. */
async function expectSharedWork(storeOf: (server: number) => MeaningStore) {
  const texts = Array.from({ length: 60 }, (_, i) => `Number ${i} of the notes on the bee and its group.`);
  const [one, other] = await Promise.all(
    [0, 1].map((server) => open({ ann: reading(HAPPY, ...texts) }, storeOf(server))),
  );
  const servers = [one!, other!];
  const passages = () =>
    servers.flatMap(({ embedder }) => embedder.texts.filter((text) => /Number|felicity is/.test(text)));

  await Promise.all(servers.map(({ ask }) => ask("joy")));
  await Promise.all(servers.map(({ meaning }) => meaning.settled()));
  for (const { ask } of servers) {
    const answer = await ask("small comforts make us happy");
    expect(answer).toMatchObject({ by_meaning: 61, best_match: "good" });
    expect(textsOf(answer)[0]).toBe(HAPPY);
  }
  expect(new Set(passages()).size).toBe(passages().length);
}

it("shares the work with another server on the same folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-shared-meaning-"));
  await expectSharedWork(() => sqliteMeaningStore({ file: join(folder, "meaning.db"), maxBytes: 2 ** 26 }));
  closing.push(async () => rmSync(folder, { recursive: true, force: true }));
});

it.skipIf(!redisIsInstalled)("shares the work with a server on another machine through Redis", async () => {
  const server = await startRedis();
  const link = openRedis({ url: server.url, log: silentLog });
  await expectSharedWork(() => sharedMeaningStore(memoryMeaningStore(), link));
  closing.push(async () => {
    await link.close();
    await server.close();
  });
});

it("makes vectors again that a command has forgotten meanwhile", async () => {
  const store = memoryMeaningStore();
  const { ask, meaning, embedder } = await open({ ann: reading(HAPPY, ALONE) }, store);
  await ask("joy");
  await meaning.settled();
  await store.forget(); // by another process: this one does not know
  const made = embedder.texts.length;
  await ask("small comforts make us happy");
  await ask("small comforts make us happy");
  await meaning.settled();
  expect(embedder.texts.length).toBeGreaterThan(made);
  expect(textsOf(await ask("small comforts make us happy"))[0]).toBe(HAPPY);
});

it("does not find a deleted highlight by meaning, also where the question was asked before", async () => {
  const { ask, meaning, fixture } = await open({ ann: reading(HAPPY, ALONE) });
  await ask("joy");
  await meaning.settled();
  const before = await ask("small comforts make us happy");
  expect(textsOf(before)[0]).toBe(HAPPY);
  await (await fixture.as("ann")).call("delete_highlight", { id: before.results[0]!.highlight.id });
  expect(textsOf(await ask("small comforts make us happy"))).not.toContain(HAPPY);
});

it("says plainly that nothing fits, and shows no more than the three nearest", async () => {
  const { ask, meaning } = await open({ ann: reading(HAPPY, ALONE, "One.", "Two.", "Three.", "Four.") });
  await ask("joy");
  await meaning.settled();
  const answer = await ask("zzzzqqq");
  expect(answer.best_match).toBe("none");
  expect(answer.results.length).toBeLessThanOrEqual(3);
  expect(answer.hint).toContain("Nothing fits in 6 highlights, searched by words and meaning.");
});

it("says that a quoted word or phrase stands nowhere, and looks for its words", async () => {
  const { ask } = await open({ ann: reading(HAPPY, ALONE) });
  const phrase = await ask('"little felicity"');
  expect(textsOf(phrase)).toEqual([HAPPY]);
  expect(phrase.best_match).not.toBe("good");
  expect(phrase.hint).toContain('"little felicity" stands nowhere');
  expect((await ask('"quixotic"')).hint).toContain('"quixotic" stands nowhere');
});

it("does not add neighbours in meaning to the hits of a quoted phrase", async () => {
  const { ask, meaning } = await open({ ann: reading(HAPPY, "Joy is shared.") });
  await ask("joy");
  await meaning.settled();
  expect(textsOf(await ask('"human felicity"'))).toEqual([HAPPY]);
});

it("puts what an author wrote before what mentions the author", async () => {
  const library = reading(HAPPY);
  const notes = library.addBook({ title: "Letters", author: "Somebody" }, NOON - 1e9);
  library.addHighlight(notes, { text: "Thoreau again, Thoreau always, Thoreau at noon." }, NOON - 1e8);
  const { ask } = await open({ ann: library });
  const { results } = await ask("Thoreau");
  expect(results[0]).toMatchObject({ author: "Henry David Thoreau", highlight: { text: HAPPY } });
  expect(results).toHaveLength(2);
});

it("answers by words where the model is away", async () => {
  const { ask, meaning, embedder } = await open({ ann: reading(HAPPY, ALONE) });
  embedder.failing = true;
  expect(textsOf(await ask("solitude"))).toEqual([ALONE]);
  await meaning.settled();
  expect(await ask("solitude")).toMatchObject({ by_meaning: 0, best_match: "good" });
});
