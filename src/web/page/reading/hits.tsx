import { useState } from "preact/hooks";
import { href } from "../routes.js";
import { MarkedText } from "./marked-text.js";
import { excerpt, spansOf } from "./marks.js";
import { SmallPrint, Tags } from "./small-print.js";

export type Origin = "highlight" | "document" | "passage";
export const ORIGINS: Readonly<Record<Origin, { one: string; many: string }>> = {
  highlight: { one: "Highlight", many: "Highlights" },
  document: { one: "Document", many: "Documents" },
  passage: { one: "Passage", many: "Passages" },
};

/** A place in the reading that answers a query, whichever shelf it stands on. */
export interface Hit {
  key: string;
  origin: Origin;
  title: string;
  author: string | null;
  text: string;
  note: string | null;
  /** Page, section, site: where in the work it stands. */
  place: string | null;
  tags: readonly string[];
  /** In [0,1], as the tool gave it. */
  score: number;
  scoreMeans: string;
  /** Where it opens on this page. */
  path: readonly (string | number)[];
  params?: Record<string, string>;
}

export function HitList({
  hits,
  query,
  linkTo = (hit) => href(hit.path, { ...hit.params, q: query }),
}: {
  hits: readonly Hit[];
  query: string;
  /** Undefined where there is nothing to open: inside another program. */
  linkTo?: (hit: Hit) => string | undefined;
}) {
  const [only, setOnly] = useState<Origin>();
  const origins = (Object.keys(ORIGINS) as Origin[]).filter((origin) => hits.some((hit) => hit.origin === origin));
  const shown = only && origins.includes(only) ? hits.filter((hit) => hit.origin === only) : hits;
  return (
    <>
      {origins.length > 1 && (
        <fieldset class="chips">
          <legend class="sr-only">Where from</legend>
          <button type="button" aria-pressed={only === undefined} onClick={() => setOnly(undefined)}>
            All <span class="count">{hits.length}</span>
          </button>
          {origins.map((origin) => (
            <button key={origin} type="button" aria-pressed={only === origin} onClick={() => setOnly(origin)}>
              {ORIGINS[origin].many} <span class="count">{hits.filter((hit) => hit.origin === origin).length}</span>
            </button>
          ))}
        </fieldset>
      )}
      <ol class="hits">
        {shown.map((hit) => (
          <HitItem key={hit.key} hit={hit} query={query} link={linkTo(hit)} />
        ))}
      </ol>
    </>
  );
}

function HitItem({ hit, query, link }: { hit: Hit; query: string; link: string | undefined }) {
  const text = hit.text.replace(/\n{2,}/g, "\n");
  const passage = excerpt(text, spansOf(query, text));
  return (
    <li class={`hit from-${hit.origin}`}>
      <div class="hit-head">
        <span class="origin">{ORIGINS[hit.origin].one}</span>
        <Score value={hit.score} means={hit.scoreMeans} />
      </div>
      <h3 dir="auto">{link ? <a href={link}>{hit.title}</a> : hit.title}</h3>
      <SmallPrint parts={[hit.author, hit.place]} />
      <blockquote dir="auto">
        <MarkedText text={passage.text} spans={passage.spans} />
      </blockquote>
      {hit.note && (
        <p class="note" dir="auto">
          <MarkedText text={hit.note} spans={spansOf(query, hit.note)} />
        </p>
      )}
      <Tags names={hit.tags} />
    </li>
  );
}

function Score({ value, means }: { value: number; means: string }) {
  return (
    <span class="score" title={means}>
      <span class="score-bar" aria-hidden="true">
        <span style={{ width: `${Math.round(Math.max(0, Math.min(1, value)) * 100)}%` }} />
      </span>
      <span class="sr-only">Score </span>
      {value.toFixed(2)}
    </span>
  );
}
