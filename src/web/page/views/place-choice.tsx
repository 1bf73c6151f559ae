import { places } from "../server/places.js";

interface PlaceChoiceProps {
  label: string;
  /** The chosen notebook or project; empty for everything. */
  value: string;
  onChange(id: string): void;
}

/** A choice of everything, or one project or notebook. */
export function PlaceChoice({ label, value, onChange }: PlaceChoiceProps) {
  const { projects, notebooks } = places.value;
  const groups = [
    ["Projects", projects],
    ["Notebooks", notebooks],
  ] as const;
  return (
    <label class="inline">
      {label}
      <select value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">everything you have read</option>
        {groups.map(
          ([label, list]) =>
            list.length > 0 && (
              <optgroup key={label} label={label}>
                {list.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ),
        )}
      </select>
    </label>
  );
}
