import { totalmem } from "node:os";

export interface ReaderLimits {
  size: number;
  /** JavaScript heap, and all memory together, one parser may take. */
  heapMb: number;
  rssMb: number;
  /** Memory this process and its parsers share, where it is so little that the limits follow from it. */
  boundByMb: number | undefined;
}

/** What the server, the embedding model's process and a full cache of the container's size take. */
const SERVER_MB = 144;
/** Of a parser's memory this much is the Node binary, which all processes share. */
const SHARED_MB = 48;
const LEAST_MB = 64;
const LARGEST = { heapMb: 768, rssMb: 1_536 };
const ROOM_FOR_TWO_MB = 512;

/** Parsers stay inside the memory that is left for them: a container that runs out of it stops as a whole. */
export function readerLimits(bytes: number = memoryOfThisProcess()): ReaderLimits {
  const total = Math.floor(bytes / 1024 ** 2);
  const size = total < ROOM_FOR_TWO_MB ? 1 : 2;
  const rssMb = Math.max(LEAST_MB, Math.floor((total - SERVER_MB) / size)) + SHARED_MB;
  if (rssMb >= LARGEST.rssMb) return { size, ...LARGEST, boundByMb: undefined };
  return { size, rssMb, heapMb: Math.min(LARGEST.heapMb, Math.floor(rssMb / 2)), boundByMb: total };
}

/** A container's limit where there is one; zero or an absurdly large number says that there is none. */
function memoryOfThisProcess(): number {
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
}
