import { chunkStoreContract } from "./chunk-store.contract.js";
import { memoryChunkStore } from "./memory-chunk-store.js";

chunkStoreContract("memory", memoryChunkStore);
