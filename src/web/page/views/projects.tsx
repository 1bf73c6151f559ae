import { useEffect, useState } from "preact/hooks";
import type { Guide } from "../../../shelves/notebooks/notebook-backend.js";
import { href } from "../href.js";
import { HitList } from "../reading/hits.js";
import { Section } from "../reading/section.js";
import { plural, SmallPrint } from "../reading/small-print.js";
import { Awaited, Empty, Problem, Waiting } from "../reading/states.js";
import { restate, route } from "../routes.js";
import { offers, takes } from "../server/connection.js";
import { contentsOf, leaving } from "../server/deleting.js";
import { type Found, searchProject } from "../server/searching.js";
import { useAnswer } from "../server/use-answer.js";
import { onEscape } from "../shortcuts.js";
import { nameView } from "../view-name.js";
import { AskBox } from "./ask-box.js";
import { suggestions, wantsGuide } from "./notebooks.js";
import { addToReading, canAdd, NEW } from "./pile.js";
import { ProjectActions } from "./place-actions.js";
import { NewPlace, PLACE_WORDS, PlaceList } from "./place-list.js";
import { type DocumentRecord, RecordEditor } from "./record-editor.js";
import { type Opened, SourceText } from "./source-text.js";
import { SyncButton } from "./sync-button.js";
import { firstHit, useHitKeys } from "./use-hit-keys.js";

interface Project {
  id: string;
  /** Set if its name differs from its id. */
  name?: string;
  embed_model: string;
  hybrid_enabled: boolean;
  description?: string | null;
}

export function ProjectsView() {
  const answer = useAnswer<{ projects: Project[] }>("list_projects", {});
  return (
    <div class="view">
      <h1>Projects</h1>
      <p class="lede">{PLACE_WORDS.project}</p>
      <Awaited answer={answer}>
        {({ projects }) => (
          <PlaceList
            kind="project"
            count={projects.length}
            list={projects.map(({ id, name = id, description, hybrid_enabled }) => ({
              id,
              name,
              about: description,
              parts: [hybrid_enabled ? "searched by words and meaning" : "searched by meaning only"],
            }))}
          >
            No project yet. Drop files or a folder anywhere on this page, or{" "}
            <button type="button" class="link" onClick={() => addToReading({ into: { kind: "project", id: NEW } })}>
              choose them
            </button>
            .
          </PlaceList>
        )}
      </Awaited>
      {offers("create_project") && <NewPlace kind="project" example="thesis" />}
    </div>
  );
}

interface Inspection {
  size: number;
  hybrid_enabled: boolean;
  languages?: string[];
  document_count?: number;
  documents?: DocumentRecord[];
}

