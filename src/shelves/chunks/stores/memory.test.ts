import { chunkStoreContract } from "../../../../tests/support/chunk-store.contract.js";
import { memoryChunkStore } from "./memory.js";

chunkStoreContract("memory", memoryChunkStore);
