// Makes bookwheel-PLATFORM-ARCH.mcpb: the built program, its packages and a manifest, zipped for clients that install by opening a file.
// Native packages come for the machine that runs this, so each platform makes its own.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { TOOLS } from "../dist/app/tools.js";
import { listTools } from "../dist/catalog/doors.js";
import { PROFILE_NAMES } from "../dist/catalog/profiles.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { platform, arch } = process;
const json = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Of no use to a program that runs: types, maps, sources to compile, other platforms' binaries, what is drawn and not read. */
const LEFT_OUT = [
  /\.(map|d\.[cm]?ts|tsbuildinfo)$/,
  /^dist\/sandbox\//,
  /\/fixtures\//,
  // These are inside dist/program, and no other program of ours loads them.
  /^node_modules\/(zod|@modelcontextprotocol|prom-client|tdigest|bintrees|@opentelemetry)\//,
  // Draws pages; ours are read as text. A stand-in takes its place below.
  /^node_modules\/@napi-rs\//,
  /^node_modules\/pdfjs-dist\/(build|web|image_decoders|legacy\/web|legacy\/image_decoders)\//,
  /^node_modules\/pdfjs-dist\/.*(\.min|\.sandbox)\.mjs$/,
  /\/\.bin\//,
  /^node_modules\/@photostructure\/sqlite\/src\//,
  new RegExp(`^node_modules/@photostructure/sqlite/prebuilds/(?!${platform}-${arch}/)`),
  new RegExp(`^node_modules/onnxruntime-node/bin/napi-v3/(?!${platform}/${arch}/)`),
];

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // A package's own packages are listed by npm where they are needed.
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

function packageFolders() {
  const listed = execFileSync("npm", ["ls", "--omit=dev", "--parseable", "--all"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return [...new Set(listed.split("\n").filter((path) => path.includes(`${sep}node_modules${sep}`)))];
}

function manifest() {
  const { version } = json("package.json");
  const template = json("bundle/manifest.json");
  const offered = listTools(TOOLS, "all", { profiles: new Set(PROFILE_NAMES), readOnly: false });
  return {
    ...template,
    version,
    tools: offered.map(({ name, tool }) => ({ name, description: tool.description })),
    // What is on offer depends on the profiles.
    tools_generated: true,
    compatibility: { ...template.compatibility, platforms: [platform] },
  };
}

const { devDependencies: _dev, scripts: _scripts, ...manifestOfNpm } = json("package.json");
const encoder = new TextEncoder();
const contents = {
  "manifest.json": encoder.encode(`${JSON.stringify(manifest(), null, 2)}\n`),
  "package.json": encoder.encode(`${JSON.stringify(manifestOfNpm, null, 2)}\n`),
  "icon.png": readFileSync(join(root, "bundle/icon.png")),
  LICENSE: readFileSync(join(root, "LICENSE")),
};
for (const path of [join(root, "dist"), ...packageFolders()].flatMap(filesIn)) {
  const name = relative(root, path).split(sep).join("/");
  if (!LEFT_OUT.some((pattern) => pattern.test(name))) contents[name] = readFileSync(path);
}
// pdf.js takes these names from the package when it is loaded, and uses them when it draws, which ours never does.
contents["node_modules/@napi-rs/canvas/index.js"] = encoder.encode(
  "module.exports = { DOMMatrix: class DOMMatrix {}, ImageData: class ImageData {}, Path2D: class Path2D {} };\n",
);
const folder = process.argv[2] ?? join(root, "dist-bundle");
mkdirSync(folder, { recursive: true });
const file = join(folder, `bookwheel-${platform}-${arch}.mcpb`);
const zipped = zipSync(contents, { level: 6 });
writeFileSync(file, zipped);
console.log(`${file}: ${Object.keys(contents).length} files, ${(zipped.length / 1e6).toFixed(1)} MB`);
