import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { CommandBox, listenForCommandKey, openCommandBox } from "./command-box.js";
import { Help, openHelp } from "./help.js";
import { href } from "./href.js";
import { KeyNote, TokenDialog } from "./key-dialog.js";
import { dismiss, notices } from "./notices.js";
import { Problem, Waiting } from "./reading/states.js";
import { go, type Route, returned, route } from "./routes.js";
import { loadTools, offers, tools, unreachable } from "./server/connection.js";
import { keys } from "./server/keys.js";
import { onShortcut } from "./shortcuts.js";
import { setTheme, THEMES, type Theme, theme } from "./theme.js";
import { openName } from "./view-name.js";
import { AddDialog, addToReading, canAdd, listenForDrops, type Target } from "./views/add-dialog.js";
import { DocumentView } from "./views/document.js";
import { NotebooksView, NotebookView } from "./views/notebooks.js";
import { PassageView, ProjectDocumentView } from "./views/passage.js";
import { ProjectsView, ProjectView } from "./views/projects.js";
import { QueueView } from "./views/queue.js";
import { QuoteView } from "./views/quote.js";
import { SearchView } from "./views/search.js";
import { SourcesView, SourceView } from "./views/sources.js";
import { StatusView } from "./views/status.js";
import { ToolsView } from "./views/tools.js";
import { LOCATIONS } from "./views/triage.js";

interface Door {
  name: string;
  title: string;
  /** A view whose tools are not on offer does not appear. */
  needs: readonly string[];
  /** The setting that puts them on offer. */
  setting?: string;
  view(route: Route): ComponentChildren;
}

const DOORS: readonly Door[] = [
  { name: "", title: "Search", needs: [], view: () => <SearchView /> },
  {
    name: "queue",
    title: "Queue",
    needs: ["list_documents"],
    setting: "READWISE_PROFILES=readwise,reader,write",
    view: ({ path }) => <QueueView location={LOCATIONS.find(({ name }) => name === path[1])?.name ?? "new"} />,
  },
  {
    name: "sources",
    title: "Library",
    needs: ["list_sources", "get_source", "list_highlights"],
    setting: "READWISE_PROFILES=readwise,reader,write",
    view: ({ path }) => (path[1] ? <SourceView key={path[1]} id={path[1]} /> : <SourcesView />),
  },
  {
    name: "notebooks",
    title: "Notebooks",
    needs: ["list_notebooks", "list_notebook_sources", "ask"],
    setting: "BOOKWHEEL_SHELVES=readwise,notebooks,chunks",
    view: ({ path }) => (path[1] ? <NotebookView key={path[1]} id={path[1]} /> : <NotebooksView />),
  },
  {
    name: "projects",
    title: "Projects",
    needs: ["list_projects", "inspect_collection"],
    setting: "BOOKWHEEL_SHELVES=readwise,notebooks,chunks",
    view: ({ path }) =>
      path[1] && path[2] === "passages" && path[3] ? (
        <PassageView key={path[3]} project={path[1]} chunk={path[3]} />
      ) : path[1] && path[2] === "documents" && path[3] ? (
        <ProjectDocumentView key={path[3]} project={path[1]} source={path[3]} />
      ) : path[1] ? (
        <ProjectView key={path[1]} id={path[1]} />
      ) : (
        <ProjectsView />
      ),
  },
  { name: "tools", title: "Tools", needs: [], view: ({ path }) => <ToolsView name={path[1]} /> },
  { name: "status", title: "Status", needs: [], view: () => <StatusView /> },
];
const HIDDEN: readonly Door[] = [
  {
    name: "quote",
    title: "Check a quotation",
    needs: ["verify_quote"],
    setting: "BOOKWHEEL_SHELVES=readwise,notebooks,chunks",
    view: () => <QuoteView />,
  },
  {
    name: "documents",
    title: "Document",
    needs: ["get_document"],
    setting: "READWISE_PROFILES=readwise,reader,write",
    view: ({ path }) => <DocumentView key={path[1]} id={path[1] ?? ""} />,
  },
];

