import { useEffect, useRef, useState } from "preact/hooks";
import type { Guide, Notebook, Source } from "../../../shelves/notebooks/notebook-backend.js";
import { say } from "../notices.js";
import { Section } from "../reading/section.js";
import { day, Outward, plural, SmallPrint } from "../reading/small-print.js";
import { Awaited, Empty, Problem } from "../reading/states.js";
import { route } from "../routes.js";
import { callTool, type Failure, offers, takes } from "../server/connection.js";
import { contentsOf, deleteLater, leaving } from "../server/deleting.js";
import { type Loaded, useAnswer } from "../server/use-answer.js";
import { onEscape } from "../shortcuts.js";
import { nameView } from "../view-name.js";
import { AskBox } from "./ask-box.js";
import { NotebookActions } from "./place-actions.js";
import { NewPlace, PLACE_WORDS, PlaceList } from "./place-list.js";
import { type Opened, SourceText } from "./source-text.js";

export function NotebooksView() {
  const answer = useAnswer<{ notebooks: Notebook[]; total: number }>("list_notebooks", { limit: 100 });
  const ask = route.value.query.get("ask") ?? undefined;
  return (
    <div class="view">
      <h1>Notebooks</h1>
      <p class="lede">{PLACE_WORDS.notebook}</p>
      {ask && (
        <p>
          Which notebook shall answer “<bdi>{ask}</bdi>”?
        </p>
      )}
      <Awaited answer={answer}>
        {({ notebooks, total }) => (
          <PlaceList
            kind="notebook"
            count={total}
            ask={ask}
            list={notebooks.map(({ id, name, source_count, updated_at }) => ({
              id,
              name,
              parts: [
                source_count !== null && plural(source_count, "source"),
                day(updated_at) && `changed ${day(updated_at)}`,
              ],
            }))}
          >
            No notebook yet. Name one below.
          </PlaceList>
        )}
      </Awaited>
      {offers("create_notebook") && <NewPlace kind="notebook" />}
    </div>
  );
}

/** The source and passage in the address: where a search result opens. */
function givenIn(query: URLSearchParams): Opened | undefined {
  const source = query.get("source");
  return source ? { source, title: query.get("title") ?? "", passage: query.get("passage") } : undefined;
}

