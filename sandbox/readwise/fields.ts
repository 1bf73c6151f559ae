interface TextRule {
  max: number;
  min?: number;
  required?: boolean;
  blank?: boolean;
}

/** Adds the service's complaint about one text field, if it has any. Lengths are in characters, not UTF-16 units. */
export function checkText(
  errors: Record<string, string[]>,
  item: Record<string, unknown>,
  key: string,
  rule: TextRule,
) {
  const problem = textProblem(item[key], rule);
  if (problem !== null) errors[key] = [problem];
}

function textProblem(value: unknown, { max, min = 0, required = false, blank = false }: TextRule): string | null {
  if (value === undefined) return required ? "This field is required." : null;
  if (value === null) return required ? "This field may not be null." : null;
  if (typeof value !== "string") return "Not a valid string.";
  if (value.trim() === "") return blank ? null : "This field may not be blank.";
  const length = characters(value);
  if (length > max) return `Ensure this field has no more than ${max} characters.`;
  if (length < min) return `Ensure this field has at least ${min} characters.`;
  return null;
}

export function checkChoice(
  errors: Record<string, string[]>,
  item: Record<string, unknown>,
  key: string,
  choices: readonly string[],
): void {
  const value = item[key];
  if (value === undefined || value === null) return;
  if (typeof value !== "string" || !choices.includes(value))
    errors[key] = [`"${String(value)}" is not a valid choice.`];
}

export function isInteger(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value);
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
