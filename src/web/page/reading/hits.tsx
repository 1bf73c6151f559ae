import { useEffect, useState } from "preact/hooks";
import { href } from "../href.js";
import { CopyButton } from "./clipboard.js";
import { MarkedText } from "./marked-text.js";
import { excerpt, type Span, spansOf } from "./marks.js";
import { Author, SmallPrint, Tags } from "./small-print.js";
import { Empty } from "./states.js";

type Origin = "highlight" | "document" | "passage";
const ORIGINS: Readonly<Record<Origin, { one: string; many: string }>> = {
  highlight: { one: "Highlight", many: "Highlights" },
  document: { one: "Document", many: "Documents" },
  passage: { one: "Passage", many: "Passages" },
};

export interface Hit {
  key: string;
  origin: Origin;
  title: string;
  author: string | null;
  text: string;
  note: string | null;
  /** Page, section or site within the work. */
  place: string | null;
  /** Its citation in Markdown, if the work has a citekey. */
  citation?: string | undefined;
  tags: readonly string[];
  /** In [0,1], as the tool returned it; used only to order hits. */
  score: number;
  /** The address it opens at on this page. */
  path: readonly (string | number)[];
  params?: Record<string, string>;
}

interface HitListProps {
  hits: readonly Hit[];
  query: string;
  /** Nothing fits: these are only the nearest, and none is called close. */
  far?: boolean;
  /** All of it in the first frame: for a reader who returns to a place far down. */
  whole?: boolean;
  /** Undefined inside an MCP host, where there is no view to open. */
  linkTo?: (hit: Hit) => string | undefined;
}

/** More than a screen holds: what is below it comes after the first works are painted. */
const FIRST_WORKS = 6;

export function HitList({
  hits,
  query,
  far = false,
  whole = false,
  linkTo = (hit) => href(hit.path, { ...hit.params, q: query }),
}: HitListProps) {
  const [only, setOnly] = useState<Origin>();
  const origins = (Object.keys(ORIGINS) as Origin[]).filter((origin) => hits.some((hit) => hit.origin === origin));
  const shown = only && origins.includes(only) ? hits.filter((hit) => hit.origin === only) : hits;
  const [painted, setPainted] = useState(whole);
  useEffect(() => {
    // Timers run after the frame that this effect belongs to.
    const frame = requestAnimationFrame(() => setTimeout(() => setPainted(true)));
    return () => cancelAnimationFrame(frame);
  }, []);

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
      <ol class="works">
        {byWork(shown)
          .slice(0, painted ? undefined : FIRST_WORKS)
          .map(([first, ...more]) => (
            <WorkItem key={first.key} hits={[first, ...more]} query={query} far={far} linkTo={linkTo} />
          ))}
      </ol>
    </>
  );
}

/** The message for no match, shared by the page and the views for hosts. */
export function NothingFits({ nearest }: { nearest: number }) {
  return <Empty>Nothing in your reading fits this.{nearest > 0 && " The nearest by meaning:"}</Empty>;
}

type Hits = [Hit, ...Hit[]];

/** Groups hits by work; a work is placed at its best hit. */
function byWork(hits: readonly Hit[]): Hits[] {
  const works = new Map<string, Hits>();
  for (const hit of hits) {
    const known = works.get(hit.title.toLowerCase());
    if (known) known.push(hit);
    else works.set(hit.title.toLowerCase(), [hit]);
  }
  return [...works.values()];
}

const SHOWN_PER_WORK = 2;

interface WorkItemProps {
  hits: Hits;
  query: string;
  far: boolean;
  linkTo(hit: Hit): string | undefined;
}

function WorkItem({ hits, query, far, linkTo }: WorkItemProps) {
  const [open, setOpen] = useState(false);
  const [{ title, author }] = hits;
  const shown = open ? hits : hits.slice(0, SHOWN_PER_WORK);
  const linked = linkTo(hits[0]) !== undefined;
  return (
    <li class="work">
      <h2 dir="auto">{title}</h2>
      {author && <SmallPrint parts={[linked && !author.startsWith("@") ? <Author name={author} /> : author]} />}
      <ol class="hits">
        {shown.map((hit) => (
          <HitItem key={hit.key} hit={hit} query={query} far={far} link={linkTo(hit)} />
        ))}
      </ol>
      {hits.length > shown.length && (
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          {hits.length - shown.length} more in this work
        </button>
      )}
    </li>
  );
}

interface HitItemProps {
  hit: Hit;
  query: string;
  far: boolean;
  link: string | undefined;
}

function HitItem({ hit, query, far, link }: HitItemProps) {
  const text = hit.text.replace(/\n{2,}/g, "\n");
  const spans = spansOf(query, text);
  const passage = excerpt(text, spans);
  const quotation = () =>
    `“${text}”\n— ${hit.citation ?? [hit.author, hit.title, hit.place].filter(Boolean).join(", ")}`;
  return (
    <li class={`hit from-${hit.origin}`}>
      <SmallPrint
        parts={[
          <span class="origin">{ORIGINS[hit.origin].one}</span>,
          hit.place,
          reasonOf(text, spans, hit, query) || (query && !far && "close in meaning"),
        ]}
      />
      <blockquote dir="auto">
        <MarkedText text={passage.text} spans={passage.spans} />
      </blockquote>
      {hit.note && (
        <p class="note" dir="auto">
          <MarkedText text={hit.note} spans={spansOf(query, hit.note)} />
        </p>
      )}
      <div class="row foot">
        {link && (
          <a class="hit-open" href={link} data-hit={hit.key}>
            Open<span class="sr-only"> in {hit.title}</span>
          </a>
        )}
        {link && <CopyButton text={quotation} label="Copy" what="the quotation with its source" />}
        <Tags names={hit.tags} link={link !== undefined} />
      </div>
    </li>
  );
}

/** The words of the query that it has, in words; empty where it was found by its meaning alone. */
function reasonOf(text: string, spans: readonly Span[], hit: Hit, query: string): string {
  const words = [...new Set(spans.map(([from, to]) => text.slice(from, to).toLowerCase()))];
  if (words.length > 0)
    return `has ${words
      .slice(0, 3)
      .map((word) => `“${word}”`)
      .join(", ")}`;
  if (spansOf(query, hit.title).length > 0) return "by its title";
  if (hit.author && spansOf(query, hit.author).length > 0) return "by its author";
  if (hit.tags.some((tag) => spansOf(query, tag).length > 0)) return "by its tag";
  return "";
}
