import { useEffect, useState } from "preact/hooks";
import type { ShownHighlight, ShownSource } from "../../../shelves/readwise/schemas.js";
import { href } from "../href.js";
import { CopyButton } from "../reading/clipboard.js";
import { Cover } from "../reading/cover.js";
import { MarkedText } from "../reading/marked-text.js";
import { spansOf } from "../reading/marks.js";
import { More } from "../reading/more.js";
import { placeOf } from "../reading/places.js";
import { searchTerms } from "../reading/search-terms.js";
import { Section } from "../reading/section.js";
import { Author, day, Outward, plural, SmallPrint, Tags, tagNames } from "../reading/small-print.js";
import { Awaited, Empty } from "../reading/states.js";
import { restate, route } from "../routes.js";
import { useAnswer } from "../server/use-answer.js";
import { usePages } from "../server/use-pages.js";
import { nameView } from "../view-name.js";
import { useArrival } from "./use-arrival.js";

const CATEGORIES = {
  books: "Books",
  articles: "Articles",
  podcasts: "Podcasts",
  tweets: "Tweets",
  supplementals: "Supplementals",
};
const SORTS = { newest: "Newest first", oldest: "Oldest first", most_highlighted: "Most highlighted" };
const PAUSE_MS = 250;

export function SourcesView() {
  const { query } = route.value;
  const category = query.get("kind") ?? undefined;
  const sort = query.get("sort") ?? undefined;
  const filter = query.get("filter") ?? "";
  const [typed, setTyped] = useState(filter);
  const works = usePages<ShownSource>("list_sources", {
    ...(category ? { category } : {}),
    ...(filter ? { filter: sourceFilter(filter) } : {}),
    ...(sort ? { sort } : {}),
  });
  const at = (change: Record<string, string | undefined>) =>
    href(["sources"], { kind: category, sort, filter: filter || undefined, ...change });

  useEffect(() => {
    if (typed.trim() === filter) return;
    const pause = setTimeout(() => restate(at({ filter: typed.trim() || undefined })), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [typed, filter, sort, category]);

  return (
    <div class="view">
      <h1>Library</h1>
      <search class="row tool-row">
        <label class="sr-only" for="library-filter">
          Filter by title, tag: or author:
        </label>
        <input
          id="library-filter"
          type="search"
          autocomplete="off"
          placeholder="Filter by title, tag: or author:"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <label class="sr-only" for="library-sort">
          Order
        </label>
        <select
          id="library-sort"
          value={sort ?? "newest"}
          onInput={({ currentTarget }) => restate(at({ sort: currentTarget.value }))}
        >
          {Object.entries(SORTS).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </search>
      <nav class="chips" aria-label="Kinds">
        <a href={at({ kind: undefined })} aria-current={category ? undefined : "true"}>
          All
        </a>
        {Object.entries(CATEGORIES).map(([kind, name]) => (
          <a key={kind} href={at({ kind })} aria-current={category === kind ? "true" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <Awaited answer={works.first}>
        {({ count }) => (
          <>
            <p class="status-line" role="status">
              {plural(count, "work")}
            </p>
            {works.items.length === 0 && (
              <Empty>{filter ? "Nothing in the library fits this." : "No work of this kind has highlights."}</Empty>
            )}
            <ul class="shelf works-shelf">
              {works.items.map((source) => (
                <SourceCard key={source.id} source={source} />
              ))}
            </ul>
            <More label="More works" of={works} />
          </>
        )}
      </Awaited>
    </div>
  );
}

/** Words without a term are searched in titles. */
function sourceFilter(text: string): string {
  const { words, terms } = searchTerms(text);
  return [
    ...terms.map(({ text: term }) => term),
    ...words
      .split(" ")
      .filter(Boolean)
      .map((word) => `title:${word}`),
  ].join(" ");
}

function SourceCard({ source }: { source: ShownSource }) {
  const title = source.title ?? `Source ${source.id}`;
  return (
    <li>
      <Cover title={title} author={source.author} />
      <div>
        <a href={href(["sources", source.id])}>
          <strong dir="auto">{title}</strong>
        </a>
        <SmallPrint parts={[source.author]} />
        <SmallPrint parts={[plural(source.highlight_count ?? 0, "highlight"), day(source.last_highlight_at)]} />
        <Tags names={tagNames(source)} link />
      </div>
    </li>
  );
}

export function SourceView({ id }: { id: string }) {
  const source = useAnswer<ShownSource>("get_source", { id });
  const highlights = usePages<ShownHighlight>("list_highlights", { source_id: id, page_size: 100 });
  const query = route.value.query.get("q") ?? "";
  const wanted = route.value.query.get("highlight");
  useEffect(() => nameView(source.data?.title), [source.data?.title]);
  useArrival(wanted ? `highlight-${wanted}` : undefined, highlights.first.data !== undefined);
  return (
    <article class="view narrow">
      <Awaited answer={source}>
        {(work) => (
          <header class="title-page with-cover">
            <Cover title={work.title ?? ""} author={work.author} />
            <h1 dir="auto">{work.title ?? `Source ${work.id}`}</h1>
            <SmallPrint
              parts={[
                work.author && <Author name={work.author} />,
                work.category?.replace(/s$/, ""), // Readwise names the kind of one work in the plural
                day(work.last_highlight_at) && `last highlighted ${day(work.last_highlight_at)}`,
              ]}
            />
            {work.document_note && (
              <p class="note" dir="auto">
                {work.document_note}
              </p>
            )}
            <Tags names={tagNames(work)} link />
            <p class="row">
              <Outward url={work.source_url}>Original</Outward>
              <Outward url={work.readwise_url}>At Readwise</Outward>
            </p>
          </header>
        )}
      </Awaited>
      <Awaited answer={highlights.first}>
        {(first) => (
          <Section id="highlights" title={plural(first.count, "highlight")}>
            <ol class="quotes">
              {highlights.items.map((highlight) => (
                <HighlightItem
                  key={highlight.id}
                  highlight={highlight}
                  query={query}
                  arrived={String(highlight.id) === wanted}
                  work={source.data}
                />
              ))}
            </ol>
            <More label="More highlights" of={highlights} />
          </Section>
        )}
      </Awaited>
    </article>
  );
}

interface HighlightItemProps {
  highlight: ShownHighlight;
  query: string;
  arrived: boolean;
  work: ShownSource | undefined;
}

function HighlightItem({ highlight, query, arrived, work }: HighlightItemProps) {
  const { text = "", note, color } = highlight;
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
        <Tags names={tagNames(highlight)} link />
        <CopyButton text={attributed} label="Copy" what="the quotation" />
        <Outward url={highlight.url ?? highlight.readwise_url}>Open</Outward>
      </div>
    </li>
  );
}
