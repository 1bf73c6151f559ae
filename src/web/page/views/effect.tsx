import type { ToolInfo } from "../server/connection.js";

/**
 * Whether a tool writes, changes or deletes; nothing for one that only reads. A tool that replaces something is destructive
 * in the protocol's sense too, so only the name shows that it deletes.
 */
export function Effect({ tool: { name, annotations } }: { tool: ToolInfo }) {
  if (annotations?.readOnlyHint) return null;
  const effect = !annotations?.destructiveHint ? "writes" : /^(?:delete|remove)_/.test(name) ? "deletes" : "changes";
  return <span class={`effect ${effect}`}>{effect}</span>;
}
