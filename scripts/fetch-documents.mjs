// Fetches the documents the readers are measured on: `node scripts/fetch-documents.mjs [FOLDER]`, by default
// .cache/documents. Packages are downloaded and unpacked there, nothing is installed. Needs Debian's apt-get and dpkg-deb.
import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { REAL_DOCUMENTS } from "./real-documents.mjs";

const target = resolve(process.argv[2] ?? join(import.meta.dirname, "..", ".cache", "documents"));
mkdirSync(target, { recursive: true });
const wanted = new Map();
for (const each of REAL_DOCUMENTS) wanted.set(each.package, [...(wanted.get(each.package) ?? []), each]);
// A path may be there plain or compressed, never both: tar's complaint about the other one means nothing.
const UNPACK = 'deb=$1; to=$2; shift 2; dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$to" "$@" 2>/dev/null || :';
let missing = 0;
for (const [name, documents] of wanted) {
  if (documents.every(({ file, folder }) => existsSync(join(target, file ?? folder)))) continue;
  const work = mkdtempSync(join(tmpdir(), "bookwheel-package-"));
  try {
    run("apt-get", ["download", "-q", name], work);
    const deb = readdirSync(work).find((each) => each.endsWith(".deb"));
    // Only what is asked for: some of these packages unpack to a gigabyte.
    const paths = documents.flatMap(({ file, folder }) => (file ? [`./${file}`, `./${file}.gz`] : [`./${folder}`]));
    run("sh", ["-c", UNPACK, "sh", deb, target, ...paths], work);
    for (const { file } of documents) if (file) await gunzip(join(target, file));
    console.log(`${name}: ${documents.length}`);
  } catch (error) {
    missing++;
    console.log(`${name}: not to be had (${error.message})`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
console.log(`${target}${missing ? `, ${missing} packages missing` : ""}`);

async function gunzip(path) {
  if (existsSync(path) || !existsSync(`${path}.gz`)) return;
  await pipeline(createReadStream(`${path}.gz`), createGunzip(), createWriteStream(path));
  rmSync(`${path}.gz`);
}

function run(program, args, cwd) {
  const { status, error, stderr } = spawnSync(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  if (error || status !== 0) throw new Error(error?.message ?? String(stderr).trim().split("\n").at(-1));
}
