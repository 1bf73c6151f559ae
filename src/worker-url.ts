/**
 * The address a worker thread can load: next to `base` when compiled, under `dist/` when the caller itself runs from
 * TypeScript source (tests).
 */
export function moduleUrl(path: string, base: string): URL {
  const url = new URL(path, base);
  if (!base.endsWith(".ts")) return url;
  return new URL(url.href.replace("/src/", "/dist/").replace(/\.ts$/, ".js"));
}
