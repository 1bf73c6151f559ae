import { expect, it } from "vitest";
import { createIngestJobs } from "./jobs.js";

const quiet = () => {};
function openGate() {
  let resolve = quiet;
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}
const call = () => ({ signal: new AbortController().signal, progress: quiet });

it("answers with the result where it comes in time", async () => {
  const jobs = createIngestJobs();
  expect(await jobs.run("p", async () => 7, call())).toEqual({ result: 7 });
  expect(jobs.state("p")).toMatchObject({ status: "done" });
});

it("hands work over that takes longer than a client waits, and says how far it is until it is done", async () => {
  const jobs = createIngestJobs({ patienceMs: 1 });
  const gate = openGate();
  const answer = await jobs.run(
    "p",
    async (_signal, progress) => {
      progress(3, 8, "rims.pdf");
      await gate.promise;
      progress(8, 8);
    },
    call(),
  );
  expect(answer).toMatchObject({ running: { status: "running", done: 3, total: 8, current: "rims.pdf" } });
  await expect(jobs.run("p", async () => 1, call())).rejects.toMatchObject({ code: "INVALID_INPUT" });
  gate.resolve();
  await jobs.settled();
  expect(jobs.state("p")).toMatchObject({ status: "done", done: 8 });
});

it("goes on when the caller leaves after that, and stops when the caller leaves before", async () => {
  const jobs = createIngestJobs({ patienceMs: 1 });
  const caller = new AbortController();
  const gate = openGate();
  await jobs.run("p", () => gate.promise, { signal: caller.signal, progress: quiet });
  caller.abort();
  gate.resolve();
  await jobs.settled();
  expect(jobs.state("p")).toMatchObject({ status: "done" });

  const patient = createIngestJobs();
  const leaving = new AbortController();
  const running = patient.run(
    "p",
    (signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    { signal: leaving.signal, progress: quiet },
  );
  leaving.abort();
  await expect(running).rejects.toBeDefined();
  expect(patient.state("p")).toMatchObject({ status: "failed", error: expect.stringContaining("kept") });
});
