import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Services } from "../app/services.js";
import { callTool, type Outcome } from "../catalog/call-tool.js";
import type { Caller, Progress } from "../catalog/context.js";
import type { Tool } from "../catalog/define-tool.js";
import { type DoorName, type Enabled, inNamesOf, type Listing, listTools } from "../catalog/doors.js";
import { nearest } from "../kernel/edit-distance.js";
import { lazyParts } from "../kernel/once.js";
import { APP_MIME_TYPE, type Apps, appContents, showsApps, UI_EXTENSION } from "./apps.js";
import { instructionsFor } from "./instructions.js";
import { getPrompt, listPrompts } from "./prompts.js";
import { listResources, readResource, resourceTemplates } from "./resources.js";
import { type ClientHints, clientHints } from "./tool-search.js";

/** What a connection or request may see, and its caller. */
export interface RequestScope {
  door: DoorName;
  enabled: Enabled;
  caller: Caller;
}

export interface CatalogServer {
  /** One MCP server instance for one request or connection; the lists inside are made once per door and profile set. */
  serve(scope: RequestScope): Server;
}

interface DoorTools {
  /** By the name this door shows, and by the catalog's own. */
  byName: ReadonlyMap<string, Tool>;
  offered: ReadonlyMap<string, Tool>;
  /** The answer of tools/list, and the same for a client that can show views: there a tool with a view has its URI. */
  lists: { readonly plain: Listed[]; readonly withApps: Listed[] };
  instructions: string;
  /** Puts this door's names of tools into a text. */
  inNames(text: string): string;
}

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: Tool["inputSchema"];
  outputSchema: Tool["outputSchema"];
  annotations: Tool["annotations"];
  _meta: ClientHints & { ui?: { resourceUri: string } };
}

/** Requests can narrow the tools in any way; the most combinations that are cached. */
const MOST_SCOPES = 64;

/** Speaks the catalog as MCP, in both protocol families. */
export function createCatalogServer({
  tools,
  services,
  version,
  apps,
}: {
  tools: readonly Tool[];
  services: Services;
  version: string;
  /** Views of answers, for clients that show such. */
  apps?: Apps | undefined;
}): CatalogServer {
  const made = new Map<string, DoorTools>();

  function toolsFor({ door, enabled }: RequestScope): DoorTools {
    const key = `${door}|${enabled.readOnly}|${[...enabled.profiles].join()}`;
    let offer = made.get(key);
    if (!offer) {
      const listings = listTools(tools, door, enabled);
      const inNames = inNamesOf(listings);
      const lists: DoorTools["lists"] = lazyParts({
        plain: () => listings.map((listing) => listingOf(listing, inNames)),
        withApps: () =>
          lists.plain.map((row, index) => {
            const resourceUri = apps?.appFor(listings[index]!.tool.name);
            return resourceUri ? { ...row, _meta: { ...row._meta, ui: { resourceUri } } } : row;
          }),
      });
      offer = {
        byName: new Map(listings.map(({ name, tool }) => [name, tool])),
        offered: new Map(listings.map(({ tool }) => [tool.name, tool])),
        lists,
        instructions: inNames(instructionsFor(listings)),
        inNames,
      };
      if (made.size >= MOST_SCOPES) made.clear();
      made.set(key, offer);
    }
    return offer;
  }

  return {
    serve(scope) {
      const offer = toolsFor(scope);
      const server = new Server(
        { name: "bookwheel", title: "Bookwheel", version },
        {
          capabilities: {
            tools: {},
            resources: {},
            prompts: {},
            ...(apps ? { extensions: { [UI_EXTENSION]: {} } } : {}),
          },
          instructions: offer.instructions,
          cacheHints: { "tools/list": { ttlMs: 300_000, cacheScope: "private" } },
        },
      );
      const contextOf = (ctx: ServerContext) => ({
        services,
        caller: scope.caller,
        signal: ctx.mcpReq.signal,
        progress: progressOf(ctx),
      });

      server.setRequestHandler("tools/list", (_request, ctx) => ({
        tools: apps && showsApps(server, ctx) ? offer.lists.withApps : offer.lists.plain,
      }));
      server.setRequestHandler("tools/call", async ({ params }, ctx) => {
        const tool = offer.byName.get(params.name);
        if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name, offer));
        const context = {
          ...contextOf(ctx),
          calledAs: params.name,
          inNames: offer.inNames,
          offered: [...offer.offered.values()],
        };
        return toResult(await callTool(tool, params.arguments, context));
      });
      server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts(offer.offered) }));
      server.setRequestHandler("prompts/get", ({ params }) =>
        getPrompt(params.name, params.arguments ?? {}, offer.offered),
      );
      server.setRequestHandler("resources/list", async (_request, ctx) => {
        const { resources } = await listResources(offer.offered, contextOf(ctx));
        const views = apps && showsApps(server, ctx) ? apps.listApps(offer.offered) : [];
        return { resources: [...resources, ...views.map((view) => ({ ...view, mimeType: APP_MIME_TYPE }))] };
      });
      server.setRequestHandler("resources/templates/list", () => ({
        resourceTemplates: resourceTemplates(offer.offered),
      }));
      server.setRequestHandler("resources/read", ({ params }, ctx) => {
        const view = apps?.readApp(params.uri);
        if (view !== undefined) return appContents(params.uri, view);
        return readResource(params.uri, offer.offered, contextOf(ctx));
      });
      return server;
    },
  };
}

const listingOf = ({ name, tool }: Listing, inNames: (text: string) => string): Listed => ({
  name,
  title: tool.title,
  description: inNames(tool.description),
  inputSchema: JSON.parse(inNames(JSON.stringify(tool.inputSchema))) as Tool["inputSchema"],
  outputSchema: tool.outputSchema,
  annotations: tool.annotations,
  _meta: clientHints(tool),
});

/** Structured content and the same JSON as text, for clients that read only one of them. */
function toResult(outcome: Outcome): CallToolResult {
  const structuredContent = outcome.ok ? outcome.data : { error: { ...outcome.error } };
  return {
    content: [{ type: "text", text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(outcome.ok ? {} : { isError: true }),
  };
}

function unknownTool(name: string, offer: DoorTools): string {
  const names = [...offer.byName.keys()];
  const sharing = names.filter((known) => known.split("_").some((part) => part.length > 3 && name.includes(part)));
  const near = [...new Set([...nearest(name, names), ...sharing])].slice(0, 5);
  const hint = near.length ? ` Similar: ${near.join(", ")}.` : "";
  return `Unknown tool '${name}', or its profile is not enabled here.${hint}`;
}

/** Progress is sent only to a caller that asked for it, and never after it has disconnected. */
function progressOf(ctx: ServerContext): Progress {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = -1;
  return (progress, total, message) => {
    if (progress <= last || ctx.mcpReq.signal.aborted) return;
    last = progress;
    const params = {
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    // A caller that left gets no more progress; its signal ends the call itself.
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
