import type { NamedPlace } from "../server/places.js";
import type { Field } from "./tool-arguments.js";

interface ToolFieldProps {
  field: Field;
  /** Possible values: notebooks, projects, sources. */
  choices: readonly NamedPlace[];
  value: string;
  problem: string | undefined;
  onInput(value: string): void;
}

export function ToolField({ field, choices, value, problem, onInput }: ToolFieldProps) {
  const id = `field-${field.name}`;
  const described = `${id}-about${problem ? ` ${id}-problem` : ""}`;
  return (
    <div class="field">
      <label for={id}>
        <code>{field.name}</code>
        {field.required && <span class="needed"> needed</span>}
      </label>
      {choices.length > 0 && (
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.name}
            </option>
          ))}
        </datalist>
      )}
      <Control
        field={field}
        choices={choices}
        value={value}
        id={id}
        described={described}
        invalid={problem !== undefined}
        onInput={onInput}
      />
      <p id={`${id}-about`} class="small-print">
        {saysMore(field) && field.about}
        {hint(field)}
      </p>
      {problem && (
        <p id={`${id}-problem`} class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface ControlProps extends Omit<ToolFieldProps, "problem"> {
  id: string;
  described: string;
  invalid: boolean;
}

function Control({ field, choices, value, id, described, invalid, onInput }: ControlProps) {
  const shared = { id, "aria-describedby": described, "aria-invalid": invalid, required: field.required, value };
  const fallback = field.fallback === undefined ? "" : JSON.stringify(field.fallback);
  switch (field.kind) {
    case "boolean":
    case "choice":
      return (
        <select {...shared} onInput={(event) => onInput(event.currentTarget.value)}>
          <option value="">{field.fallback === undefined ? "–" : `– (${String(field.fallback)})`}</option>
          {(field.kind === "boolean" ? ["true", "false"] : field.choices).map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      );
    case "long":
    case "names":
    case "json":
      return (
        <textarea
          {...shared}
          rows={field.kind === "names" ? 2 : 4}
          placeholder={field.kind === "json" ? fallback || (field.schema.type === "array" ? "[ ]" : "{ }") : ""}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      );
    default:
      return (
        <input
          {...shared}
          type="text"
          list={choices.length > 0 ? `${id}-choices` : undefined}
          inputMode={field.kind === "text" ? undefined : "numeric"}
          autocomplete="off"
          placeholder={fallback}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      );
  }
}

/** A description for a model may only repeat the name. */
const saysMore = ({ name, about }: Field) => about.toLowerCase() !== name.replaceAll("_", " ");

function hint({ kind, schema }: Field): string {
  if (kind === "names") return " (one per line)";
  if (kind === "json") return " (JSON)";
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined) return ` (${minimum} to ${maximum})`;
  return "";
}
