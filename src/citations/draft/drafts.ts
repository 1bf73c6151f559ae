import type { ChunkStore } from "../../shelves/chunks/chunk-store.js";
import type { Search } from "../../shelves/chunks/search.js";
import type { Highlights, QuoteSession } from "../quote-session.js";
import type { Quotes } from "../quotes.js";
import type { Work } from "../works.js";
import { checkDraft, type DraftReport } from "./check.js";
import { createClaims } from "./claims.js";
import { type DraftFormat, type ParseDraft, parseDraft } from "./parse.js";

export interface DraftRequest {
  /** Projects to look in; all if left out. */
  projects?: readonly string[] | undefined;
  format?: DraftFormat | undefined;
  claims?: boolean | undefined;
  readwise?: Highlights | undefined;
  bibliography?: readonly Work[] | undefined;
  signal?: AbortSignal | undefined;
  progress?: ((done: number, total: number) => void) | undefined;
}

export type Drafts = ReturnType<typeof createDrafts>;

/** Checks drafts against the stored texts. */
export function createDrafts({
  quotes,
  store,
  search,
  parse = async (draft, options) => parseDraft(draft, options),
}: {
  quotes: Pick<Quotes, "open">;
  store: ChunkStore;
  search: Pick<Search, "hybrid" | "meaning">;
  /** Parses in this process unless another function is given. */
  parse?: ParseDraft;
}) {
  const claims = createClaims({ store, search });
  return {
    async check(draft: string, request: DraftRequest = {}): Promise<DraftReport> {
      const { projects, readwise, signal } = request;
      const session = await quotes.open(projects, { readwise: projects ? undefined : readwise, signal });
      let everything: Promise<QuoteSession> | undefined;
      return checkDraft(draft, {
        ...request,
        session,
        parse,
        claims: request.claims ? claims : undefined,
        elsewhere: projects
          ? () => {
              everything ??= quotes.open(undefined, { readwise, signal });
              return everything;
            }
          : undefined,
      });
    },
  };
}
