import type { ComponentChildren } from "preact";
import type { Route } from "./address.js";
import type { IconName } from "./icons.js";
import { lazyView } from "./lazy-view.js";
import { offers } from "./server/connection.js";
import { DocumentView } from "./views/document.js";
import { NotebooksView, NotebookView } from "./views/notebooks.js";
import { PassageView, ProjectDocumentView } from "./views/passage.js";
import { ProjectsView, ProjectView } from "./views/projects.js";
import { QueueView } from "./views/queue.js";
import { SearchView } from "./views/search.js";
import { SourcesView, SourceView } from "./views/sources.js";
import { LOCATIONS } from "./views/triage.js";

export interface Door {
  name: string;
  title: string;
  icon?: IconName;
  /** Its position in the list of views; without one only links lead to it. */
  group?: "read" | "write" | "places" | "machine";
  /** One of the few that are shown at the foot of a narrow screen. */
  tab?: true;
  /** A view whose tools are switched off is not listed. */
  needs: readonly string[];
  /** The setting that switches them on. */
  setting?: string;
  view(route: Route): ComponentChildren;
}

const READER = "READWISE_PROFILES=readwise,reader,write";
const SHELVES = "BOOKWHEEL_SHELVES=readwise,notebooks,chunks";

const DraftView = lazyView(async () => (await import("./draft/draft-view.js")).DraftView);
const QuoteView = lazyView(async () => (await import("./views/quote.js")).QuoteView);
const ToolsView = lazyView(async () => (await import("./views/tools.js")).ToolsView);
const StatusView = lazyView(async () => (await import("./views/status.js")).StatusView);

export const DOORS: readonly Door[] = [
  { name: "", title: "Search", icon: "search", group: "read", tab: true, needs: [], view: () => <SearchView /> },
  {
    name: "queue",
    title: "Queue",
    icon: "queue",
    group: "read",
    tab: true,
    needs: ["list_documents"],
    setting: READER,
    view: ({ path }) => <QueueView location={LOCATIONS.find(({ name }) => name === path[1])?.name ?? "new"} />,
  },
  {
    name: "sources",
    title: "Library",
    icon: "library",
    group: "read",
    tab: true,
    needs: ["list_sources", "get_source", "list_highlights"],
    setting: READER,
    view: ({ path }) => (path[1] ? <SourceView key={path[1]} id={path[1]} /> : <SourcesView />),
  },
  {
    name: "notebooks",
    title: "Notebooks",
    icon: "notebook",
    group: "places",
    tab: true,
    needs: ["list_notebooks", "list_notebook_sources", "ask"],
    setting: SHELVES,
    view: ({ path }) => (path[1] ? <NotebookView key={path[1]} id={path[1]} /> : <NotebooksView />),
  },
  {
    name: "projects",
    title: "Projects",
    icon: "project",
    group: "places",
    needs: ["list_projects", "inspect_collection"],
    setting: SHELVES,
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
  {
    name: "draft",
    title: "Check a draft",
    icon: "draft",
    group: "write",
    needs: ["check_draft"],
    setting: SHELVES,
    view: () => <DraftView />,
  },
  {
    name: "quote",
    title: "Check a quotation",
    icon: "quote",
    group: "write",
    needs: ["verify_quote"],
    setting: SHELVES,
    view: () => <QuoteView />,
  },
  {
    name: "tools",
    title: "Tools",
    icon: "tools",
    group: "machine",
    needs: [],
    view: ({ path }) => <ToolsView name={path[1]} />,
  },
  { name: "status", title: "Status", icon: "status", group: "machine", needs: [], view: () => <StatusView /> },
  {
    name: "documents",
    title: "Document",
    needs: ["get_document"],
    setting: READER,
    view: ({ path }) => <DocumentView key={path[1]} id={path[1] ?? ""} />,
  },
];

export const isOffered = ({ needs, group }: Door): boolean => group !== undefined && offers(...needs);
