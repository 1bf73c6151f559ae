// What a language model has to call for 22 everyday tasks of a reader and a researcher: calls and characters, beside what two
// models needed that knew nothing but the tool list. `node bench/tasks.mjs` after a build; every answer is checked.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { caller } from "../scripts/example-calls.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const BOOKS = join(process.env.BOOKWHEEL_SHARED ?? join(ROOT, "..", "shared"), "corpora", "documents");
const PROJECT = "tasks/essay";

function check(truth, what) {
  if (!truth) throw new Error(`The answer does not hold: ${what}`);
}
const holds = (answer, words) =>
  check(JSON.stringify(answer).includes(words), `no '${words}' in ${JSON.stringify(answer).slice(0, 300)}`);

/** `before`: calls and characters of the models that tried it with the first version. */
const READER = [
  {
    task: "three quotations on memory, with links",
    before: [12, 31_875],
    async run(call) {
      const { results, best_match } = await call("search_highlights", { query: "memory", limit: 3 });
      check(best_match === "good" && results.length === 3, "three highlights that fit");
      for (const { highlight, author, source_title } of results)
        check(highlight.readwise_url && author && source_title, "link, author and title in every hit");
    },
  },
  {
    task: "what Thoreau wrote about his house",
    before: [8, 31_619],
    async run(call) {
      const answer = await call("search_highlights", { query: "house", filter: "author:Thoreau", limit: 3 });
      holds(answer, "I had three chairs in my house");
    },
  },
  {
    task: "the five sources with most highlights",
    before: [2, 44_228],
    async run(call) {
      const { results } = await call("list_sources", {
        sort: "most_highlighted",
        page_size: 6,
        fields: "title,author,highlight_count",
      });
      const counts = results.map(({ highlight_count }) => highlight_count);
      check(counts.length === 6 && counts.every((count, i) => i === 0 || count <= counts[i - 1]), "six, largest first");
    },
  },
  {
    task: "the inbox: what is there, how long each takes",
    before: [7, 21_516],
    async run(call) {
      const { results } = await call("list_documents", {
        location: "new",
        fields: "title,author,category,reading_time,listening_time",
      });
      check(results.length > 5 && results.every(({ title }) => title && title !== "Untitled"), "documents with titles");
      check(
        results.every(({ category }) => !["highlight", "note"].includes(category)),
        "no highlights among them",
      );
    },
  },
  {
    task: "a note and a tag on one highlight",
    before: [3, 979],
    async run(call) {
      const { results } = await call("search_highlights", { query: '"frittered away by detail"', limit: 1 });
      const changed = await call("update_highlight", {
        id: results[0].highlight.id,
        append_note: "for the talk",
        add_tags: ["talk"],
      });
      holds(changed.note, "for the talk");
      check(
        changed.tags.some(({ name }) => name === "talk"),
        "the tag",
      );
    },
  },
  {
    task: "one book's highlights as Markdown",
    before: [2, 12_232],
    async run(call) {
      const { results, count } = await call("list_highlights", { filter: "source:Walden", fields: "text,note" });
      check(results.length === count && count > 5, "all of them in one answer");
      holds(results, "different drummer");
    },
  },
  {
    task: "save a page with the tags used for such pages",
    before: [4, 10_090],
    async run(call) {
      const { counts } = await call("list_documents", { count_by: "tag" });
      check(
        counts.some(({ value }) => value === "reading"),
        "the tags in use",
      );
      const saved = await call("save_document", {
        url: "https://essays.example.org/on-slow-reading",
        location: "later",
        tags: ["reading"],
      });
      check(saved.created && !saved.warnings?.length, "saved as asked");
    },
  },
  {
    task: "what a video says at one place, highlighted",
    before: [4, 10_614],
    async run(call) {
      const { results } = await call("list_videos", { fields: "title" });
      const { id } = results.find(({ title }) => /Two Tides/.test(title));
      const { transcript } = await call("get_video", { id, from_seconds: 0, to_seconds: 60 });
      const [, minutes, seconds, said] = /\[(\d+):(\d\d)\] ([^.\n]{20,200})/.exec(transcript);
      const made = await call("create_video_highlight", {
        id,
        text: said,
        timestamp: Number(minutes) * 60 + Number(seconds),
      });
      check(made.kept_in === "reader", "made inside the video");
    },
  },
  {
    task: "delete the highlight just made",
    before: [2, 563],
    async run(call) {
      const { results } = await call("list_highlights", { sort: "newest", page_size: 1, fields: "text" });
      check((await call("delete_highlight", { id: results[0].id })).deleted, "deleted");
    },
  },
  {
    task: "which documents on reading have no tag",
    before: [1, 2_485],
    async run(call) {
      const { count } = await call("list_documents", { filter: "untagged", fields: "title" });
      check(Number.isInteger(count), "a count");
    },
  },
  {
    task: "today's review",
    before: [1, 2_515],
    async run(call) {
      const { highlights } = await call("get_daily_review", {});
      check(highlights.length > 0 && highlights.every((one) => one.readwise_url && one.source_id && one.tags), "whole");
    },
  },
  {
    task: "what is in the archive, what was finished",
    before: [1, 12_191],
    async run(call) {
      const { results, count } = await call("list_documents", {
        location: "archive",
        fields: "title,reading_progress",
      });
      check(results.length === count && results.filter((one) => one.reading_progress === 1).length > 5, "all of it");
    },
  },
];

