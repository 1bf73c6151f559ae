import { useEffect, useMemo } from "preact/hooks";
import type { ShownDocument, ShownHighlight } from "../../../shelves/readwise/schemas.js";
import { href } from "../href.js";
import { type Block, blocksOf, type Table } from "../reading/html-blocks.js";
import { MarkedText } from "../reading/marked-text.js";
import { findPassage, type Span, spansOf } from "../reading/marks.js";
import { More } from "../reading/more.js";
import { Author, day, Outward, SmallPrint, Tags, tagNames } from "../reading/small-print.js";
import { Awaited, Empty } from "../reading/states.js";
import { route } from "../routes.js";
import { offers } from "../server/connection.js";
import { useAnswer } from "../server/use-answer.js";
import { useWindows } from "../server/use-windows.js";
import { nameView } from "../view-name.js";
import { DocumentActions } from "./document-actions.js";
import { Highlighting } from "./highlighting.js";
import { Transcript } from "./transcript.js";
import { LOCATIONS } from "./triage.js";

interface Reading extends ShownDocument {
  content_length?: number;
  next_content_offset?: number | null;
  highlights?: ShownHighlight[];
  highlight_source_id?: number | null;
}

const WINDOW = 36_000;
const windowOf = ({ content, next_content_offset = null }: Reading) => ({
  text: content ?? "",
  next: next_content_offset,
});

const argsFor = (id: string) => ({ id, include_content: true, html: true, content_max_chars: WINDOW });

export function DocumentView({ id }: { id: string }) {
  const answer = useAnswer<Reading>("get_document", { ...argsFor(id), include_highlights: true });
  return (
    <article class="view narrow">
      <Awaited answer={answer}>
        {(document) => (
          <>
            <DocumentActions document={document} onChange={answer.reload} />
            <Text key={document.id} document={document} />
            <Highlighting document={document.id} onChange={answer.reload} />
          </>
        )}
      </Awaited>
    </article>
  );
}

function Text({ document: first }: { document: Reading }) {
  const reading = useWindows(first, windowOf, "get_document", argsFor(first.id));
  const query = route.value.query.get("q") ?? "";
  const blocks = useMemo(() => blocksOf(reading.text), [reading.text]);
  const highlights = first.highlights ?? [];
  const isVideo = first.category === "video" && offers("get_video");
  useEffect(() => nameView(first.title), [first.title]);

  return (
    <>
      <header class="title-page">
        <h1 dir="auto">{first.title ?? "Untitled"}</h1>
        <SmallPrint
          parts={[
            first.author && <Author name={first.author} />,
            first.site_name !== first.author && first.site_name,
            day(first.published_date),
            first.reading_time,
            LOCATIONS.find(({ name }) => name === first.location)?.title,
          ]}
        />
        <Tags names={tagNames(first)} link />
        <p class="row">
          <Outward url={first.source_url}>Original</Outward>
          <Outward url={first.url}>In Reader</Outward>
          {first.highlight_source_id && <a href={href(["sources", first.highlight_source_id])}>Its highlights</a>}
        </p>
        {first.summary && (
          <p class="summary" dir="auto">
            {first.summary}
          </p>
        )}
      </header>
      {isVideo && <Transcript id={first.id} url={first.source_url} query={query} />}
      {blocks.length === 0 && first.category !== "video" && <Empty>Reader keeps no text of this document.</Empty>}
      <div class="prose">
        {(isVideo ? [] : blocks).map((block, index) =>
          block.kind === "table" ? (
            <TableOf key={index} table={block} />
          ) : (
            <BlockOf key={index} block={block} highlights={highlights} query={query} />
          ),
        )}
      </div>
      <More label="Read on" busy="Reading on …" of={reading} />
    </>
  );
}

function BlockOf({ block, highlights, query }: { block: Block; highlights: readonly ShownHighlight[]; query: string }) {
  const own = highlights
    .map(({ text = "" }) => findPassage(block.text, text))
    .filter((span): span is Span => span !== undefined);
  const spans = own.length || !query ? own : spansOf(query, block.text);
  const text = <MarkedText text={block.text} spans={spans} />;
  if (block.kind === "pre")
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <pre class="code" tabIndex={0}>
        <code>{text}</code>
      </pre>
    );
  const { tag: Tag, class: name } = ELEMENTS[block.kind];
  return (
    <Tag class={name} dir="auto">
      {text}
    </Tag>
  );
}

interface BlockElement {
  tag: "p" | "h2" | "h3" | "blockquote";
  class?: string;
}
const ELEMENTS: Readonly<Record<Exclude<Block["kind"], "pre">, BlockElement>> = {
  p: { tag: "p" },
  h2: { tag: "h2" },
  h3: { tag: "h3" },
  li: { tag: "p", class: "item" },
  quote: { tag: "blockquote" },
  note: { tag: "p", class: "footnote" },
};

function TableOf({ table: { rows } }: { table: Table }) {
  return (
    <div class="table">
      <table>
        {rows.map(({ heading, cells }, index) => (
          <tr key={index}>
            {cells.map((text, column) =>
              heading ? (
                <th key={column} scope="col" dir="auto">
                  {text}
                </th>
              ) : (
                <td key={column} dir="auto">
                  {text}
                </td>
              ),
            )}
          </tr>
        ))}
      </table>
    </div>
  );
}
