export interface ExampleRow {
  tool: string;
  request: Record<string, unknown>;
  answer: Record<string, unknown>;
}
export const EXAMPLES: readonly { tool: string }[];
export function runExamples(
  call: (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>,
  only?: (tool: string) => boolean,
): Promise<ExampleRow[]>;
export function caller(url: string): (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;
export function trimmed(value: unknown): unknown;
export function settler(): (value: unknown) => unknown;
