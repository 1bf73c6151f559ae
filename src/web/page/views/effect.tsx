import type { ToolInfo } from "../server/connection.js";

/** Whether a tool writes or deletes; nothing for one that only reads. */
export function Effect({ tool: { annotations } }: { tool: ToolInfo }) {
  const effect = annotations?.readOnlyHint ? undefined : annotations?.destructiveHint ? "deletes" : "writes";
  return effect ? <span class={`effect ${effect}`}>{effect}</span> : null;
}
