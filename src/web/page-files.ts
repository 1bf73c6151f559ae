import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};

/**
 * Documents are hostile input: the browser runs and loads only files that this server serves, and the scripts in the
 * page's own HTML, by their hashes.
 */
const securityFor = (html: string) => ({
  "content-security-policy": `default-src 'none'; script-src ${["'self'", ...scriptHashes(html)].join(" ")}; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; trusted-types bookwheel-inert; require-trusted-types-for 'script'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
});

function scriptHashes(html: string): string[] {
  const scripts = html.split("<script").slice(1);
  const codes = scripts.map((part) => part.slice(part.indexOf(">") + 1, part.indexOf("</script>")));
  return codes.filter(Boolean).map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}

interface PageFile {
  type: string;
  etag: string;
  plain: Buffer;
  /** Undefined for formats that are compressed already. */
  packed: Buffer | undefined;
  /** Its name carries a hash of its content, so it never changes. */
  immutable: boolean;
}

/** Serves the built page from memory; returns false for any other path. Undefined if no page was built. */
export function pageFiles(
  folder: string,
): ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined {
  if (!existsSync(join(folder, "index.html"))) return undefined;
  const files = new Map(readFolder(folder));
  const security = securityFor(String(files.get("/index.html")?.plain ?? ""));
  return (request, response) => {
    const path = decode((request.url ?? "/").split("?", 1)[0]!);
    const file = files.get(path === "/" ? "/index.html" : path);
    if (!file) return false;
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return true;
    }
    const headers = {
      ...security,
      etag: file.etag,
      vary: "accept-encoding",
      "cache-control": file.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    };
    if (request.headers["if-none-match"] === file.etag) {
      response.writeHead(304, headers).end();
      return true;
    }
    const packed = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? "")) && file.packed;
    const body = packed || file.plain;
    response.writeHead(200, {
      ...headers,
      "content-type": file.type,
      "content-length": body.length,
      ...(packed ? { "content-encoding": "gzip" } : {}),
    });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
}

function* readFolder(folder: string): Generator<[string, PageFile]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const file = join(entry.parentPath, entry.name);
    const plain = readFileSync(file);
    const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
    yield [
      `/${relative(folder, file).split(sep).join("/")}`,
      {
        type,
        etag,
        plain,
        packed: /\.(png|woff2)$/.test(entry.name) ? undefined : gzipSync(plain),
        immutable: /-[\w-]{8}$/.test(basename(entry.name, extname(entry.name))),
      },
    ];
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a malformed escape matches no file
  }
}
