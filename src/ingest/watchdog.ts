import { workerData } from "node:worker_threads";

// A parser in an endless loop answers nobody, so its own process watches it from a second thread: memory outside the
// JavaScript heap, and whether there is still somebody to read for.
const { rssMb, parent } = workerData as { rssMb: number; parent: number };

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  if (rssMb > 0 && process.memoryUsage.rss() > rssMb * 1024 ** 2) process.kill(process.pid, "SIGTERM");
}, 100);
