import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Services } from "../app/services.js";
import type { Progress } from "../catalog/context.js";
import type { Layers } from "../config/config.js";
import { ShelfError } from "../kernel/errors.js";
import { makeFolder } from "../kernel/make-folder.js";
import { moduleUrl } from "../kernel/module-url.js";

/** The part of the sandbox the demo uses. It is loaded by address, because it imports nothing of ours and we nothing of its. */
interface SandboxModules {
  server: { startReadwiseSandbox(options: object): Promise<{ url: string; close(): Promise<void> }> };
  library: { sampleLibrary(): object };
  kept: { openKeptLibrary(file: string, make: () => object): { library: object; keep(): void } };
  project: {
    sampleProject: {
      id: string;
      description: string;
      documents: { file: string; text: string; citekey: string; csl: Record<string, unknown>; tags: string[] }[];
    };
  };
  notebooks: { sampleNotebooks: { name: string; sources: { title: string; text: string }[] }[] };
}

const TOKEN = "demo";
const KEEP_EVERY_MS = 5_000;

interface DemoSandbox extends AsyncDisposable {
  /** The key every visitor of the demo has. */
  token: string;
  /** Settings of the demo; a visitor's own win over its defaults. */
  layers: Layers;
  /** Puts the sample notebooks and the sample project on the shelves where they are not yet. */
  stock(services: Services, watch: Watch, signal: AbortSignal): Promise<void>;
}

/** How a person at a terminal follows what is read. */
interface Watch {
  say(line: string): void;
  progress: Progress;
}

interface SandboxOptions {
  home: string;
  reset: boolean;
  /** Why the store in a folder cannot be used; undefined if it can. */
  problemIn(folder: string): Promise<string | undefined>;
  say(line: string): void;
}

/** A made-up Readwise account in this process, and a data folder of its own. */
export async function openSandbox({ home, reset, problemIn, say }: SandboxOptions): Promise<DemoSandbox> {
  const folder = join(home, "demo");
  if (reset) rmSync(folder, { recursive: true, force: true });
  const problem = existsSync(folder) ? await problemIn(folder) : undefined;
  if (problem !== undefined) {
    // Nobody should need to know that to see a demo, and nothing somebody tried in it is thrown away.
    const aside = `${folder}-${new Date().toISOString().replace(/\W/g, "")}`;
    renameSync(folder, aside);
    say(`${problem}\nThe demo starts again from the samples; the old one is in ${aside}.`);
  }
  makeFolder(folder);
  const [server, library, kept] = await Promise.all([
    load<SandboxModules["server"]>("readwise/server.js"),
    load<SandboxModules["library"]>("readwise/sample.js"),
    load<SandboxModules["kept"]>("readwise/kept-library.js"),
  ]);
  const account = kept.openKeptLibrary(join(folder, "readwise.bin"), library.sampleLibrary);
  const keeping = setInterval(account.keep, KEEP_EVERY_MS).unref();
  const readwise = await server.startReadwiseSandbox({
    libraries: { [TOKEN]: account.library },
    // Whether Reader keeps this location is not known; a demo in which the shortlist cannot be reached shows nothing.
    unknowns: { shortlist: "honour" },
  });
  return {
    token: TOKEN,
    layers: {
      below: { READWISE_PROFILES: "all", NOTEBOOK_PROFILES: "all", CHUNK_PROFILES: "all" },
      above: { READWISE_API_URL: readwise.url, READWISE_API_KEY: TOKEN, BOOKWHEEL_HOME: folder },
    },
    async stock(services, { say, progress }, signal) {
      // Once: what a visitor deletes stays deleted until --reset.
      const stocked = join(folder, "stocked");
      if (!existsSync(stocked)) {
        say("Reading the sample project and notebooks, once …");
        await stockProject(services, progress, signal);
        await stockNotebooks(services, progress, signal);
        writeFileSync(stocked, "");
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(keeping);
      account.keep();
      await readwise.close();
    },
  };
}

async function stockProject({ ingestion }: Services, progress: Progress, signal: AbortSignal): Promise<void> {
  const { sampleProject } = await load<SandboxModules["project"]>("sample/project.js");
  await ingestion.ensureProject(sampleProject.id);
  const texts = sampleProject.documents.map(({ text, citekey, csl, tags }) => ({
    title: String(csl.title),
    text,
    format: "markdown" as const,
    citekey,
    csl,
    tags,
  }));
  await ingestion.ingestTexts(sampleProject.id, texts, { signal, progress });
}

async function stockNotebooks({ notebooks }: Services, progress: Progress, signal: AbortSignal): Promise<void> {
  const { sampleNotebooks } = await load<SandboxModules["notebooks"]>("sample/notebooks.js");
  const there = new Set((await notebooks.list(100, 0, signal)).notebooks.map(({ name }) => name));
  const missing = sampleNotebooks.filter(({ name }) => !there.has(name));
  const total = missing.reduce((sum, { sources }) => sum + sources.length, 0);
  let done = 0;
  for (const { name, sources } of missing) {
    const { id } = await notebooks.create(name, signal);
    for (const { title, text } of sources) {
      progress(done++, total, title);
      await notebooks.addSource(id, { source_type: "text", title, text }, signal);
    }
  }
}

/** The samples are part of a checkout, not of the published package. */
async function load<T>(path: string): Promise<T> {
  const file = moduleUrl(`../sandbox/${path}`, import.meta.url);
  if (!existsSync(fileURLToPath(file)))
    throw new ShelfError(
      "NOT_FOUND",
      "The demo's samples are not in this package. In a checkout of the source, 'make start' runs the demo.",
    );
  return (await import(file.href)) as T;
}
