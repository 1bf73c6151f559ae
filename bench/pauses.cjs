// Loaded into the program with --require: whenever SIGUSR2 asks, prints the longest pause of its main thread since the last
// question, by the clock and by the processor time it took (on a busy machine only the second is ours). Parsers and the
// model are processes of their own and are left out.
const { readFileSync } = require("node:fs");

const EVERY_MS = 5;
const clock = () => Number(process.hrtime.bigint() / 1000n) / 1000;
/** Milliseconds the main thread has run, as Linux counts them; nothing elsewhere. */
function ran() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

if (process.channel === undefined) {
  let [last, lastRan] = [clock(), ran()];
  let longest = { ms: 0, cpu: 0 };
  setInterval(() => {
    const [now, nowRan] = [clock(), ran()];
    longest = { ms: Math.max(longest.ms, now - last - EVERY_MS), cpu: Math.max(longest.cpu, nowRan - lastRan) };
    if (process.env.PAUSES_OVER && nowRan - lastRan > Number(process.env.PAUSES_OVER))
      process.stderr.write(`{"pause_cpu":${(nowRan - lastRan).toFixed(0)},"at":${now.toFixed(0)}}\n`);
    [last, lastRan] = [now, nowRan];
  }, EVERY_MS).unref();
  process.on("SIGUSR2", () => {
    process.stderr.write(`{"longest_pause_ms":${longest.ms.toFixed(1)},"cpu_ms":${longest.cpu.toFixed(1)}}\n`);
    longest = { ms: 0, cpu: 0 };
  });
}
