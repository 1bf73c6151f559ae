import { mkdir, readFile, writeFile } from "node:fs/promises";
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

/** A view for MCP hosts: one HTML file that loads nothing, because a host shows it in a sealed frame. */
function singleFileApps(): Plugin {
  return {
    name: "single-file-apps",
    apply: "build",
    async closeBundle() {
      await mkdir(join(outDir, "apps"), { recursive: true });
      const template = await readFile(join(root, "apps/frame.html"), "utf8");
      for (const app of APPS) {
        const built = await build({
          ...language,
          configFile: false,
          logLevel: "warn",
          build: { target, write: false, rollupOptions: { input: join(root, "apps", `${app}.tsx`) } },
        });
        const [result] = [built].flat();
        if (!result || !("output" in result)) throw new Error(`the ${app} app was not built`);
        const files = result.output;
        const script = files.map((file) => (file.type === "chunk" ? file.code : "")).join("");
        const style = files
          .map((file) => (file.fileName.endsWith(".css") && "source" in file ? String(file.source) : ""))
          .join("");
        await writeFile(
          join(outDir, "apps", `${app}.html`),
          template
            .replace("<!-- style -->", () => `<style>${style.replaceAll("</style", "<\\/style")}</style>`)
            .replace(
              "<!-- script -->",
              () => `<script type="module">${script.replaceAll("</script", "<\\/script")}</script>`,
            ),
        );
      }
    },
  };
}

export default defineConfig({
  ...language,
  base: "./",
  plugins: [singleFileApps()],
  build: {
    outDir,
    emptyOutDir: true,
    target,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