/** The key of a work, as the list of documents gave it. */
const keys = new Map();

const researcher = (folder) => [
  {
    task: "read a folder with its bibliography into a project",
    before: [6, 1_940],
    async run(call) {
      let answer = await call("ingest_documents", { project: PROJECT, paths: [folder] });
      for (let state = answer.running && "running"; state === "running"; ) {
        await sleep(20_000);
        answer = await call("inspect_collection", { project: PROJECT });
        state = answer.ingest?.status;
      }
      check(!answer.error, JSON.stringify(answer.error));
      if (answer.read !== undefined)
        check(answer.read === 3 && answer.bibliographies.length === 1, "three, one bibliography");
    },
  },
  {
    task: "which works are there: author, year, publisher, what looks wrong",
    before: [9, 14_703],
    async run(call) {
      const { documents } = await call("inspect_collection", { project: PROJECT, documents: true });
      check(documents.length === 3 && documents.every((one) => one.path && one.added_at && one.fields_from), "records");
      for (const { path, citekey } of documents) keys.set(basename(path), citekey);
      const walden = documents.find(({ path }) => path.endsWith("walden.txt"));
      check(
        walden.year === 1854 && walden.fields_from.year === "bibliography library.bib",
        "the bibliography's record",
      );
    },
  },
  {
    task: "three questions, each with a quotation and its reference",
    before: [12, 22_068],
    async run(call) {
      const questions = [
        "quiet desperation of the mass of men",
        "down the rabbit hole curiouser",
        "to Sherlock Holmes she is always the woman",
      ];
      const expected = ["desperation", "abbit", "the woman"];
      const keys = [];
      for (const [i, query] of questions.entries()) {
        const { items } = await call("query_hybrid", { project: PROJECT, query, top_k: 2 });
        holds(items, expected[i]);
        keys.push(items[0].cite.slice(2, -1));
      }
      const cited = await call("cite", { project: PROJECT, sources: keys, style: "apa", each: true });
      check(cited.citations.length === 3 && cited.not_found.length === 0, "three references");
    },
  },
  {
    task: "footnotes and bibliography of an essay",
    before: [8, 11_027],
    async run(call) {
      const { citations, bibliography } = await call("cite", {
        project: PROJECT,
        sources: [
          `${keys.get("walden.txt")}, ch. 1`,
          `${keys.get("alice.pdf")}, p. 5`,
          `${keys.get("walden.txt")}, ch. 2`,
          keys.get("sherlock.txt"),
        ],
        style: "chicago-notes",
        each: true,
        bibliography: "formatted",
      });
      check(
        citations.length === 4 && citations[2].citation.length < citations[0].citation.length,
        `full, then short notes: ${JSON.stringify(citations)}`,
      );
      holds(bibliography, "Thoreau");
    },
  },
  {
    task: "check a student's quotations",
    before: [9, 5_344],
    async run(call) {
      const [walden, alice, holmes] = ["walden.txt", "alice.pdf", "sherlock.txt"].map((file) => `[@${keys.get(file)}]`);
      const text = [
        `Men lead “lives of quiet desperation” ${walden}, and “the mass of men lead lives of silent desperation” ${walden}.`,
        `She found it “curiouser and curiouser” ${alice}. “The mass of men lead lives of quiet desperation” ${holmes}.`,
        `Alice thinks “the moon is a harsh mistress of the tides and of the sea” ${alice}.`,
      ].join("\n\n");
      const answer = await call("check_draft", { text, project: PROJECT, claims: false });
      holds(answer, "absent");
      holds(answer, "misattributed");
      const wrong = answer.findings.filter((one) => /"(absent|altered|misattributed)"/.test(JSON.stringify(one)));
      check(!JSON.stringify(wrong).includes("uriouser"), "no true quotation among the wrong ones");
    },
  },
  {
    task: "what there is on navigation without instruments",
    before: [12, 44_250],
    async run(call) {
      const { results } = await call("search_library", { query: "navigation without instruments", limit: 4 });
      check(results[0].title === "Wayfinding without instruments", "the notebook source comes first");
    },
  },
  {
    task: "a notebook of found passages, asked",
    before: [9, 4_974],
    async run(call) {
      const { items } = await call("query_hybrid", { project: PROJECT, query: "quiet desperation", top_k: 1 });
      const { id } = await call("create_notebook", { name: "On desperation" });
      await call("add_source", {
        notebook_id: id,
        source_type: "chunks",
        project: PROJECT,
        chunk_ids: items.map((item) => item.id),
      });
      const answer = await call("ask", { notebook_id: id, question: "What do the mass of men lead?" });
      holds(answer.answer, "quiet desperation");
    },
  },
  {
    task: "store passages of one's own and cite them",
    before: [10, 4_447],
    async run(call) {
      const project = "tasks/own";
      await call("create_project", { project });
      await call("store_chunks", {
        project,
        items: [
          {
            id: "log-3",
            text: "The ferryman is paid in salt.",
            metadata: {
              source: "The Harbour Log",
              authors: ["Ada Quill"],
              citekey: "quill2026",
              year: 2026,
              page_span: [3, 3],
            },
          },
        ],
      });
      const { citation } = await call("cite", { project, sources: ["quill2026, p. 3"], style: "apa" });
      check(citation === "(Quill, 2026, p. 3)", citation);
    },
  },
  {
    task: "a file changed, one gone, a wrong record corrected",
    before: [8, 4_260],
    async run(call) {
      rmSync(join(folder, "sherlock.txt"));
      const { vanished, pruned, unchanged } = await call("ingest_documents", {
        project: PROJECT,
        paths: [folder],
        prune: true,
      });
      check(vanished.length === 1 && pruned === 1 && unchanged === 2, "named and dropped");
      const { documents } = await call("update_document_record", {
        project: PROJECT,
        source: keys.get("alice.pdf"),
        author: "Lewis Carroll",
        year: 1865,
      });
      check(documents[0].author === "Lewis Carroll" && documents[0].fields_from.year === "corrected", "corrected");
    },
  },
  {
    task: "BibTeX of everything cited today",
    before: [3, 1_482],
    async run(call) {
      const { bibliography } = await call("cite", {
        since: new Date(Date.now() - 3_600_000).toISOString(),
        bibliography: "bibtex",
      });
      holds(bibliography, "Walden");
    },
  },
];

