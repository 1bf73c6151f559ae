// Loaded into the program with --require: prints the longest pause of its main thread since the last question, in
// milliseconds, whenever SIGUSR2 asks for it. Parsers and the model are processes of their own and are left out.
const { monitorEventLoopDelay } = require("node:perf_hooks");

if (process.channel === undefined) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on("SIGUSR2", () => {
    process.stderr.write(`{"longest_pause_ms":${(delays.max / 1e6).toFixed(1)}}\n`);
    delays.reset();
  });
}
