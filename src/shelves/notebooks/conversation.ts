import { ShelfError } from "../../kernel/errors.js";

export function unknownConversation(id: string): ShelfError {
  return new ShelfError(
    "NOT_FOUND",
    `There is no conversation '${id}' in this notebook any more. Leave conversation_id out to start a new one.`,
    { details: { conversation_id: id } },
  );
}