export function ProjectView({ id }: { id: string }) {
  const inspection = useAnswer<Inspection>("inspect_collection", { project: id, ...wantsDocuments() });
  const listed = useAnswer<{ projects: Project[] }>("list_projects", {});
  const settings = listed.data?.projects.find((project) => project.id === id);
  const name = settings?.name ?? id;
  useEffect(() => nameView(name), [name]);
  const description = settings?.description;
  const asking = route.value.query.has("ask") || route.value.query.has("answer") || route.value.query.has("asking");
  const guide = useAnswer<Partial<Guide>>(
    "get_notebook",
    asking && offers("get_notebook") ? { notebook_id: id, ...wantsGuide() } : undefined,
  );
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => (opened ? onEscape(() => setOpened(undefined)) : undefined), [opened]);
  const emptied = leaving.value.has(contentsOf(id));
  return (
    <div class={opened ? "view with-reader" : "view narrow"}>
      <div>
        <header class="title-page">
          <h1 dir="auto">{name}</h1>
          {description && <p class="summary">{description}</p>}
          {inspection.data && (
            <SmallPrint
              parts={[
                name !== id && id,
                inspection.data.document_count !== undefined && plural(inspection.data.document_count, "document"),
                plural(inspection.data.size, "passage"),
                inspection.data.languages?.map(languageName).join(", "),
              ]}
            />
          )}
          {inspection.data && (
            <div class="row place-actions">
              {canAdd() && (
                <button type="button" class="quiet" onClick={() => addToReading({ into: { kind: "project", id } })}>
                  Add files
                </button>
              )}
              <SyncButton project={id} onDone={inspection.reload} />
              {settings && (
                <ProjectActions
                  id={id}
                  name={name}
                  size={inspection.data.size}
                  documents={inspection.data.document_count ?? 0}
                  settings={settings}
                  onChange={() => {
                    inspection.reload();
                    listed.reload();
                  }}
                />
              )}
            </div>
          )}
        </header>
        {offers("ask") && (
          <nav class="chips" aria-label="What to do">
            <a href={href(["projects", id])} aria-current={asking ? undefined : "true"}>
              Search
            </a>
            <a href={href(["projects", id], { asking: "yes" })} aria-current={asking ? "true" : undefined}>
              Ask
            </a>
          </nav>
        )}
        {inspection.error && <Problem error={inspection.error} retry={inspection.reload} />}
        {asking ? (
          <AskBox
            notebook={id}
            path={["projects", id]}
            what="project"
            suggested={suggestions(guide.data, inspection.data?.size ?? 0)}
            open={opened?.mark}
            onCite={offers("get_source_text") ? setOpened : undefined}
          />
        ) : (
          <ProjectSearch project={id} hybrid={inspection.data?.hybrid_enabled ?? true} />
        )}
        {offers("verify_quote") && (
          <p>
            <a href={href(["quote"], { project: id })}>Check a quotation</a> against this project.
          </p>
        )}
        {inspection.data && (inspection.data.size === 0 || emptied) && (
          <Empty>Nothing in it yet. Drop files or a folder here, or bring your Readwise library in.</Empty>
        )}
        {inspection.data?.documents && inspection.data.size > 0 && !emptied && (
          <Section id="documents" title="Documents">
            <ul class="lines">
              {inspection.data.documents.map((document) => (
                <li key={document.id}>
                  <a href={href(["projects", id, "documents", document.id])} dir="auto">
                    {document.title}
                  </a>
                  <SmallPrint
                    parts={[
                      document.author,
                      document.year,
                      document.citekey && `@${document.citekey}`,
                      document.kind,
                      plural(document.chunk_count, "passage"),
                    ]}
                  />
                  {offers("update_document_record") && (
                    <details class="edit-record">
                      <summary>
                        Edit the record<span class="sr-only"> of {document.title}</span>
                      </summary>
                      <RecordEditor
                        key={JSON.stringify(document)}
                        project={id}
                        record={document}
                        onSaved={inspection.reload}
                      />
                    </details>
                  )}
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
      {opened && <SourceText notebook={id} opened={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

function wantsDocuments(): { documents?: true } {
  return takes("inspect_collection", "documents") ? { documents: true } : {};
}

function ProjectSearch({ project, hybrid }: { project: string; hybrid: boolean }) {
  const query = route.value.query.get("q") ?? "";
  const [typed, setTyped] = useState(query);
  useHitKeys();
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    setFound(undefined);
    if (!query) return;
    const leaving = new AbortController();
    void searchProject({ id: project, hybrid_enabled: hybrid }, query, leaving.signal, 12).then((answer) => {
      if (!leaving.signal.aborted) setFound(answer);
    });
    return () => leaving.abort();
  }, [project, hybrid, query]);
  return (
    <search>
      <form
        class="search-box"
        onSubmit={(event) => {
          event.preventDefault();
          restate(href(["projects", project], { q: typed.trim() }));
        }}
      >
        <label class="sr-only" for="query">
          Search this project by words and meaning
        </label>
        <input
          id="query"
          type="search"
          autocomplete="off"
          placeholder="Search this project"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={firstHit}
        />
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      <p class="status-line" role="status">
        {found ? plural(found.hits.length, "passage") : ""}
      </p>
      {query && !found && <Waiting />}
      {found?.failures.map((error) => (
        <Problem key={error.code} error={error} />
      ))}
      {found && found.hits.length > 0 && <HitList hits={found.hits} query={query} />}
      {found && found.hits.length === 0 && found.failures.length === 0 && <Empty>No passage comes near.</Empty>}
    </search>
  );
}

/** The name of a language in English, as the rest of the page is. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;
  } catch {
    return code; // not a code that the browser knows
  }
}
