import { useEffect } from "preact/hooks";
import { Bars, Gauge, Sparkline } from "../reading/plots.js";
import { Section } from "../reading/section.js";
import { plural } from "../reading/small-print.js";
import { Empty, Problem, Waiting } from "../reading/states.js";
import { keys } from "../server/keys.js";
import { latencies, type Sample, total } from "../server/metrics.js";
import { type Ready, readStatus, type Snapshot, statusHistory } from "../server/status-history.js";

const EVERY_MS = 2_000;

/** Requests per minute that Readwise allows per key, by endpoint. */
const LIMITS: readonly (readonly [endpoint: RegExp, perMinute: number])[] = [
  [/^v2\/(books|highlights)$/, 20],
  [/^v3\/(save|update)/, 50],
  [/^v3\//, 20],
  [/^v2\//, 240],
];

export function StatusView() {
  const { snapshots, ready, problem } = statusHistory.value;
  const last = snapshots.at(-1);
  const held = keys.value;
  useEffect(() => {
    void readStatus();
    const timer = setInterval(() => void readStatus(), EVERY_MS);
    return () => clearInterval(timer);
  }, [held]);
  return (
    <div class="view">
      <h1>Status</h1>
      {problem && <Problem error={{ code: "status", message: problem }} />}
      {!last && !problem && <Waiting />}
      {ready && <Checks ready={ready} />}
      {last && (
        <>
          <Figures snapshots={snapshots} last={last.samples} />
          <Budgets snapshots={snapshots} last={last.samples} />
          <Latencies last={last.samples} />
        </>
      )}
    </div>
  );
}

function Checks({ ready }: { ready: Ready }) {
  return (
    <Section id="health" title={ready.ready ? "Ready" : "Not ready"}>
      <ul class="checks">
        {Object.entries(ready.checks).map(([name, state]) => (
          <li key={name} class={state === "ok" ? "good" : state.startsWith("degraded") ? "fair" : "bad"}>
            <strong>{name}</strong> <bdi>{state}</bdi>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Figures({ snapshots, last }: { snapshots: readonly Snapshot[]; last: readonly Sample[] }) {
  const calls = total(last, "bookwheel_tool_calls_total");
  const errors = total(last, "bookwheel_tool_errors_total");
  const hits =
    total(last, "bookwheel_cache_requests_total", { result: "hit" }) +
    total(last, "bookwheel_cache_requests_total", { result: "shared" });
  const misses = total(last, "bookwheel_cache_requests_total", { result: "miss" });
  const memory = snapshots.map(({ samples }) => total(samples, "process_resident_memory_bytes"));
  const cache = snapshots.map(({ samples }) => total(samples, "bookwheel_cache_bytes"));
  return (
    <Section id="figures" title="Now">
      <div class="figures">
        <Figure title="Tool calls" value={calls.toLocaleString()} more={plural(errors, "error")}>
          <Sparkline values={rates(snapshots, "bookwheel_tool_calls_total")} label="Calls a second, lately" />
        </Figure>
        <Figure
          title="Cache"
          value={hits + misses ? `${Math.round((hits / (hits + misses)) * 100)} % hits` : "unused"}
          more={`${bytes(cache.at(-1) ?? 0)} held`}
        >
          <Gauge
            used={hits}
            limit={Math.max(1, hits + misses)}
            label={`${hits} of ${hits + misses} look-ups answered from the cache`}
          />
        </Figure>
        <Figure title="Memory" value={bytes(memory.at(-1) ?? 0)} more="resident">
          <Sparkline values={memory} label="Resident memory, lately" />
        </Figure>
        <Figure
          title="Event loop"
          value={`${(total(last, "nodejs_eventloop_lag_p99_seconds") * 1000).toFixed(1)} ms`}
          more="lag, p99"
        >
          <Sparkline
            values={snapshots.map(({ samples }) => total(samples, "nodejs_eventloop_lag_mean_seconds"))}
            label="Mean lag, lately"
          />
        </Figure>
      </div>
    </Section>
  );
}

interface FigureProps {
  title: string;
  value: string;
  more: string;
  children: preact.ComponentChildren;
}

function Figure({ title, value, more, children }: FigureProps) {
  return (
    <figure>
      <figcaption>
        {title} <strong>{value}</strong> <small>{more}</small>
      </figcaption>
      {children}
    </figure>
  );
}

interface TableProps {
  caption: string;
  heads: readonly preact.ComponentChild[];
  children: preact.ComponentChildren;
}

function Table({ caption, heads, children }: TableProps) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <th key={index} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function Budgets({ snapshots, last }: { snapshots: readonly Snapshot[]; last: readonly Sample[] }) {
  const name = "bookwheel_upstream_requests_total";
  const endpoints = [
    ...new Set(last.filter((sample) => sample.name === name).map(({ labels }) => labels.endpoint!)),
  ].sort();
  const now = snapshots.at(-1)!.at;
  const start = snapshots.find(({ at }) => at >= now - 60_000)!;
  const seconds = Math.round((now - start.at) / 1000);
  return (
    <Section id="budgets" title="Readwise budgets">
      {endpoints.length === 0 ? (
        <Empty>Nothing was asked of Readwise yet.</Empty>
      ) : (
        <Table
          caption={`Requests seen in the last ${Math.max(2, seconds)} s against what Readwise allows a key in a minute`}
          heads={["Endpoint", "Used", <span class="sr-only">Share</span>, "Throttled"]}
        >
          {endpoints.map((endpoint) => {
            const limit = LIMITS.find(([pattern]) => pattern.test(endpoint))?.[1] ?? 240;
            const used = total(last, name, { endpoint }) - total(start.samples, name, { endpoint });
            return (
              <tr key={endpoint}>
                <th scope="row">
                  <code>{endpoint}</code>
                </th>
                <td>
                  {used} of {limit}
                </td>
                <td>
                  <Gauge used={used} limit={limit} label={`${used} of ${limit} requests`} />
                </td>
                <td>{total(last, "bookwheel_upstream_throttled_total", { endpoint })}</td>
              </tr>
            );
          })}
        </Table>
      )}
    </Section>
  );
}

function Latencies({ last }: { last: readonly Sample[] }) {
  const rows = latencies(last, "bookwheel_tool_duration_seconds", "tool");
  if (rows.length === 0) return null;
  return (
    <Section id="latency" title="Latency">
      <Table
        caption="Time of a call, from 1 ms on the left to a minute on the right"
        heads={["Tool", "Calls", <span class="sr-only">Spread</span>, "p50", "p95"]}
      >
        {rows.map(({ label, count, buckets, p50, p95 }) => (
          <tr key={label}>
            <th scope="row">
              <code>{label}</code>
            </th>
            <td>{count}</td>
            <td>
              <Bars counts={buckets.map((bucket) => bucket.count)} label={`Half within ${time(p50)}`} />
            </td>
            <td>≤ {time(p50)}</td>
            <td>≤ {time(p95)}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function rates(snapshots: readonly Snapshot[], name: string): number[] {
  return snapshots.slice(1).map(({ at, samples }, index) => {
    const before = snapshots[index]!;
    return Math.max(0, ((total(samples, name) - total(before.samples, name)) / (at - before.at)) * 1000);
  });
}

const bytes = (count: number) => (count < 1e6 ? `${Math.round(count / 1e3)} kB` : `${(count / 1e6).toFixed(1)} MB`);
function time(seconds: number): string {
  if (!Number.isFinite(seconds)) return "over a minute";
  return seconds < 1 ? `${seconds * 1000} ms` : `${seconds} s`;
}
