import { useState } from "preact/hooks";
import { jsonOrUndefined } from "../../../kernel/json.js";
import { CopyButton } from "../reading/clipboard.js";
import { plural } from "../reading/small-print.js";
import { Problem } from "../reading/states.js";
import { type Args, callTool, type Exchange, type Failure, type ToolInfo } from "../server/connection.js";
import { keys } from "../server/keys.js";
import { argumentsFrom, curlOf, fieldsOf } from "./tool-arguments.js";
import { ToolField } from "./tool-field.js";
import { useChoices } from "./use-choices.js";

export function ToolCard({ tool }: { tool: ToolInfo }) {
  const fields = fieldsOf(tool.inputSchema);
  const [values, setValues] = useState<Record<string, string>>({});
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [exchange, setExchange] = useState<Exchange>();
  const [failure, setFailure] = useState<Failure>();
  const [running, setRunning] = useState(false);
  const [confirmed, setConfirmed] = useState(false);
  const choices = useChoices(tool, values);
  const deletes = tool.annotations?.destructiveHint === true;

  async function run(event: Event) {
    event.preventDefault();
    const { args, problems: found } = argumentsFrom(fields, values);
    if (showProblems(found)) return;
    setRunning(true);
    setFailure(undefined);
    const answer = await callTool(tool.name, args, { watch: setExchange });
    setRunning(false);
    setConfirmed(false);
    if (answer.ok) return;
    if (answer.error.code === "unreachable") setFailure(answer.error);
    // A problem inside a value is named by its path: "filters.tags[0]".
    showProblems(
      Object.fromEntries(
        (answer.error.details?.fields ?? []).map(({ field, problem }) => [field.split(/[.[]/, 1)[0], problem]),
      ),
    );
  }

  /** Each at its field; the first one gets the focus. False where there is none. */
  function showProblems(found: Record<string, string>): boolean {
    setProblems(found);
    const first = fields.find(({ name }) => name in found);
    if (first) document.getElementById(`field-${first.name}`)?.focus();
    return first !== undefined;
  }

  return (
    <section class="tool" aria-labelledby="tool-title">
      <h2 id="tool-title">
        {tool.title ?? tool.name} <Effect tool={tool} />
      </h2>
      <p class="small-print">
        <code>{tool.name}</code>
      </p>
      <p>{tool.description}</p>
      <form onSubmit={(event) => void run(event)} noValidate>
        {fields.length === 0 && <p class="small-print">It takes no parameters.</p>}
        {fields.map((field) => (
          <ToolField
            key={field.name}
            field={field}
            choices={choices[field.name] ?? []}
            value={values[field.name] ?? ""}
            problem={problems[field.name]}
            onInput={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {deletes && (
          <label class="switch">
            <input
              type="checkbox"
              checked={confirmed}
              onChange={(event) => setConfirmed(event.currentTarget.checked)}
            />{" "}
            This deletes something, and I mean it
          </label>
        )}
        <div class="row">
          <button type="submit" class="primary" disabled={running || (deletes && !confirmed)}>
            {running ? "Calling …" : "Call"}
          </button>
          <CopyButton
            text={() => curlOf(tool.name, argumentsFrom(fields, values).args as Args, keys.value)}
            label="Copy as curl"
            what="the curl line"
          />
        </div>
      </form>
      {failure && <Problem error={failure} />}
      <div aria-live="polite">{exchange && <Wire exchange={exchange} />}</div>
    </section>
  );
}

/**
 * Whether a tool writes, changes or deletes; nothing for one that only reads. A tool that replaces something is destructive
 * in the protocol's sense too, so only the name shows that it deletes.
 */
export function Effect({ tool: { name, annotations } }: { tool: ToolInfo }) {
  if (annotations?.readOnlyHint) return null;
  const effect = !annotations?.destructiveHint ? "writes" : /^(?:delete|remove)_/.test(name) ? "deletes" : "changes";
  return <span class={`effect ${effect}`}>{effect}</span>;
}

function Wire({ exchange }: { exchange: Exchange }) {
  const answer = resultOf(exchange.response);
  return (
    <>
      <h3>
        {answer.failed ? "Error" : "Answer"}{" "}
        <small>
          HTTP {exchange.status} · {Math.round(exchange.ms)} ms · {plural(exchange.response.length, "character")}
        </small>
      </h3>
      <Code text={answer.content} label="Structured answer" />
      <details>
        <summary>Raw request</summary>
        <Code
          label="Raw request"
          text={`POST ${new URL(exchange.url).pathname}\n${Object.entries(exchange.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}\n\n${pretty(exchange.request)}`}
        />
      </details>
      <details>
        <summary>Raw answer</summary>
        <Code text={pretty(exchange.response)} label="Raw answer" />
      </details>
    </>
  );
}

function Code({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

function resultOf(response: string): { content: string; failed: boolean } {
  const body = parsed(response) as
    | { result?: { structuredContent?: unknown; isError?: boolean }; error?: unknown }
    | undefined;
  if (!body) return { content: response, failed: true };
  const content = body.result?.structuredContent ?? body.error ?? body;
  return { content: JSON.stringify(content, null, 2), failed: Boolean(body.error ?? body.result?.isError) };
}

function pretty(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** A body is JSON, or an event stream with JSON in its data lines; the last one is the result. */
function parsed(text: string): unknown {
  const data = text.split("\n").filter((line) => line.startsWith("data:"));
  return jsonOrUndefined(data.length ? data.at(-1)!.slice(5) : text);
}
