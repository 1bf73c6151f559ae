import { expect, it } from "vitest";
import { soak, verdict, type Window } from "../../bench/soak.mjs";

const linux = process.platform === "linux";
if (!linux) console.log("skipped: the soak (needs Linux's /proc)");

it.skipIf(!linux)(
  "keeps its memory and its handles under half a minute of mixed load",
  { timeout: 180_000 },
  async () => {
    const { calls, windows, handles, failures } = await soak({ minutes: 0.4 });
    expect(failures).toEqual([]);
    expect(calls).toBeGreaterThan(50);
    const settled = windows[Math.floor(windows.length / 2)];
    const last = windows.at(-1);
    // Half a minute is short: this finds a leak on every call, the half hour of `make soak` finds the slow ones.
    expect(last?.rssMib).toBeLessThan((settled?.rssMib ?? 0) * 1.3 + 60);
    expect(handles.growth).toBeLessThan(30);
  },
);

it("tells growth from noise", () => {
  const run = (rss: (i: number) => number) =>
    verdict(
      Array.from(
        { length: 60 },
        (_, i): Window => ({ seconds: i * 30, calls: 100, p50: 5, p99: 20, rssMib: rss(i), handles: 40 }),
      ),
    ).rss.flat;
  expect(run((i) => 300 + (i % 7))).toBe(true);
  expect(run((i) => 300 + i * 0.5 + (i % 7))).toBe(false);
});
