import { homedir } from "node:os";
import { join } from "node:path";
import { type Command, type Flag, flagList, flagValue, JSON_FLAG, type Run } from "./command.js";
import { openShelves } from "./serve.js";

const OCR: Flag = {
  value: "LANG",
  about: "Recognise the text of scanned PDFs and pictures, in a language of tesseract: eng, deu+eng.",
};

const withOcr = (run: Run): Run => ({
  ...run,
  config: { ...run.config, BOOKWHEEL_OCR: flagValue(run.args.flags, "ocr") ?? run.config.BOOKWHEEL_OCR },
});

/** Documents and libraries into projects, and out of them. */
export const DOCUMENT_COMMANDS: Readonly<Record<string, Command>> = {
  ingest: {
    words: "PROJECT PATH|URL…",
    about: "Read documents and web pages into a project.",
    examples: [
      "bookwheel ingest thesis ~/papers",
      "bookwheel ingest thesis https://example.org/tides",
      "bookwheel ingest thesis ~/scans --ocr deu+eng",
    ],
    flags: { prune: { about: "Remove documents whose files are gone." }, ocr: OCR, json: JSON_FLAG },
    async run(run) {
      const { ingestCommand } = await import("./ingest.js");
      await using shelves = await openShelves(withOcr(run));
      const { positionals, flags } = run.args;
      const request = { positionals, prune: flags.prune === true, json: flags.json === true };
      return await ingestCommand(request, { ...run, ingestion: shelves.services.ingestion });
    },
  },

  watch: {
    words: "PROJECT PATH…",
    about: "Keep a project as its folders are: what is added, changed, moved or removed there is read, until Ctrl+C.",
    examples: ["bookwheel watch thesis ~/papers"],
    flags: { ocr: OCR },
    async run(run) {
      const { watchCommand } = await import("./watch.js");
      await using shelves = await openShelves(withOcr(run));
      return await watchCommand(run.args.positionals, { ...run, ingestion: shelves.services.ingestion });
    },
  },

  zotero: {
    words: "PROJECT",
    about:
      "Works, files and annotations of a running Zotero (ZOTERO_URL) or of a Better BibTeX export, into a project.",
    examples: [
      "bookwheel zotero thesis --collection Thesis",
      "bookwheel zotero thesis --tag to-read --from library.bib",
    ],
    flags: {
      collection: { value: "NAME", about: "Only this collection and those below it." },
      tag: { value: "TAG,…", about: "Only works that have all of these tags." },
      library: { value: "groups/ID", about: "A group's library; your own if left out." },
      from: { value: "FILE", about: "A .bib or .json export, instead of a running Zotero." },
      storage: { value: "DIR", about: "Zotero's data folder; ~/Zotero if left out." },
      ocr: OCR,
      json: JSON_FLAG,
    },
    async run(run) {
      const [{ zoteroCommand }, { ZOTERO_URL }] = await Promise.all([
        import("./zotero.js"),
        import("../citations/bibliography/zotero.js"),
      ]);
      const { args, config } = withOcr(run);
      const from = flagValue(args.flags, "from");
      const url = config.ZOTERO_URL ?? ZOTERO_URL;
      // The project remembers where its works come from.
      const source = from ? { BOOKWHEEL_BIBLIOGRAPHY: [...config.BOOKWHEEL_BIBLIOGRAPHY, from] } : { ZOTERO_URL: url };
      await using shelves = await openShelves({ ...run, config: { ...config, ...source } });
      const request = {
        project: args.positionals[0],
        url,
        library: flagValue(args.flags, "library"),
        collection: flagValue(args.flags, "collection"),
        tags: flagList(args.flags, "tag") ?? [],
        from,
        storage: flagValue(args.flags, "storage") ?? join(homedir(), "Zotero"),
        json: args.flags.json === true,
      };
      return await zoteroCommand(request, { ...run, zotero: shelves.zotero });
    },
  },

  check: {
    words: "DRAFT…",
    about: "Check the quotations and citations of drafts: Markdown, LaTeX, text, DOCX.",
    flags: {
      project: { value: "NAME,…", about: "Projects to check against; everything that was read if left out." },
      bib: { value: "FILE,…", about: "Bibliographies; those the draft names if left out." },
      sources: { value: "PATH,…", about: "Check against these files alone, without any project." },
      claims: { about: "Evidence for cited sentences too." },
      all: { about: "List what is right too." },
      fix: { about: "Take the true wording; asks first, keeps a copy." },
      yes: { about: "Do not ask." },
      sarif: { value: "FILE", about: "Write SARIF." },
      html: { value: "FILE", about: "Write a report to read or send." },
      json: JSON_FLAG,
    },
    async run(run) {
      const [{ checkCommand, namedIn }, { version }] = await Promise.all([
        import("./check.js"),
        import("../app/version.js"),
      ]);
      const { positionals, flags } = run.args;
      const [paths, bibliographies] = [flagList(run.args.flags, "sources"), flagList(run.args.flags, "bib")];
      const request = {
        positionals,
        bibliographies,
        claims: flags.claims === true,
        all: flags.all === true,
        json: flags.json === true,
        fix: flags.fix === true,
        yes: flags.yes === true,
        sarif: flagValue(run.args.flags, "sarif"),
        html: flagValue(run.args.flags, "html"),
      };
      if (paths && positionals.length > 0) {
        const { readTemporarySources } = await import("../app/temporary-sources.js");
        const named = bibliographies ?? (await namedIn(positionals));
        await using read = await readTemporarySources({ paths, bibliographies: named, signal: run.signal });
        for (const { path, reason } of read.summary.skipped) run.complain(`${path}: ${reason}`);
        return await checkCommand(request, { ...run, version, drafts: read.drafts });
      }
      await using shelves = await openShelves(run);
      const { drafts, readwise } = shelves.services;
      return await checkCommand(
        { ...request, projects: flagList(run.args.flags, "project") },
        { ...run, version, drafts, readwise: readwise.forKey(run.config.READWISE_API_KEY).quoting },
      );
    },
  },

  export: {
    words: "highlights",
    about: "Highlights as files: Markdown, one per source, or JSON, or CSV. Only what changed is written.",
    examples: ["bookwheel export highlights --to ~/notes/reading", "bookwheel export highlights --to . --format csv"],
    flags: {
      to: { value: "DIR", about: "The folder to write to." },
      format: { value: "markdown|json|csv", about: "Markdown if left out." },
    },
    async run(run) {
      const { exportCommand } = await import("./export.js");
      await using shelves = await openShelves(run);
      const readwise = shelves.services.readwise.forKey(run.config.READWISE_API_KEY).syncing;
      const { args } = run;
      return await exportCommand(
        { positionals: args.positionals, to: flagValue(args.flags, "to"), format: flagValue(args.flags, "format") },
        { ...run, readwise },
      );
    },
  },

  sync: {
    words: "PROJECT",
    about: "Readwise highlights and Reader documents into a project, incrementally.",
    flags: {
      include: { value: "highlights|documents|both", about: "What to read; both if left out." },
      json: JSON_FLAG,
    },
    async run(run) {
      const { syncCommand } = await import("./sync.js");
      await using shelves = await openShelves(run);
      const { positionals, flags } = run.args;
      const { ingestion, librarySync, readwise } = shelves.services;
      return await syncCommand(
        { positionals, include: flagValue(run.args.flags, "include"), json: flags.json === true },
        { ...run, ingestion, librarySync, readwise: readwise.forKey(run.config.READWISE_API_KEY).syncing },
      );
    },
  },
};
