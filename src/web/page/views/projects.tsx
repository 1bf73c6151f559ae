import { useEffect, useState } from "preact/hooks";
import { href } from "../href.js";
import { HitList } from "../reading/hits.js";
import { plural, SmallPrint } from "../reading/small-print.js";
import { Awaited, Empty, Problem, Waiting } from "../reading/states.js";
import { restate, route } from "../routes.js";
import { offers, takes } from "../server/connection.js";
import { type Found, searchProject } from "../server/searching.js";
import { useAnswer } from "../server/use-answer.js";
import { nameView } from "../view-name.js";
import { addToReading } from "./add-dialog.js";
import { firstHit, useHitKeys } from "./use-hit-keys.js";

interface Project {
  id: string;
  embed_model: string;
  hybrid_enabled: boolean;
  description?: string | null;
}

export function ProjectsView() {
  const answer = useAnswer<{ projects: Project[] }>("list_projects", {});
  return (
    <div class="view">
      <h1>Projects</h1>
      <Awaited answer={answer}>
        {({ projects }) => (
          <>
            <p class="status-line" role="status">
              {plural(projects.length, "project")}
            </p>
            {projects.length === 0 && (
              <Empty>
                No project yet. Drop files or a folder anywhere on this page, or{" "}
                <button
                  type="button"
                  class="link"
                  onClick={() => addToReading({ files: [], links: [], into: { kind: "project", id: "new:" } })}
                >
                  choose them
                </button>
                .
              </Empty>
            )}
            <ul class="shelf">
              {projects.map((project) => (
                <li key={project.id}>
                  <a href={href(["projects", project.id])}>
                    <strong dir="auto">{project.id}</strong>
                  </a>
                  {project.description && <p>{project.description}</p>}
                  <SmallPrint
                    parts={[project.hybrid_enabled ? "words and meaning" : "meaning only", project.embed_model]}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </Awaited>
    </div>
  );
}

interface Inspection {
  size: number;
  hybrid_enabled: boolean;
  languages?: string[];
  document_count?: number;
  documents?: { id: string; title: string; citekey: string | null; kind: string; chunk_count: number }[];
}

export function ProjectView({ id }: { id: string }) {
  const inspection = useAnswer<Inspection>("inspect_collection", { project: id, ...wantsDocuments() });
  const listed = useAnswer<{ projects: Project[] }>("list_projects", {});
  useEffect(() => nameView(id), [id]);
  const description = listed.data?.projects.find((project) => project.id === id)?.description;
  return (
    <div class="view narrow">
      <header class="title-page">
        <h1 dir="auto">{id}</h1>
        {description && <p class="summary">{description}</p>}
        {inspection.data && (
          <SmallPrint
            parts={[
              inspection.data.document_count !== undefined && plural(inspection.data.document_count, "document"),
              plural(inspection.data.size, "passage"),
              inspection.data.languages?.join(", "),
            ]}
          />
        )}
      </header>
      {inspection.error && <Problem error={inspection.error} retry={inspection.reload} />}
      <ProjectSearch project={id} hybrid={inspection.data?.hybrid_enabled ?? true} />
      {offers("verify_quote") && (
        <p>
          <a href={href(["quote"], { project: id })}>Check a quotation</a> against this project.
        </p>
      )}
      {inspection.data?.documents && (
        <section aria-labelledby="documents">
          <h2 id="documents" class="ornament">
            Documents
          </h2>
          <ul class="lines">
            {inspection.data.documents.map((document) => (
              <li key={document.id}>
                <a href={href(["projects", id, "documents", document.id])} dir="auto">
                  {document.title}
                </a>
                <SmallPrint
                  parts={[
                    document.citekey && `@${document.citekey}`,
                    document.kind,
                    plural(document.chunk_count, "passage"),
                  ]}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
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
          placeholder="Search by words and meaning"
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
