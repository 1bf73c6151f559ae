// Processor time to read PDFs, beside pdf.js giving their text and nothing more: the limit of a reader built on it. Each
// reader has a process of its own, and they take turns document by document, so that what slows one slows the others.
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const inDist = (dist, path) => import(pathToFileURL(resolve(dist, path)).href);

/** Every page's text as pdf.js gives it, with the settings of our reader. */
async function bareReader(dist) {
  const { getDocument, VerbosityLevel } = await inDist(dist, "ingest/readers/pdfjs.js");
  const folder = (name) =>
    `${fileURLToPath(new URL(`../../${name}`, import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs")))}/`;
  return async (bytes) => {
    const pdf = await getDocument({
      data: new Uint8Array(bytes),
      verbosity: VerbosityLevel.ERRORS,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      enableXfa: false,
      cMapUrl: folder("cmaps"),
      cMapPacked: true,
      standardFontDataUrl: folder("standard_fonts"),
    }).promise;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      page.getViewport({ scale: 1 });
      await page.getTextContent({ disableNormalization: true });
      page.cleanup();
      if (number % 250 === 0) await pdf.cleanup(true);
    }
    const pages = pdf.numPages;
    await pdf.destroy();
    return pages;
  };
}

async function ownReader(dist) {
  const { readFile } = await inDist(dist, "ingest/read-file.js");
  return async (bytes, path) => (await readFile(bytes, { path })).pages.length;
}

if (process.send && process.argv[2] === "--reader") {
  process.on("disconnect", () => process.exit());
  const read = await (process.argv[3] === "bare" ? bareReader : ownReader)(process.argv[4]);
  process.on("message", async (file) => {
    const bytes = readFileSync(file);
    globalThis.gc();
    const before = process.cpuUsage();
    const pages = await read(bytes, file);
    const { user, system } = process.cpuUsage(before);
    process.send({ pages, ms: (user + system) / 1000 });
  });
}

function startReader(kind, dist) {
  const child = fork(fileURLToPath(import.meta.url), ["--reader", kind, dist], { execArgv: ["--expose-gc"] });
  let answer = {};
  child.on("message", (read) => answer.done(read));
  child.on("exit", () => answer.failed?.(new Error(`The process of '${kind}' ended.`)));
  return {
    read: (file) =>
      new Promise((done, failed) => {
        answer = { done, failed };
        child.send(file);
      }),
    stop: () => child.kill(),
  };
}

/**
 * Milliseconds of processor time over all files: `reader` of the build in `dist`, `bare` pdf.js, and where given `against`,
 * the reader of another build. Of the rounds the quickest counts, document by document.
 */
export async function processorTimes(files, { dist, against, rounds }) {
  const readers = new Map([
    ["bare", startReader("bare", dist)],
    ["reader", startReader("own", dist)],
    ...(against ? [["against", startReader("own", against)]] : []),
  ]);
  const names = [...readers.keys()];
  const total = Object.fromEntries(names.map((name) => [name, 0]));
  const each = [];
  let pages = 0;
  try {
    for (const file of files) {
      const least = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY]));
      for (let round = 0; round < rounds; round++)
        for (let turn = 0; turn < names.length; turn++) {
          const name = names[(turn + round) % names.length];
          const read = await readers.get(name).read(file);
          least[name] = Math.min(least[name], read.ms);
          if (name === "bare" && round === 0) pages += read.pages;
        }
      for (const name of names) total[name] += least[name];
      each.push({ file, ...least });
    }
  } finally {
    for (const { stop } of readers.values()) stop();
  }
  return { pages, each, ...total };
}