export function Shell() {
  const held = keys.value;
  const current = route.value.path[0] ?? "";
  const door = [...DOORS, ...HIDDEN].find(({ name }) => name === current);

  useEffect(() => {
    if (unreachable.value) void loadTools();
  }, [held]);
  useEffect(() => onShortcut({ "/": focusSearch, "?": openHelp }), []);
  useEffect(listenForCommandKey, []);
  useEffect(() => listenForDrops(openPlace), []);
  // On a narrow screen the row of doors scrolls: the open one stays in sight.
  useEffect(() => {
    document.querySelector(".masthead nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current, tools.value]);

  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <header class="masthead">
        <a class="brand" href={href([])}>
          <Wheel />
          Bookwheel
        </a>
        <nav aria-label="Shelves">
          {DOORS.filter(({ needs }) => offers(...needs)).map(({ name, title }) => (
            <a key={name} href={href(name ? [name] : [])} aria-current={name === current ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <div class="controls">
          {canAdd() && (
            <button
              type="button"
              class="quiet"
              onClick={() => addToReading({ files: [], links: [], into: openPlace() })}
            >
              Add
            </button>
          )}
          <button type="button" class="quiet" onClick={openCommandBox} title="Search, ask, go to or do">
            <kbd>{/Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl"} K</kbd>
            <span class="sr-only">Search, ask, go to or do</span>
          </button>
          <ThemeSwitch />
          <button type="button" class="quiet" onClick={openHelp} aria-label="Help and keyboard shortcuts">
            ?
          </button>
        </div>
      </header>
      <Main name={`${door?.title ?? "Not found"}`} path={route.value.path.join("/")}>
        <Content door={door} />
      </Main>
      <footer class="colophon">
        <KeyNote />
        <p>
          This page is an MCP client of <code>/mcp</code>; whatever it does, your assistant can do.
        </p>
      </footer>
      <Notices />
      <TokenDialog />
      <Help />
      <CommandBox />
      <AddDialog />
    </>
  );
}

function Content({ door }: { door: Door | undefined }) {
  if (unreachable.value)
    return <Problem error={{ code: "unreachable", message: unreachable.value }} retry={() => void loadTools()} />;
  if (!tools.value) return <Waiting />;
  if (!door)
    return (
      <div class="view narrow">
        <h1>Not here</h1>
        <p>
          There is no such view. <a href={href([])}>Back to the search</a>
        </p>
      </div>
    );
  if (!offers(...door.needs))
    return (
      <div class="view narrow">
        <h1>{door.title} is switched off</h1>
        <p>The server does not offer it yet. Start it with this line to switch it on:</p>
        <pre class="code">
          <code>{door.setting} bookwheel serve</code>
        </pre>
        <p>
          <a href={href([])}>Back to the search</a>
        </p>
      </div>
    );
  return <>{door.view(route.value)}</>;
}

/** Where a new view begins, focus goes to it and the title says its name, as when a page is loaded. */
function Main({ name, path, children }: { name: string; path: string; children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = [openName.value, name === "Search" ? undefined : name, "Bookwheel"].filter(Boolean).join(" · ");
  }, [name, openName.value]);
  useEffect(() => {
    if (first.current) first.current = false;
    else {
      scrollTo(0, returned.value ?? 0);
      if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    }
  }, [name, path]);
  return (
    <main id="main" ref={main} tabIndex={-1}>
      {children}
    </main>
  );
}

const THEME_NAMES: Record<Theme, string> = { system: "As the system has it", light: "Light", dark: "Dark" };

function ThemeSwitch() {
  return (
    <fieldset class="theme-switch">
      <legend class="sr-only">Colours</legend>
      {THEMES.map((name) => (
        <label key={name} title={THEME_NAMES[name]}>
          <input type="radio" name="theme" checked={theme.value === name} onChange={() => setTheme(name)} />
          <span class="sr-only">{THEME_NAMES[name]}</span>
          <span aria-hidden="true">{name === "system" ? "◐" : name === "light" ? "☀" : "☾"}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, tone, action }) => (
        <p key={id} class={tone}>
          <bdi>{text}</bdi>
          {action && (
            <button
              type="button"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="close" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}

/** The notebook or project that is open, where something dropped on the page belongs. */
function openPlace(): Target | undefined {
  const [view, id] = route.value.path;
  if (!id) return undefined;
  if (view === "notebooks") return { kind: "notebook", id };
  return view === "projects" ? { kind: "project", id } : undefined;
}

function focusSearch(): void {
  const box = document.getElementById("query");
  if (box) box.focus();
  else go(href([]));
}

function Wheel() {
  const spokes = [0, 45, 90, 135, 180, 225, 270, 315];
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" class="wheel">
      <circle cx="16" cy="16" r="11" />
      <circle cx="16" cy="16" r="2.4" />
      {spokes.map((turn) => (
        <g key={turn} transform={`rotate(${turn} 16 16)`}>
          <path d="M16 13.6V5" />
          <path d="M12.8 3.6q1.6-.7 3.2.6q1.6-1.3 3.2-.6" />
        </g>
      ))}
    </svg>
  );
}
