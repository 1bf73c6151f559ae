import { useEffect, useRef, useState } from "preact/hooks";
import { href } from "../href.js";
import { HitList, NothingFits } from "../reading/hits.js";
import { searchTerms } from "../reading/search-terms.js";
import { plural } from "../reading/small-print.js";
import { Empty, Problem, Waiting } from "../reading/states.js";
import { restate, returned, route } from "../routes.js";
import { offers } from "../server/connection.js";
import { LONGEST_QUERY } from "../server/everywhere.js";
import { keys } from "../server/keys.js";
import { type Found, searchEverywhere } from "../server/searching.js";
import { ReviewToday } from "./review.js";
import { SearchHelp } from "./search-help.js";
import { firstHit, useHitKeys } from "./use-hit-keys.js";

const PAUSE_MS = 250;
const KEPT = 20;
/** The last results, so that going back shows them at once at the same position. */
const kept = new Map<string, Found>();
/** The hit that had focus last, by query. */
const focused = new Map<string, string>();

export function SearchView() {
  const query = route.value.query.get("q") ?? "";
  const [typed, setTyped] = useState(query);
  const box = useRef<HTMLInputElement>(null);
  const { found, searching, again } = useSearch(query);

  useHitKeys();
  useEffect(() => setTyped(query), [query]);
  useEffect(() => {
    const left = returned.value === undefined ? "" : (focused.get(query) ?? "");
    const hit = document.querySelector<HTMLElement>(`[data-hit="${CSS.escape(left)}"]`);
    (hit ?? box.current)?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (typed.trim() === query) return;
    const pause = setTimeout(() => restate(href([], { q: typed.trim() })), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [typed, query]);

  function change(text: string) {
    setTyped(text);
    box.current?.focus();
  }

  return (
    <div
      class="view narrow"
      onFocusCapture={({ target }) => {
        const hit = target instanceof Element && target.closest<HTMLElement>("[data-hit]")?.dataset.hit;
        if (hit) focused.set(query, hit);
      }}
    >
      <h1 class={query ? "sr-only" : "greeting"}>{query ? "Search" : "What have you read?"}</h1>
      <search>
        <form
          class="search-box"
          onSubmit={(event) => {
            event.preventDefault();
            restate(href([], { q: typed.trim() }));
          }}
        >
          <label class="sr-only" for="query">
            Search your reading
          </label>
          <input
            id="query"
            ref={box}
            type="search"
            name="q"
            autocomplete="off"
            placeholder="Search your reading"
            aria-describedby="search-terms"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={firstHit}
          />
          <button type="submit" class="primary">
            Search
          </button>
        </form>
      </search>
      <SearchHelp typed={typed} onChange={change} />
      <p class="status-line" role="status">
        {statusOf(query, found, searching)}
      </p>
      {query.length > LONGEST_QUERY ? (
        <Empty>
          This is too long to search for: {query.length.toLocaleString()} characters, and at most{" "}
          {LONGEST_QUERY.toLocaleString()} are possible. To find a quotation, its first sentence is enough.
        </Empty>
      ) : query ? (
        found ? (
          <Results found={found} query={query} searching={searching} again={again} />
        ) : (
          <Waiting />
        )
      ) : (
        offers("get_daily_review") && <ReviewToday />
      )}
    </div>
  );
}

function useSearch(query: string): { found: Found | undefined; searching: boolean; again(): void } {
  const [round, setRound] = useState(0);
  const [found, setFound] = useState<Found | undefined>(kept.get(query));
  const [done, setDone] = useState("");
  const held = keys.value;
  useEffect(() => {
    if (!query || query.length > LONGEST_QUERY) return;
    const leaving = new AbortController();
    void searchEverywhere(query, leaving.signal, (answer) => {
      setFound(answer);
      if (answer.failures.length === 0 && answer.retryAfter === undefined) kept.set(query, answer);
      if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? "");
    }).then(() => {
      if (!leaving.signal.aborted) setDone(query);
    });
    return () => leaving.abort();
  }, [query, held, round]);
  // After the pause the server asks for, the rest is searched automatically; the hits so far stay visible.
  useEffect(() => {
    if (done !== query || found?.retryAfter === undefined) return;
    const pause = setTimeout(() => setRound((count) => count + 1), found.retryAfter * 1_000);
    return () => clearTimeout(pause);
  }, [done, query, found]);
  const searched = query !== "" && query.length <= LONGEST_QUERY;
  return {
    found: searched ? found : undefined,
    searching: searched && done !== query,
    again: () => setRound((count) => count + 1),
  };
}

interface ResultsProps {
  found: Found;
  query: string;
  searching: boolean;
  again(): void;
}

function Results({ found, query, searching, again }: ResultsProps) {
  return (
    <>
      {found.failures.slice(0, 1).map((error) => (
        <div key={error.code}>
          {error.code !== "auth_error" && (
            <p class="remark">
              {found.hits.length > 0
                ? "Part of your reading could not be searched."
                : "Your reading could not be searched."}
            </p>
          )}
          <Problem error={error} retry={again} byItself />
        </div>
      ))}
      {found.remarks.map((remark) => (
        <p key={remark} class="remark">
          {remark} {found.retryAfter !== undefined && "The rest is searched by itself after it."}
        </p>
      ))}
      {found.nothingFits && <NothingFits nearest={found.hits.length} />}
      {found.hits.length > 0 ? (
        <HitList
          hits={found.hits}
          query={searchTerms(query).words}
          far={found.nothingFits}
          whole={returned.value !== undefined}
        />
      ) : searching ? (
        <Waiting />
      ) : (
        found.failures.length === 0 &&
        !found.nothingFits &&
        found.remarks.length === 0 && <Empty>Nothing in your reading fits this. Try fewer words, or others.</Empty>
      )}
    </>
  );
}

function statusOf(query: string, found: Found | undefined, searching: boolean): string {
  if (!query) return "";
  const couldNotSearch = found && found.hits.length === 0 && found.failures.length > 0;
  const places =
    found && !couldNotSearch && !found.nothingFits ? `${plural(found.hits.length, "place")} in your reading` : "";
  return searching ? `Searching … ${places}` : places;
}
