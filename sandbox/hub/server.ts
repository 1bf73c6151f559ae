// A double of the model hub's read side: /api/models/… with sizes and hashes, /…/resolve/… with its redirects, and the
// host that hands out large files. Shapes, headers and codes are those of the hub.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HubModel {
  files: Readonly<Record<string, Uint8Array>>;
  gated?: false | "auto" | "manual";
  /** What the model card says this one was made from. */
  baseModel?: string;
  /** File names to list beside those that are there. */
  alsoListed?: readonly string[];
}

export interface HubFaults {
  /** Large files end in the middle after so many bytes, this many times. */
  cutAfter?: { bytes: number; times: number };
  /** The host of large files ignores Range. */
  wholeOnly?: boolean;
  /** Large files come with one bit turned. */
  damaged?: boolean;
  /** Where large files are said to be, instead of on their host. */
  elsewhere?: string;
  /** Answer of every request. */
  status?: number;
  /** Large files begin and never end. */
  endless?: boolean;
}

export interface HubRequest {
  host: "hub" | "files";
  path: string;
  authorization: string | undefined;
  range: string | undefined;
}

export interface HubSandbox {
  url: string;
  requests: HubRequest[];
  faults: HubFaults;
  /** The only token that opens gated models. */
  token: string;
  close(): Promise<void>;
}

const COMMIT = "614241f622f53c4eeff9890bdc4f31cfecc418b3";
const LARGE = /\.(onnx|onnx_data|safetensors|bin|model)$/;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const gitHash = (bytes: Uint8Array) => createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

export async function startHub(models: Readonly<Record<string, HubModel>>): Promise<HubSandbox> {
  const requests: HubRequest[] = [];
  const token = "hf_sandbox";
  const faults: HubFaults = {};
  const seen = (host: HubRequest["host"], request: IncomingMessage) =>
    requests.push({
      host,
      path: request.url ?? "/",
      authorization: request.headers.authorization,
      range: request.headers.range,
    });

  const files = createServer((request, response) => {
    seen("files", request);
    const [, org, name, ...path] = new URL(request.url ?? "/", "http://files").pathname
      .split("/")
      .map(decodeURIComponent);
    const bytes = models[`${org}/${name}`]?.files[path.join("/")];
    if (!bytes) return void response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    handOut(bytes, request, response, faults);
  });
  const filesUrl = await listen(files);

  const hub = createServer((request, response) => {
    seen("hub", request);
    if (faults.status) return void response.writeHead(faults.status, { "retry-after": "17" }).end();
    const url = new URL(request.url ?? "/", "http://hub");
    const given = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1];
    if (given !== undefined && given !== token)
      return refuse(response, 401, undefined, "Invalid credentials in Authorization header");
    const api = /^\/api\/models\/([^/]+\/[^/]+)(?:\/revision\/([^/]+))?$/.exec(url.pathname);
    const cached = /^\/api\/resolve-cache\/models\/([^/]+\/[^/]+)\/([^/]+)\/(.+)$/.exec(url.pathname);
    const resolved = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(url.pathname);
    const name = (api ?? cached ?? resolved)?.[1];
    const model = name === undefined ? undefined : models[name];
    // To strangers a model that is missing looks like one that is private.
    if (!name || !model) return refuse(response, given ? 404 : 401, "RepoNotFound", "Repository not found");
    const revision = (api ?? cached ?? resolved)?.[2] ?? "main";
    if (![COMMIT, "main"].includes(revision))
      return refuse(response, 404, "RevisionNotFound", `Invalid rev id: ${revision}`);
    if (api) return send(response, 200, describe(name, model, url.searchParams.get("blobs") === "true"));

    const path = decodeURIComponent((cached ?? resolved)![3]!);
    const bytes = model.files[path];
    if (!bytes) return refuse(response, 404, "EntryNotFound", "Entry not found");
    if (model.gated && given === undefined)
      return refuse(
        response,
        401,
        "GatedRepo",
        `Access to model ${name} is restricted. You must have access to it and be authenticated to access it. Please log in.`,
      );
    if (cached) return handOut(bytes, request, response, {});
    if (!LARGE.test(path)) {
      response.writeHead(307, {
        location: `/api/resolve-cache/models/${name}/${COMMIT}/${path}?etag=%22${gitHash(bytes)}%22`,
        "x-repo-commit": COMMIT,
        etag: `"${gitHash(bytes)}"`,
      });
      return void response.end("Temporary Redirect");
    }
    response.writeHead(302, {
      location: faults.elsewhere ?? `${filesUrl}/${name}/${path}?Expires=1781098782&Policy=eyJ&Signature=abc`,
      "x-repo-commit": COMMIT,
      "x-linked-size": String(bytes.length),
      "x-linked-etag": `"${sha256(bytes)}"`,
      "accept-ranges": "bytes",
    });
    response.end("Found");
  });
  const url = await listen(hub);
  return {
    url,
    requests,
    faults,
    token,
    async close() {
      await Promise.all([close(hub), close(files)]);
    },
  };
}

function describe(
  name: string,
  { files, gated = false, baseModel, alsoListed = [] }: HubModel,
  blobs: boolean,
): object {
  const facts = (bytes: Uint8Array, path: string) => ({
    size: bytes.length,
    blobId: gitHash(bytes),
    ...(LARGE.test(path) ? { lfs: { sha256: sha256(bytes), size: bytes.length, pointerSize: 134 } } : {}),
  });
  const listed = [...Object.entries(files), ...alsoListed.map((path) => [path, Buffer.from("x")] as const)];
  return {
    _id: "64925b8c3d2f2ad1d0e2dc3a",
    id: name,
    private: false,
    pipeline_tag: "sentence-similarity",
    library_name: "sentence-transformers",
    tags: ["sentence-transformers", "onnx", "sentence-similarity", "license:mit"],
    downloads: 3_141_592,
    likes: 265,
    modelId: name,
    author: name.split("/")[0],
    sha: COMMIT,
    lastModified: "2025-02-17T03:22:05.000Z",
    gated,
    disabled: false,
    cardData: { license: "mit", ...(baseModel ? { base_model: baseModel } : {}) },
    siblings: listed.map(([path, bytes]) => ({ rfilename: path, ...(blobs ? facts(bytes, path) : {}) })),
    createdAt: "2023-06-30T07:31:03.000Z",
  };
}

function handOut(bytes: Uint8Array, request: IncomingMessage, response: ServerResponse, faults: HubFaults): void {
  const asked = faults.wholeOnly ? undefined : /^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1];
  const from = Number(asked ?? 0);
  if (from > 0 && from >= bytes.length)
    return void response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
  const part = Buffer.from(bytes.subarray(from));
  if (faults.damaged && part.length > 0) part[part.length - 1]! ^= 1;
  response.writeHead(asked === undefined ? 200 : 206, {
    "content-type": "application/octet-stream",
    "content-length": part.length,
    "accept-ranges": "bytes",
    ...(asked === undefined ? {} : { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  });
  if (faults.endless) return void response.write(part.subarray(0, 1));
  const cut = faults.cutAfter;
  if (!cut || cut.times <= 0 || part.length <= cut.bytes) return void response.end(part);
  cut.times--;
  response.write(part.subarray(0, cut.bytes), () => setTimeout(() => response.destroy(), 20));
}

function refuse(response: ServerResponse, status: number, code: string | undefined, message: string): void {
  response.setHeader("x-error-message", message);
  if (code) response.setHeader("x-error-code", code);
  send(response, status, {
    error: status === 401 && code === "RepoNotFound" ? "Invalid username or password." : message,
  });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}
