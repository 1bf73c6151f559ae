import { workerData } from "node:worker_threads";

// A parser in an endless loop handles no messages, so a second thread of its process watches it: memory outside the
// JavaScript heap, and whether the parent process is still alive.
const { rssMb, parent } = workerData as { rssMb: number; parent: number };

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  if (rssMb > 0 && process.memoryUsage.rss() > rssMb * 1024 ** 2) process.kill(process.pid, "SIGTERM");
}, 100);
