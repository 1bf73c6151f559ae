/**
 * The compiled form of a module that is not imported but loaded by address (a worker, the sandbox): next to `base` when
 * compiled, under `dist/` when the caller itself runs from TypeScript source, as in tests.
 */
export function moduleUrl(path: string, base: string): URL {
  const url = new URL(path, base);
  if (!base.endsWith(".ts")) return url;
  const source = url.href.lastIndexOf("/src/");
  return new URL(
    `${url.href.slice(0, source)}/dist/${url.href.slice(source + "/src/".length).replace(/\.ts$/, ".js")}`,
  );
}
