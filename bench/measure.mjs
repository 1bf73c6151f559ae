// What the benchmarks share: sides measured in turn in one run, so that a noisy machine disturbs them alike.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * A row of the results table.
 * @typedef {{ name: string, ours: number, unit: string, peer?: number, peerName?: string, ratio?: number, limit?: number, limitName?: string, share?: number, spread?: number, goal?: string, met?: boolean, note?: string }} Row
 */

export const sorted = (values) => [...values].sort((a, b) => a - b);
export const percentile = (values, p) => {
  const list = sorted(values);
  return list[Math.min(list.length - 1, Math.floor((p / 100) * list.length))];
};
export const median = (values) => percentile(values, 50);
/** Half the distance between the quartiles, as a share of the median. */
export const spread = (values) => (percentile(values, 75) - percentile(values, 25)) / 2 / median(values);

/**
 * Runs each side `rounds` times in turn, after one warm-up round, and gives the values of each side by name.
 * @param {Record<string, () => Promise<number> | number>} sides
 */
export async function inTurn(sides, rounds = 7) {
  const values = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++)
    for (const [name, side] of Object.entries(sides)) {
      const value = await side();
      if (round >= 0) values[name].push(value);
    }
  return values;
}

/** Exponent of growth between sizes: 1 is linear, 0 is constant. */
export const exponent = (sizes, times) => Math.log(times.at(-1) / times[0]) / Math.log(sizes.at(-1) / sizes[0]);

/**
 * Milliseconds of CPU a question costs, once a round: what others on the machine take is not counted.
 * @param {(i: number) => unknown} ask
 */
export async function cpuOf(ask, { rounds = 5, questions = 20, warmUp = 10 } = {}) {
  const costs = [];
  for (let round = -warmUp; round < rounds; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < questions; i++) await ask(i);
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) costs.push((user + system) / 1000 / questions);
  }
  return costs;
}

/** What an algorithm may promise: the exponent over all sizes, and over the last step, where fixed costs hide less. */
const PROMISES = {
  constant: { most: 0.2, last: 0.3 },
  linear: { most: 1.1, last: 1.25 },
};

/**
 * A row that tells how the cost grew from the first size to the last.
 * @param {{ name: string, of: string, sizes: number[], costs: number[][], promise: "constant" | "linear", unit?: string, note?: string }} grown
 * @returns {Row}
 */
export function grownRow({ name, of, sizes, costs, promise, unit = "ms of CPU", note }) {
  const medians = costs.map(median);
  const [all, last] = [exponent(sizes, medians), exponent(sizes.slice(-2), medians.slice(-2))];
  const most = PROMISES[promise];
  return {
    name: `${name}, by ${of}`,
    ours: all,
    unit: "exponent",
    ...(costs.at(-1).length > 1 ? { spread: spread(costs.at(-1)) } : {}),
    goal: `${promise}: ≤ ${most.most}, last step ≤ ${most.last}`,
    met: all <= most.most && last <= most.last,
    note: `${sizes.join(", ")}: ${medians.map((ms) => figure(ms)).join(", ")} ${unit}; last step ${last.toFixed(2)}${note ? `; ${note}` : ""}`,
  };
}

const figure = (value) =>
  value === undefined
    ? ""
    : Math.abs(value) >= 100
      ? value.toFixed(0)
      : Math.abs(value) >= 10
        ? value.toFixed(1)
        : value.toFixed(3);

/** @param {Row[]} rows */
export function toTable(rows) {
  const head = ["name", "ours", "unit", "peer", "ratio", "limit", "share of limit", "spread", "goal", "met"];
  const body = rows.map((row) => [
    row.name + (row.note ? ` (${row.note})` : ""),
    figure(row.ours),
    row.unit,
    row.peer === undefined ? "" : `${figure(row.peer)} ${row.peerName ?? ""}`.trim(),
    figure(row.ratio),
    row.limit === undefined ? "" : `${figure(row.limit)} ${row.limitName ?? ""}`.trim(),
    figure(row.share),
    row.spread === undefined ? "" : `±${(row.spread * 100).toFixed(0)} %`,
    row.goal ?? "",
    row.met === undefined ? "" : row.met ? "yes" : "NO",
  ]);
  return [
    `| ${head.join(" | ")} |`,
    `| ${head.map(() => "---").join(" | ")} |`,
    ...body.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}

/** Whether the file is the program that was started. */
export const isMain = (moduleUrl) =>
  process.argv[1] !== undefined && moduleUrl === pathToFileURL(resolve(process.argv[1])).href;

/** Waits until the program answers on a port. */
export async function listening(port) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the server did not start");
}

/** Prints the rows when the file is run by itself. */
export async function main(moduleUrl, bench) {
  if (isMain(moduleUrl))
    console.log(
      toTable(await bench({ quick: process.argv.includes("--quick"), full: process.argv.includes("--full") })),
    );
}
