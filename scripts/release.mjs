// Makes everything a release has, in dist-release/: the npm tarball, the .mcpb bundle of this platform, an SBOM and checksums.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "dist-release");
const npm = (...args) => execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
npm("pack", "--silent", "--pack-destination", folder);
execFileSync(process.execPath, [join(root, "scripts", "bundle.mjs"), folder], { cwd: root, stdio: "inherit" });
writeFileSync(join(folder, "sbom.cdx.json"), npm("sbom", "--omit=dev", "--sbom-format", "cyclonedx"));

const files = readdirSync(folder).sort();
const sums = files.map((name) => {
  const content = readFileSync(join(folder, name));
  return `${createHash("sha256").update(content).digest("hex")}  ${name}`;
});
writeFileSync(join(folder, "SHA256SUMS"), `${sums.join("\n")}\n`);
for (const name of files) console.log(`${name}: ${(statSync(join(folder, name)).size / 1e6).toFixed(1)} MB`);
