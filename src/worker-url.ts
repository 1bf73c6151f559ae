/**
 * The compiled form of a module that is not imported but loaded by address (a worker thread, the sandbox): next to
 * `base` when compiled, under `dist/` when the caller itself runs from TypeScript source, as in tests.
 */
export function moduleUrl(path: string, base: string): URL {
  const url = new URL(path, base);
  if (!base.endsWith(".ts")) return url;
  return new URL(url.href.replace("/src/", "/dist/").replace(/\.ts$/, ".js"));
}
