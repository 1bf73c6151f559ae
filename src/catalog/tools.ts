import type { Tool } from "./define-tool.js";

/** Every tool there is. What a caller sees of it depends on the door and the profiles. */
export const TOOLS: readonly Tool[] = [];
