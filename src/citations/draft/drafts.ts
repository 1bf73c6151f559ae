import { LRUCache } from "lru-cache";
import { sha256 } from "../../ingest/to-chunks.js";
import { once } from "../../kernel/once.js";
import type { ChunkStore } from "../../shelves/chunks/chunk-store.js";
import type { Search } from "../../shelves/chunks/search.js";
import type { Highlights } from "../quote-session.js";
import type { Quotes } from "../quotes.js";
import type { Work } from "../works.js";
import { checkDraft, type DraftReport } from "./check.js";
import { createClaims } from "./claims.js";
import { type DraftFormat, type ParseDraft, parseDraft } from "./parse.js";

interface DraftRequest {
  /** Projects to look in; all if left out. */
  projects?: readonly string[] | undefined;
  format?: DraftFormat | undefined;
  claims?: boolean | undefined;
  readwise?: Highlights | undefined;
  bibliography?: readonly Work[] | undefined;
  signal?: AbortSignal | undefined;
  progress?: ((done: number, total: number) => void) | undefined;
  /** A later page of a report: what was found a moment ago is not looked for again. */
  again?: boolean | undefined;
}

export type Drafts = ReturnType<typeof createDrafts>;

/** Estimated size of a finding in memory. */
const BYTES_PER_FINDING = 2_000;
const KEPT_BYTES = 20_000_000;
const KEPT_MS = 5 * 60_000;

export function createDrafts({
  quotes,
  store,
  search,
  parse = async (draft, options) => parseDraft(draft, options),
}: {
  quotes: Pick<Quotes, "open" | "outside">;
  store: ChunkStore;
  search: Pick<Search, "hybrid" | "meaning">;
  /** Parses in this process unless another function is given. */
  parse?: ParseDraft;
}) {
  const claims = createClaims({ store, search });
  const recent = new LRUCache<string, DraftReport>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ findings }) => 1 + findings.length * BYTES_PER_FINDING,
    ttl: KEPT_MS,
  });
  async function check(draft: string, request: DraftRequest): Promise<DraftReport> {
    const { projects, readwise, signal } = request;
    const session = await quotes.open(projects, { readwise: projects ? undefined : readwise, signal });
    return checkDraft(draft, {
      ...request,
      session,
      parse,
      claims: request.claims ? claims : undefined,
      elsewhere: projects && once(() => quotes.outside(projects, { readwise, signal })),
    });
  }
  return {
    async check(draft: string, request: DraftRequest = {}): Promise<DraftReport> {
      const { projects, format, bibliography, readwise, again } = request;
      const name = sha256(
        JSON.stringify([draft, projects, format, request.claims, bibliography, readwise?.owner ?? null]),
      );
      const before = again ? recent.get(name) : undefined;
      if (before) return before;
      const report = await check(draft, request);
      recent.set(name, report);
      return report;
    },
  };
}
