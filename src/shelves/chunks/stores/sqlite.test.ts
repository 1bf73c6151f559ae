import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { chunkStoreContract } from "../../../../tests/support/chunk-store.contract.js";
import { sqliteChunkStore } from "./sqlite.js";

const folder = await mkdtemp(join(tmpdir(), "bookwheel-store-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
chunkStoreContract("sqlite", () => sqliteChunkStore({ file: join(folder, `${files++}`, "shelf.db") }));
