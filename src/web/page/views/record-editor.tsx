import { useRef, useState } from "preact/hooks";
import type { z } from "zod";
import type { DocumentRecord as Record } from "../../../shelves/chunks/schemas.js";
import { say } from "../notices.js";
import { SmallPrint } from "../reading/small-print.js";
import { Problem } from "../reading/states.js";
import { callTool, type Failure, offers } from "../server/connection.js";

/** The record of a document of a project. */
export type DocumentRecord = z.infer<typeof Record>;

const FIELDS = [
  ["title", "Title"],
  ["author", "Author (several with ; between)"],
  ["year", "Year"],
  ["key", "Citation key"],
] as const;
type FieldName = (typeof FIELDS)[number][0];

interface RecordEditorProps {
  project: string;
  record: DocumentRecord;
  onSaved(): void;
}

/** The record of a document, which can be corrected here. */
export function RecordEditor({ project, record, onSaved }: RecordEditorProps) {
  const known: Record<FieldName, string> = {
    title: record.title,
    author: record.author ?? "",
    year: record.year === undefined ? "" : String(record.year),
    key: record.citekey ?? "",
  };
  const [values, setValues] = useState(known);
  const [error, setError] = useState<Failure>();
  const [wrong, setWrong] = useState<FieldName>();
  const form = useRef<HTMLFormElement>(null);
  const changed = FIELDS.map(([name]) => name).filter(
    (name) => values[name].trim() && values[name].trim() !== known[name],
  );
  if (!offers("update_document_record")) return null;

  async function save(event: Event) {
    event.preventDefault();
    if (changed.includes("year") && !Number.isInteger(Number(values.year)))
      return refuse({ code: "no_year", message: "A year is a whole number, such as 1931." }, "year");
    const change = Object.fromEntries(
      changed.map((name) => [name, name === "year" ? Number(values.year) : values[name].trim()]),
    );
    const answer = await callTool("update_document_record", { project, source: record.id, ...change });
    if (!answer.ok) {
      const refused = answer.error.details?.fields?.map(({ field }) => field) ?? [];
      return refuse(
        answer.error,
        changed.find((name) => refused.includes(name)),
      );
    }
    setError(undefined);
    setWrong(undefined);
    say(`Corrected “${values.title.trim() || record.title}”.`);
    onSaved();
  }

  function refuse(why: Failure, name: FieldName | undefined): void {
    setError(why);
    setWrong(name);
    if (name) form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
  }

  return (
    <form ref={form} class="record" onSubmit={(event) => void save(event)}>
      {FIELDS.map(([name, label]) => (
        <label key={name} class={`stacked field-${name}`}>
          {label}
          <input
            name={name}
            aria-invalid={wrong === name}
            value={values[name]}
            inputMode={name === "year" ? "numeric" : undefined}
            onInput={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
          />
        </label>
      ))}
      {record.suspicious && record.suspicious.length > 0 && (
        <SmallPrint parts={record.suspicious.map(({ why }) => why)} />
      )}
      {error && <Problem error={error} />}
      <button type="submit" disabled={changed.length === 0}>
        Save
      </button>
    </form>
  );
}