export function NotebookView({ id }: { id: string }) {
  const notebook = useAnswer<Notebook & Partial<Guide>>(
    "get_notebook",
    offers("get_notebook") ? { notebook_id: id, ...wantsGuide() } : undefined,
  );
  const sources = useAnswer<{ sources: Source[]; total: number }>("list_notebook_sources", { notebook_id: id });
  const [opened, setOpened] = useState<Opened | undefined>(givenIn(route.value.query));
  useEffect(() => nameView(notebook.data?.name), [notebook.data?.name]);
  useEffect(() => (opened ? onEscape(() => setOpened(undefined)) : undefined), [opened]);
  const readable = offers("get_source_text");
  return (
    <div class={opened ? "view with-reader" : "view narrow"}>
      <div>
        <header class="title-page">
          <h1 dir="auto">{notebook.data?.name ?? "Notebook"}</h1>
          {notebook.data?.description && <p class="summary">{notebook.data.description}</p>}
          {notebook.data && (
            <div class="row place-actions">
              <NotebookActions
                id={id}
                name={notebook.data.name}
                sources={sources.data?.sources ?? []}
                onChange={() => {
                  notebook.reload();
                  sources.reload();
                }}
              />
            </div>
          )}
        </header>
        {notebook.error && <Problem error={notebook.error} />}
        <AskBox
          notebook={id}
          path={["notebooks", id]}
          what="notebook"
          suggested={suggestions(notebook.data, sources.data?.total ?? 0)}
          open={opened?.mark}
          onCite={readable ? setOpened : undefined}
        />
        {notebook.data?.summary && <Overview summary={notebook.data.summary} />}
        <SourceList sources={sources} notebook={id} onOpen={readable ? setOpened : undefined} />
      </div>
      {opened && <SourceText notebook={id} opened={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

export const wantsGuide = () => (takes("get_notebook", "include_guide") ? { include_guide: true } : {});
export const suggestions = (guide: Partial<Guide> | undefined, sources: number): string[] =>
  sources === 0 || !guide ? [] : ["What are the sources about?", ...(guide.suggested_questions ?? [])];

function Overview({ summary }: { summary: string }) {
  return (
    <details class="drawer overview">
      <summary>What it is about</summary>
      <div class="prose">
        {summary.split("\n").map((line) => (
          <p key={line} dir="auto">
            {line}
          </p>
        ))}
      </div>
    </details>
  );
}

const KINDS: Partial<Record<Source["type"], string>> = { url: "web page", text: "text", pdf: "PDF", youtube: "video" };

interface SourceListProps {
  sources: Loaded<{ sources: Source[]; total: number }>;
  notebook: string;
  onOpen: ((opened: Opened) => void) | undefined;
}

function SourceList({ sources, notebook, onOpen }: SourceListProps) {
  const stays = ({ id }: Source) => !leaving.value.has(id) && !leaving.value.has(contentsOf(notebook));
  return (
    <Section id="sources" title="Sources">
      <Awaited answer={sources}>
        {({ sources: list }) => (
          <>
            {list.filter(stays).length === 0 && (
              <Empty>No source yet. Drop a file or a link here, or add one below; then ask.</Empty>
            )}
            <ul class="lines">
              {list.filter(stays).map(({ id, title, type, url, added_at, processing_status }) => (
                <li key={id}>
                  {onOpen ? (
                    <button type="button" class="link" onClick={() => onOpen({ source: id, title, passage: null })}>
                      <bdi>{title}</bdi>
                    </button>
                  ) : (
                    <bdi>{title}</bdi>
                  )}
                  <SmallPrint
                    parts={[
                      KINDS[type] ?? type,
                      day(added_at),
                      processing_status !== "complete" && processing_status,
                      url && <Outward url={url}>Original</Outward>,
                      offers("remove_source") && (
                        <button
                          type="button"
                          class="link"
                          aria-label={`Remove ${title}`}
                          onClick={() =>
                            deleteLater(
                              id,
                              `“${title}”`,
                              () => callTool("remove_source", { notebook_id: notebook, source_id: id }),
                              sources.reload,
                            )
                          }
                        >
                          Remove
                        </button>
                      ),
                    ]}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </Awaited>
      {offers("add_source") && <AddSource notebook={notebook} onAdded={sources.reload} />}
    </Section>
  );
}

function AddSource({ notebook, onAdded }: { notebook: string; onAdded: () => void }) {
  const [kind, setKind] = useState<"url" | "text">("url");
  const [error, setError] = useState<Failure>();
  const [adding, setAdding] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  async function add(event: Event) {
    event.preventDefault();
    const fields = new FormData(form.current ?? undefined);
    const content = String(fields.get("content") ?? "").trim();
    const title = String(fields.get("title") ?? "").trim();
    if (!content) return;
    setAdding(true);
    setError(undefined);
    const answer = await callTool<{ title: string; message: string | null }>("add_source", {
      notebook_id: notebook,
      source_type: kind,
      [kind]: content,
      ...(kind === "text" && title ? { title } : {}),
    });
    setAdding(false);
    if (!answer.ok) return setError(answer.error);
    say(answer.data.message ?? `Added “${answer.data.title}”.`);
    form.current?.reset();
    onAdded();
  }
  return (
    <details class="drawer">
      <summary>Add a source</summary>
      <form ref={form} onSubmit={(event) => void add(event)}>
        <fieldset class="chips">
          <legend class="sr-only">What is added</legend>
          {(["url", "text"] as const).map((name) => (
            <label key={name}>
              <input type="radio" name="kind" checked={kind === name} onChange={() => setKind(name)} />
              {name === "url" ? "A web page or PDF" : "A text"}
            </label>
          ))}
        </fieldset>
        {kind === "url" ? (
          <label>
            Address
            <input name="content" type="url" placeholder="https://" required />
          </label>
        ) : (
          <>
            <label>
              Title
              <input name="title" maxLength={200} />
            </label>
            <label>
              Text
              <textarea name="content" rows={6} required />
            </label>
          </>
        )}
        {error && <Problem error={error} />}
        <button type="submit" class="primary" disabled={adding}>
          {adding ? "Adding …" : "Add"}
        </button>
      </form>
    </details>
  );
}
