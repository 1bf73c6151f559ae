import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type Plugin, type UserConfig } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const outDir = fileURLToPath(new URL("../../../dist/web/page", import.meta.url));
const APPS = ["search", "ask", "review"];

const language: UserConfig = {
  root,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
};
const target = ["chrome125", "firefox126", "safari17.5"];

/** Views for MCP hosts, each one self-contained HTML file, because a host shows it in a sandboxed frame. */
function singleFileApps(): Plugin {
  return {
    name: "single-file-apps",
    apply: "build",
    async generateBundle() {
      const template = await readFile(join(root, "apps/frame.html"), "utf8");
      for (const app of APPS)
        this.emitFile({ type: "asset", fileName: `apps/${app}.html`, source: await singleFile(app, template) });
    },
  };
}

async function builtApart(file: string, format: "es" | "iife") {
  const built = await build({
    ...language,
    configFile: false,
    logLevel: "warn",
    build: { target, write: false, rollupOptions: { input: join(root, file), output: { format } } },
  });
  const [result] = [built].flat();
  if (!result || !("output" in result)) throw new Error(`${file} was not built`);
  return result.output;
}

async function singleFile(app: string, template: string): Promise<string> {
  const output = await builtApart(`apps/${app}.tsx`, "es");
  const inlined = (ending: string, tag: string) =>
    output
      .filter(({ fileName }) => fileName.endsWith(ending))
      .map((file) => String(file.type === "chunk" ? file.code : file.source))
      .join("")
      .replaceAll(`</${tag}`, `<\\/${tag}`);
  return template
    .replace("<!-- style -->", () => `<style>${inlined(".css", "style")}</style>`)
    .replace("<!-- script -->", () => `<script type="module">${inlined(".js", "script")}</script>`);
}

/**
 * The early script is inside the HTML, so that the first requests go out with no further file loaded. It is given the
 * address of the MCP client, to load it beside the page.
 */
function earlyScript(): Plugin {
  return {
    name: "early-script",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      async handler(html, { bundle = {} }) {
        const client = Object.keys(bundle).find((name) => /\bmcp-client-.*\.js$/.test(name));
        if (!client) throw new Error("the MCP client has no file of its own");
        const [{ code }] = await builtApart("early.ts", "iife");
        if (code.includes("</script")) throw new Error("the early script would end its own tag");
        return html.replace("<!-- early -->", () => `<script data-client="./${client}">${code.trim()}</script>`);
      },
    },
  };
}

/** The fonts' licence is shipped with the fonts. */
function fontLicences(): Plugin {
  return {
    name: "font-licences",
    apply: "build",
    async generateBundle() {
      for (const font of ["literata", "inter"])
        this.emitFile({
          type: "asset",
          fileName: `assets/${font}-LICENSE.txt`,
          source: await readFile(fileURLToPath(import.meta.resolve(`@fontsource-variable/${font}/LICENSE`))),
        });
    },
  };
}

export default defineConfig({
  ...language,
  base: "./",
  plugins: [earlyScript(), singleFileApps(), fontLicences()],
  build: {
    outDir,
    emptyOutDir: true,
    target,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
