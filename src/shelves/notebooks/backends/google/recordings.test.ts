import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../../../tests/support/peers.js";
import { toAnswer } from "./answer.js";
import { array, at, readItems, readReply, readStream } from "./codec.js";
import { blockText, notebookRow, sourceRow } from "./mapping.js";

/** Answers of the real service. The expectations are read off the raw arrays by the fact sheet, not by our own code. */
const file = join(
  process.env.BOOKWHEEL_SHARED ?? join(ROOT, "..", "shared"),
  "recordings",
  "notebooklm",
  "answers.jsonl.gz",
);

interface Recorded {
  id: string;
  rpc: string;
  status: number;
  body: string;
}
type Raw = unknown[];

const recorded: Recorded[] = existsSync(file)
  ? gunzipSync(readFileSync(file))
      .toString("utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];
const good = recorded.filter(({ status }) => status === 200);
const of = (...rpcs: string[]) => good.filter(({ rpc }) => rpcs.includes(rpc));

function resultOf({ body, rpc }: Recorded): Raw {
  const reply = readReply(body, rpc);
  if (reply.kind !== "result" || !Array.isArray(reply.value)) throw new Error(`${rpc} was read as ${reply.kind}`);
  return reply.value;
}

const finalFrame = ({ body }: Recorded): Raw =>
  readItems(body)
    .filter((item) => item[0] === "wrb.fr" && typeof item[2] === "string")
    .map((item) => JSON.parse(String(item[2])) as Raw)
    .findLast((inner) => inner[4] === true) ?? [];

/** Every piece of text below an array of blocks: `[start, end, [text, style?]]`, however deep it stands. */
function pieces(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const [start, end, held] = value;
  if (typeof start === "number" && typeof end === "number" && Array.isArray(held) && typeof held[0] === "string")
    return [held[0]];
  return value.flatMap(pieces);
}

const TYPES: Record<number, RegExp> = {
  1: /^gdoc$/,
  2: /^gslides$/,
  3: /^pdf$/,
  4: /^(text|url)$/,
  5: /^(url|youtube)$/,
  8: /^text$/,
  9: /^youtube$/,
};
const STATUSES: Record<number, string> = { 1: "processing", 2: "complete", 3: "failed", 5: "processing" };
const isoOf = (time: unknown) => new Date(Number(at(time, 0)) * 1000 + Number(at(time, 1)) / 1e6).toISOString();
const flat = (value: unknown): unknown[] => array(value).flat(3);

function expectSource(raw: unknown): void {
  const read = sourceRow(raw);
  expect(read).toMatchObject({
    id: flat(at(raw, 0)).at(-1),
    title: at(raw, 1),
    added_at: isoOf(at(raw, 2, 2)),
    processing_status: STATUSES[Number(at(raw, 3, 1) ?? 2)],
  });
  const url = at(raw, 2, 7, 0) ?? at(raw, 2, 5, 0);
  if (url) expect(read?.url).toBe(url);
  const code = Number(at(raw, 2, 4));
  expect(read?.type).toMatch(TYPES[code] ?? /./);
  if (code === 4) expect(read?.type).toBe(url ? "url" : "text");
}

function expectNotebook(raw: unknown): void {
  const read = notebookRow(raw);
  const sources = array(at(raw, 1));
  expect(read?.notebook).toMatchObject({ id: at(raw, 2), name: String(at(raw, 0)).replace(/^thought\n/, "") });
  expect(read?.notebook.source_count).toBe(sources.length);
  expect(read?.notebook.created_at).toBe(at(raw, 5, 8) ? isoOf(at(raw, 5, 8)) : null);
  expect(read?.sources).toHaveLength(sources.length);
  expect(read?.sourceLimit).toBe(at(raw, 10, 2) ?? null);
  for (const source of sources) expectSource(source);
}

describe.skipIf(recorded.length === 0)("recorded answers of NotebookLM (needs ../shared/recordings)", () => {
  it("are all read", () => {
    for (const each of good) {
      const kind = each.rpc === "stream" ? readStream(each.body).kind : readReply(each.body, each.rpc).kind;
      expect(`${each.id} ${kind}`).toBe(`${each.id} ${each.rpc === "stream" ? "answer" : "result"}`);
    }
  });

  it("list notebooks with their names, times and sources", () => {
    const lists = of("wXbhsf");
    expect(lists.length).toBeGreaterThan(0);
    for (const each of lists) for (const row of array(resultOf(each)[0])) expectNotebook(row);
  });

  it("show a notebook with its sources, and name it when it is made or renamed", () => {
    for (const each of of("rLM1Ne")) expectNotebook(resultOf(each)[0]);
    for (const each of of("CCqFvf", "s0tc2d")) expectNotebook(resultOf(each));
  });

  it("add sources under the service's own ids", () => {
    for (const each of of("izAoDd"))
      for (const row of array(resultOf(each)[0])) {
        expectSource(row);
        expect(sourceRow(row)?.hasStatus).toBe(true);
      }
  });

  it("of the subscription tier hold no source", () => {
    const tiers = of("ozz5Z");
    expect(tiers.length).toBeGreaterThan(0);
    for (const each of tiers) {
      const value = resultOf(each);
      expect([value, ...value, ...flat([value])].map(sourceRow).filter(Boolean)).toEqual([]);
    }
  });

  it("give the text of a source in full, and no empty lines", () => {
    for (const each of of("hizoJc")) {
      const blocks = at(resultOf(each), 3, 0, 0);
      const text = blockText(blocks);
      expect(text.replace(/\s/g, "")).toBe(pieces(blocks).join("").replace(/\s/g, ""));
      expect(text.split("\n").every((line) => line.trim() !== "")).toBe(true);
    }
  });

  it("cite with every mark resolving, every cited passage kept and every excerpt whole", () => {
    const streams = of("stream");
    expect(streams.length).toBeGreaterThan(0);
    for (const each of streams) {
      const frame = finalFrame(each);
      const { answer, citations, follow_up_questions, notes } = toAnswer(frame, []);
      // The ranges of the answer name the passages they rest on: none of them may be lost.
      const bare = (text: string) => text.replaceAll(" | ", "").replace(/\s/g, "");
      const indices = array(frame[2]).flatMap((range) => array(at(range, 1)));
      const cited = indices.map((index) => bare(pieces(at(frame, 1, Number(index), 4)).join("")));
      expect(new Set(citations.map(({ excerpt }) => bare(excerpt ?? "")))).toEqual(new Set(cited));
      const marks = citations.map(({ mark }) => mark);
      const shown = [...answer.matchAll(/\[([\d, –-]+)\]/g)].map(([, mark]) => mark);
      expect(new Set(shown)).toEqual(new Set(marks.map(String)));
      expect(notes).toEqual([]);
      expect(follow_up_questions).toEqual(at(frame, 3, 0));
      const sourceOf = (mark: number) => at(frame, 1, mark - 1, 5, 0, 0, 0);
      expect(citations.map(({ source_id }) => source_id)).toEqual(marks.map(sourceOf));
    }
  });

  it("refuse with a plain HTTP status where they refuse", () => {
    for (const { status } of recorded.filter((each) => each.status !== 200)) expect([400, 429]).toContain(status);
  });
});