const BIB = `@book{thoreau1854walden,
  author = {Thoreau, Henry David}, title = {Walden}, year = {1854}, publisher = {Ticknor and Fields}, address = {Boston}
}
`;

/** Three books and a bibliography, as a researcher would have them in a folder. */
function books() {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-tasks-"));
  cpSync(join(BOOKS, "pdf", "alice-11.pdf"), join(folder, "alice.pdf"));
  // The beginnings of the others: what is measured is answers, not embedding.
  for (const [file, name] of [
    ["walden-205-0.txt", "walden.txt"],
    ["sherlock-1661.txt", "sherlock.txt"],
  ])
    writeFileSync(join(folder, name), readFileSync(join(BOOKS, "txt", file)).subarray(0, 60_000));
  writeFileSync(join(folder, "library.bib"), BIB);
  return folder;
}

/** The demo on a port of its own, with everything switched on. */
async function demo(folder, home) {
  const env = {
    ...process.env,
    BOOKWHEEL_HOME: home,
    READWISE_PROFILES: "all",
    ...(folder ? { BOOKWHEEL_INGEST_ROOTS: folder } : {}),
  };
  const child = spawn(process.execPath, [join(ROOT, "dist", "main.js"), "demo", "--port", "0"], { env });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const hear = (part) => {
      said += part;
      const found = /http:\/\/127\.0\.0\.1:\d+(?=\/mcp)/.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => reject(new Error(said)));
  });
  return { url, stop: () => new Promise((resolve) => child.once("exit", resolve) && child.kill("SIGTERM")) };
}

