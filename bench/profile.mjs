// Where a piece of work spends its time, by V8's sampling profiler, which itself slows it by some per cent.
import { Session } from "node:inspector/promises";

export async function profileOf(work) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 500 });
  await session.post("Profiler.start");
  await work();
  const { profile } = await session.post("Profiler.stop");
  return profile;
}

/**
 * What each kind of work took of the time inside files of one kind; work that goes on after a pause has lost its caller's
 * name, but not its file. A kind is a name and a pattern; a sample belongs
 * to the first whose pattern fits the nearest file of ours above it.
 */
export function sharesOf({ nodes, samples, timeDeltas }, filesInside, kinds) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const shares = {};
  let sum = 0;
  let inside = false;
  samples.forEach((id, i) => {
    const stack = [];
    for (let at = id; at !== undefined; at = parents.get(at)) stack.push(byId.get(at).callFrame);
    // The collector has no caller: it belongs to what was going on before it.
    const collects = stack[0].functionName === "(garbage collector)";
    if (!collects) inside = stack.some(({ url }) => filesInside.test(url));
    if (!inside) return;
    const own = stack.find(({ url }) => url.includes("/dist/"))?.url ?? "";
    const work = collects
      ? "collecting garbage"
      : (kinds.find(([, files]) => files.test(own))?.[0] ?? "the rest of Node");
    shares[work] = (shares[work] ?? 0) + timeDeltas[i];
    sum += timeDeltas[i];
  });
  return Object.fromEntries(Object.entries(shares).map(([work, time]) => [work, time / sum]));
}
