import { useEffect, useState } from "preact/hooks";
import type { Highlight, Source } from "../../../shelves/readwise/schemas.js";
import { href } from "../href.js";
import { CopyButton } from "../reading/clipboard.js";
import { MarkedText } from "../reading/marked-text.js";
import { spansOf } from "../reading/marks.js";
import { placeOf } from "../reading/places.js";
import { day, Outward, plural, SmallPrint, Tags } from "../reading/small-print.js";
import { Awaited, Empty } from "../reading/states.js";
import { route } from "../routes.js";
import { callTool } from "../server/connection.js";
import { useAnswer } from "../server/use-answer.js";
import { nameView } from "../view-name.js";
import { useArrival } from "./use-arrival.js";

interface Page<T> {
  count: number;
  next: string | null;
  results: T[];
  truncated: boolean;
  hint?: string;
}

const CATEGORIES = {
  books: "Books",
  articles: "Articles",
  podcasts: "Podcasts",
  tweets: "Tweets",
  supplementals: "Supplementals",
};
const PAGE = 60;

export function SourcesView() {
  const category = route.value.query.get("kind") ?? undefined;
  const page = Number(route.value.query.get("page") ?? 1);
  const answer = useAnswer<Page<Source>>("list_sources", {
    page_size: PAGE,
    page,
    ...(category ? { category } : {}),
  });
  return (
    <div class="view">
      <h1>Library</h1>
      <nav class="chips" aria-label="Kinds">
        <a href={href(["sources"])} aria-current={category ? undefined : "true"}>
          All
        </a>
        {Object.entries(CATEGORIES).map(([kind, name]) => (
          <a key={kind} href={href(["sources"], { kind })} aria-current={category === kind ? "true" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <Awaited answer={answer}>
        {({ results, count, next }) => (
          <>
            <p class="status-line" role="status">
              {plural(count, "source")}
            </p>
            {results.length === 0 && <Empty>No source of this kind has highlights.</Empty>}
            <ul class="shelf">
              {results.map((source) => (
                <li key={source.id}>
                  <a href={href(["sources", source.id])}>
                    <strong dir="auto">{source.title ?? `Source ${source.id}`}</strong>
                  </a>
                  <SmallPrint parts={[source.author, plural(source.highlight_count ?? 0, "highlight")]} />
                  <Tags names={source.tags.map(({ name }) => name)} />
                </li>
              ))}
            </ul>
            <Pager
              page={page}
              more={next !== null}
              to={(target) => href(["sources"], { kind: category, page: String(target) })}
            />
          </>
        )}
      </Awaited>
    </div>
  );
}

function Pager({ page, more, to }: { page: number; more: boolean; to: (page: number) => string }) {
  if (page === 1 && !more) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && <a href={to(page - 1)}>Earlier</a>}
      <span>Page {page}</span>
      {more && <a href={to(page + 1)}>Further</a>}
    </nav>
  );
}

export function SourceView({ id }: { id: string }) {
  const source = useAnswer<Source>("get_source", { id });
  const asked = { source_id: id, page_size: 100 };
  const highlights = useAnswer<Page<Highlight>>("list_highlights", asked, { keep: true });
  /** What "More" fetched; it belongs to the page it followed. */
  const [more, setMore] = useState<{ after: Page<Highlight>; page: Page<Highlight> }>();
  const [loading, setLoading] = useState(false);
  const further = more && more.after === highlights.data ? more.page : undefined;

  async function readOn(after: Page<Highlight>, page: Page<Highlight>) {
    setLoading(true);
    const answer = await callTool<Page<Highlight>>("list_highlights", { ...asked, cursor: page.next });
    setLoading(false);
    if (answer.ok) setMore({ after, page: { ...answer.data, results: [...page.results, ...answer.data.results] } });
  }
  const query = route.value.query.get("q") ?? "";
  const wanted = route.value.query.get("highlight");
  useEffect(() => nameView(source.data?.title), [source.data?.title]);
  useArrival(wanted ? `highlight-${wanted}` : undefined, highlights.data !== undefined);
  return (
    <article class="view narrow">
      <Awaited answer={source}>
        {(work) => (
          <header class="title-page">
            <h1 dir="auto">{work.title ?? `Source ${work.id}`}</h1>
            <SmallPrint
              parts={[
                work.author,
                work.category,
                day(work.last_highlight_at) && `last highlighted ${day(work.last_highlight_at)}`,
              ]}
            />
            {work.document_note && (
              <p class="note" dir="auto">
                {work.document_note}
              </p>
            )}
            <Tags names={work.tags.map(({ name }) => name)} />
            <p class="row">
              <Outward url={work.source_url}>Original</Outward>
              <Outward url={work.readwise_url}>At Readwise</Outward>
            </p>
          </header>
        )}
      </Awaited>
      <Awaited answer={highlights}>
        {(first) => (
          <section aria-labelledby="highlights">
            <h2 id="highlights" class="ornament">
              {plural(first.count, "highlight")}
            </h2>
            <ol class="quotes">
              {(further ?? first).results.map((highlight) => (
                <HighlightItem
                  key={highlight.id}
                  highlight={highlight}
                  query={query}
                  arrived={String(highlight.id) === wanted}
                  work={source.data}
                />
              ))}
            </ol>
            {(further ?? first).next !== null && (
              <button type="button" onClick={() => void readOn(first, further ?? first)} disabled={loading}>
                More highlights
              </button>
            )}
          </section>
        )}
      </Awaited>
    </article>
  );
}

interface HighlightItemProps {
  highlight: Highlight;
  query: string;
  arrived: boolean;
  work: Source | undefined;
}

function HighlightItem({ highlight, query, arrived, work }: HighlightItemProps) {
  const { text, note, color, tags } = highlight;
  const attributed = () =>
    [`“${text}”`, [work?.author, work?.title, placeOf(highlight)].filter(Boolean).join(", ")]
      .filter(Boolean)
      .join("\n— ");
  return (
    <li
      id={`highlight-${highlight.id}`}
      class={arrived ? "arrived" : undefined}
      data-color={color ?? undefined}
      tabIndex={-1}
    >
      <blockquote dir="auto">
        <MarkedText text={text} spans={query ? spansOf(query, text) : []} />
      </blockquote>
      {note && (
        <p class="note" dir="auto">
          {note}
        </p>
      )}
      <div class="row foot">
        <SmallPrint parts={[placeOf(highlight), day(highlight.highlighted_at), highlight.is_favorite && "favourite"]} />
        <Tags names={tags.map(({ name }) => name)} />
        <CopyButton text={attributed} label="Copy" what="the quotation" />
        <Outward url={highlight.url ?? highlight.readwise_url}>Open</Outward>
      </div>
    </li>
  );
}
