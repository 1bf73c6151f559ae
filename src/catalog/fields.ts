import { z } from "zod";

/**
 * Text of at most `max` characters. Characters are Unicode code points, as JSON Schema's maxLength and the upstream
 * services count them; zod's own `.max` counts UTF-16 units.
 */
export function text({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string()
    .superRefine((value, ctx) => {
      const length = codePoints(value);
      if (length > max)
        ctx.addIssue({
          code: "too_big",
          origin: "string",
          maximum: max,
          inclusive: true,
          input: value,
          message: `has ${length} characters; at most ${max} are allowed`,
        });
      else if (length < min)
        ctx.addIssue({
          code: "too_small",
          origin: "string",
          minimum: min,
          inclusive: true,
          input: value,
          message: min === 1 ? "must not be empty" : `needs at least ${min} characters`,
        });
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });
}

/** Parameters that say how much an answer may hold, each with its usual value; see `answer-budget.ts`. */
export const SIZES = z.registry<{ usual: number }>();

/** How many things an answer may hold. A call that asks for more than usual gets the larger budget. */
export function howMany({ usual, most }: { usual: number; most: number }, about: string) {
  return z.int().min(1).max(most).default(usual).describe(about).register(SIZES, { usual });
}

/** Length in code points without building an array of them. */
export function codePoints(value: string): number {
  let pairs = 0;
  for (let i = 0; i < value.length - 1; i++) {
    const unit = value.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = value.charCodeAt(i + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        pairs++;
        i++;
      }
    }
  }
  return value.length - pairs;
}
