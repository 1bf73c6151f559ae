import { searchTerms } from "../reading/search-terms.js";

/** The longest query the search accepts. */
export const LONGEST_QUERY = 1_000;

/** The tool that searches everything, and the arguments the page gives it. */
export const EVERYWHERE = "search_library";
export const everywhere = (query: string) => ({ query, limit: 40 });

/** Whether a query goes to that tool unchanged: it has no `tag:` or other term. */
export const isPlainSearch = (query: string): boolean =>
  query !== "" && query.length <= LONGEST_QUERY && searchTerms(query).terms.length === 0;
