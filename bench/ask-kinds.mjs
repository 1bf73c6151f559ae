// How well `ask` answers in the sources' own words, kind by kind: questions over the demo notebooks with the pieces of
// text a right answer holds, and questions the notebooks do not answer. `--verbose` prints what was missed.

import { QUESTIONS } from "./ask-questions.mjs";
import { FRESH } from "./ask-questions-fresh.mjs";
import { HELD_OUT } from "./ask-questions-held-out.mjs";
import { main } from "./measure.mjs";
import { openNotebooks } from "./notebooks-qa.mjs";

const signal = new AbortController().signal;

export async function askAll(backend, notebooks, questions) {
  const results = [];
  for (const { notebook, kind, text, gold } of questions) {
    const { answer, citations, confidence } = await backend.ask(notebooks[notebook], text, signal);
    const found = (gold ?? []).filter((each) => answer.includes(each)).length;
    const refused = citations.length === 0;
    const right = gold === null ? refused : found > 0;
    const complete = gold === null ? refused : found === gold.length;
    results.push({ kind, text, gold, answer, confidence, right, complete, refused });
  }
  return results;
}

export async function bench({ verbose = process.argv.includes("--verbose") } = {}) {
  const { sampleNotebooks } = await import(new URL("../dist/sandbox/sample/notebooks.js", import.meta.url));
  const { backend, close } = await openNotebooks();
  try {
    const notebooks = {};
    for (const [key, { name, sources }] of [
      ["machines", sampleNotebooks[0]],
      ["tides", sampleNotebooks[1]],
    ]) {
      notebooks[key] = (await backend.create(name, signal)).id;
      for (const { title, text } of sources)
        await backend.addSource(notebooks[key], { source_type: "text", title, text }, signal);
    }
    const results = await askAll(backend, notebooks, QUESTIONS);
    const others = await askAll(backend, notebooks, HELD_OUT);
    const fresh = await askAll(backend, notebooks, FRESH);
    if (verbose)
      for (const each of [...results, ...others, ...fresh].filter(
        ({ complete, gold, confidence }) => !complete || (gold === null && confidence !== "low"),
      ))
        console.log(
          `${each.kind} [${each.confidence}] ${each.text}\n    ${each.answer.replace(/\s+/g, " ").slice(0, 400)}\n`,
        );
    return [
      ...rowsOf(results),
      ...rowsOf(others).map((row) => ({ ...row, name: `held out, ${others.length} questions: ${row.name}` })),
      ...rowsOf(fresh).map((row) => ({ ...row, name: `fresh, ${fresh.length} questions: ${row.name}` })),
    ];
  } finally {
    await close();
  }
}

export function rowsOf(results) {
  const answerable = results.filter(({ gold }) => gold !== null);
  const absent = results.filter(({ gold }) => gold === null);
  const share = (list, test) => list.filter(test).length / Math.max(1, list.length);
  const row = (name, ours, goal) => ({
    name,
    ours,
    unit: "share",
    ...(goal === undefined ? {} : { goal: `≥ ${goal}`, met: ours >= goal }),
  });
  const kinds = [...new Set(answerable.map(({ kind }) => kind))];
  const high = results.filter(({ confidence }) => confidence === "high");
  return [
    row(
      `right (${answerable.length} questions)`,
      share(answerable, ({ right }) => right),
    ),
    row(
      `complete (${answerable.length} questions)`,
      share(answerable, ({ complete }) => complete),
    ),
    ...kinds.map((kind) => {
      const own = answerable.filter((each) => each.kind === kind);
      return row(
        `complete: ${kind} (${own.length})`,
        share(own, ({ complete }) => complete),
      );
    }),
    row(
      `unanswerable refused (${absent.length})`,
      share(absent, ({ refused }) => refused),
    ),
    {
      name: `wrong with confidence high (of ${high.length})`,
      ours: high.filter(({ right }) => !right).length,
      unit: "questions",
    },
    row(
      "right answers called low",
      share(
        answerable.filter(({ right }) => right),
        ({ confidence }) => confidence === "low",
      ),
    ),
    row(
      "unanswerable called low or refused",
      share(absent, ({ confidence }) => confidence === "low"),
    ),
  ];
}

await main(import.meta.url, bench);
