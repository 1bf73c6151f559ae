import { existsSync, readFileSync } from "node:fs";
import { moduleUrl } from "../kernel/module-url.js";

interface AppRow {
  tool: string;
  uri: string;
  file: string;
  title: string;
  description: string;
}

const APPS: readonly AppRow[] = [
  row("search_library", "search", "Search results", "Hits marked in context, with where each comes from."),
  row("ask", "ask", "Answer with its passages", "An answer whose marks open the cited passage."),
  row("get_daily_review", "review", "Daily review", "Today's highlights, one after the other."),
];

function row(tool: string, name: string, title: string, description: string): AppRow {
  return { tool, uri: `ui://bookwheel/${name}`, file: `./page/apps/${name}.html`, title, description };
}

const kept = new Map<string, string | undefined>();

/** The URI of the view for a tool; undefined if it has none, or none was built. */
export function appFor(tool: string): string | undefined {
  const uri = APPS.find((app) => app.tool === tool)?.uri;
  return uri !== undefined && readApp(uri) !== undefined ? uri : undefined;
}

/** The view itself: one HTML file that loads nothing. */
export function readApp(uri: string): string | undefined {
  if (!kept.has(uri)) {
    const app = APPS.find((candidate) => candidate.uri === uri);
    const file = app && moduleUrl(app.file, import.meta.url);
    kept.set(uri, file && existsSync(file) ? readFileSync(file, "utf8") : undefined);
  }
  return kept.get(uri);
}

export function listApps(offered: { has(tool: string): boolean }) {
  return APPS.filter(({ tool }) => offered.has(tool) && appFor(tool) !== undefined).map(
    ({ tool, uri, title, description }) => ({ uri, name: `app-${tool}`, title, description }),
  );
}
