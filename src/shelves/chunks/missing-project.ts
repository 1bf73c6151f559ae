import { ShelfError } from "../../kernel/errors.js";

/** What a store answers for a project it does not have. */
export function missingProject(id: string): ShelfError {
  return new ShelfError("INVALID_PROJECT", `Project '${id}' not found.`, { details: { project_id: id } });
}