/** One row per task: calls and characters, before and now. */
export async function runTasks(log = () => {}) {
  const withBooks = existsSync(BOOKS);
  if (!withBooks)
    console.log(
      `Skipped the researcher's tasks: ${BOOKS} is not there. Set BOOKWHEEL_SHARED to the folder that holds corpora/.`,
    );
  const folder = withBooks ? books() : undefined;
  const home = mkdtempSync(join(tmpdir(), "bookwheel-tasks-home-"));
  const program = await demo(folder, home);
  const plain = caller(program.url);
  const rows = [];
  const failures = [];
  try {
    for (const { task, before, run } of [...READER, ...(folder ? researcher(folder) : [])]) {
      let calls = 0;
      let characters = 0;
      await run(async (name, args) => {
        const answer = await plain(name, args);
        calls++;
        characters += JSON.stringify(answer).length;
        check(!answer.error, `${name}: ${answer.error?.message}`);
        return answer;
      }).catch((error) => failures.push(`${task}: ${error.message}`));
      rows.push({ task, before: { calls: before[0], characters: before[1] }, now: { calls, characters } });
      log(rows.at(-1));
    }
    if (failures.length > 0) throw new Error(failures.join("\n"));
    return rows;
  } finally {
    await program.stop();
    for (const each of [folder, home]) if (each) rmSync(each, { recursive: true, force: true });
  }
}

export const totalOf = (rows, when) =>
  rows.reduce(
    (sum, row) => ({ calls: sum.calls + row[when].calls, characters: sum.characters + row[when].characters }),
    {
      calls: 0,
      characters: 0,
    },
  );

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench() {
  const rows = await runTasks(({ task, now }) => console.error(task, now));
  const [before, now] = [totalOf(rows, "before"), totalOf(rows, "now")];
  const sums = ["calls", "characters"].map((unit) => ({
    name: `${rows.length} tasks, answers checked`,
    ours: now[unit],
    unit,
    peer: before[unit],
    peerName: "at first",
    goal: "at most half",
    met: now[unit] * 2 <= before[unit],
  }));
  const each = rows.map((row) => ({
    name: row.task,
    ours: row.now.characters,
    unit: "characters",
    peer: row.before.characters,
    peerName: "at first",
    note: `${row.now.calls} calls, at first ${row.before.calls}`,
  }));
  return [...sums, ...each];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await runTasks(({ task, before, now }) =>
    console.log(`| ${task} | ${before.calls} | ${before.characters} | ${now.calls} | ${now.characters} |`),
  );
  const [before, now] = [totalOf(rows, "before"), totalOf(rows, "now")];
  console.log(`| **all** | ${before.calls} | ${before.characters} | ${now.calls} | ${now.characters} |`);
}
