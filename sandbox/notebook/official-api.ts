import type { IncomingMessage, ServerResponse } from "node:http";
import type { Faults } from "./faults.js";
import { look, notebook, type SandboxNotebook, type SandboxSource, type SandboxState, source } from "./state.js";

/** The public preview API of the same notebooks: bearer token, pages, camelCase out. */
export function serveOfficialApi(
  request: IncomingMessage,
  url: URL,
  body: string,
  response: ServerResponse,
  { state, faults }: { state: SandboxState; faults: Faults },
) {
  const send = (status: number, value: unknown, headers: Record<string, string> = {}) => {
    response
      .writeHead(status, { "content-type": "application/json; charset=UTF-8", ...headers })
      .end(JSON.stringify(value));
  };
  const refuse = (code: number, status: string, message: string, reason?: string) =>
    send(code, { error: { code, status, message, ...(reason ? { details: [{ reason }] } : {}) } });

  const fault = faults.take("api");
  if (fault?.kind === "http")
    return send(fault.code, { error: { code: fault.code, status: "FAULT", message: "fault" } }, fault.headers);
  if (request.headers.authorization !== `Bearer ${state.apiToken}`)
    return refuse(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");

  const finish = (status: number, value: unknown) => {
    if (fault?.kind === "lost") response.destroy();
    else if (fault?.kind === "slow") setTimeout(() => send(status, value), fault.ms).unref();
    else send(status, value);
  };
  const notebooks = state.accounts[0] ?? [];
  const [, , , id, part, sourceId] = url.pathname.split("/");
  const input: Record<string, unknown> = body ? JSON.parse(body) : {};
  if (!id) {
    if (request.method === "GET") return finish(200, page(notebooks.map(notebookJson), "notebooks", url));
    const created = notebook({ title: String(input.display_name ?? input.displayName ?? "") });
    notebooks.push(created);
    return finish(200, notebookJson(created));
  }
  const found = notebooks.find((each) => each.id === id);
  if (!found) return refuse(404, "NOT_FOUND", "Requested entity was not found.");
  if (!part) {
    if (request.method === "PATCH") found.title = String(input.display_name ?? input.displayName ?? found.title);
    return finish(200, notebookJson(found));
  }
  if (request.method === "POST") {
    const added = fromInput(input, faults);
    if (!added) return refuse(400, "INVALID_ARGUMENT", "Request contains an invalid argument.");
    found.sources.push(added);
    return finish(200, sourceJson(found, added));
  }
  if (sourceId) {
    const one = found.sources.find((each) => each.id === sourceId);
    return one ? finish(200, sourceJson(found, one)) : refuse(404, "NOT_FOUND", "Requested entity was not found.");
  }
  return finish(
    200,
    page(
      look(found).map((each) => sourceJson(found, each)),
      "sources",
      url,
    ),
  );
}

function page(items: unknown[], name: string, url: URL): Record<string, unknown> {
  const size = Math.min(Number(url.searchParams.get("pageSize") ?? 50), 100);
  const start = Number(url.searchParams.get("pageToken") ?? 0);
  const next = start + size < items.length ? { nextPageToken: String(start + size) } : {};
  return { [name]: items.slice(start, start + size), ...next };
}

const iso = (sec: number): string => new Date(sec * 1000).toISOString();
const notebookJson = ({ id, title, created }: SandboxNotebook): unknown => ({
  name: `notebooks/${id}`,
  displayName: title,
  createTime: iso(created),
});

const MIME: Record<number, string> = {
  1: "application/vnd.google-apps.document",
  3: "application/pdf",
  4: "text/plain",
  5: "text/html",
  9: "video/vnd.youtube.yt",
};
const STATES: Record<number, string> = { 1: "PROCESSING", 2: "ACTIVE", 3: "FAILED", 5: "PROCESSING" };

function sourceJson(owner: SandboxNotebook, each: SandboxSource): unknown {
  return {
    name: `notebooks/${owner.id}/sources/${each.id}`,
    displayName: each.title,
    mimeType: each.mime ?? MIME[each.code],
    state: STATES[each.status],
    createTime: iso(each.added),
    ...(each.url ? { originalUrl: each.url } : {}),
    ...(each.status === 3 ? { error: { code: 3, message: "The page could not be read." } } : {}),
  };
}

function fromInput(input: Record<string, unknown>, faults: Faults): SandboxSource | undefined {
  const title = typeof input.display_name === "string" ? input.display_name : undefined;
  const plan = faults.sourcePlan;
  if (typeof input.text_content === "string" && typeof input.mime_type === "string")
    return source({
      title: title ?? "Untitled",
      text: input.text_content,
      status: plan?.[0] ?? 2,
      plan: plan?.slice(1) ?? [],
    });
  const web = input.web_content;
  const url = typeof web === "object" && web && "url" in web ? web.url : undefined;
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const code = /(^|\.)youtu(be\.com|\.be)$/.test(new URL(url).hostname) ? 9 : 5;
  return source({
    title: title ?? url,
    url,
    code,
    text: "A page.",
    status: plan?.[0] ?? 1,
    plan: plan?.slice(1) ?? [2],
  });
}
