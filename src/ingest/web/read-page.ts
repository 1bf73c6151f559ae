import { ShelfError } from "../../kernel/errors.js";
import type { CutDocument, CutRecipe } from "../cutting.js";
import type { Readers } from "../reader-pool.js";
import { canonicalAddress, isVideo, pageAddress } from "./page-address.js";
import type { Fetcher } from "./safe-fetch.js";

export interface WebPage {
  document: CutDocument;
  /** The page's own address, and every address that led to it. */
  origin: string;
  addresses: string[];
}

export const isAddress = (path: string): boolean => /^https?:\/\//i.test(path);

/** The one spelling of an address that may be fetched; anything else is refused. */
export function askedAddress(address: string): string {
  const asked = pageAddress(address.trim());
  if (!asked) throw new ShelfError("INVALID_URL", "Give a whole http or https address of a public page.");
  refuseVideo(asked);
  return asked;
}

/** Fetches a page or file of the web and reads it; `asked` comes from `askedAddress`. */
export async function readPage(
  { fetcher, readers }: { fetcher: Fetcher; readers: Pick<Readers, "readBytes"> },
  asked: string,
  cut: CutRecipe,
  signal: AbortSignal,
): Promise<WebPage> {
  const fetched = await fetcher(asked, signal);
  const reached = pageAddress(fetched.url) ?? asked;
  refuseVideo(reached);
  const document = await readers.readBytes(
    fetched.bytes,
    { url: reached, ...(fetched.contentType ? { contentType: fetched.contentType } : {}) },
    signal,
    cut,
  );
  const canonical =
    document.kind === "html" ? canonicalAddress(new TextDecoder("latin1").decode(fetched.bytes), reached) : undefined;
  const origin = canonical ?? reached;
  return { document, origin, addresses: [...new Set([origin, reached, asked])] };
}

function refuseVideo(address: string): void {
  if (isVideo(address))
    throw new ShelfError(
      "UNSUPPORTED_URL",
      "Videos cannot be read from their address. Paste the transcript as text instead.",
      { details: { url: address } },
    );
}
