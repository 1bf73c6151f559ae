import type { Services } from "../app/services.js";

/** Reports progress of long work; a no-op for callers that did not ask for progress. */
export type Progress = (done: number, total?: number, message?: string) => void;

/** Who is asking, settled by the transport before a tool runs. */
export interface Caller {
  /** The caller's own Readwise key; never stored or logged. */
  readwiseKey?: string | undefined;
}

/** Another tool at the same door, to suggest it if the caller meant that one. */
export interface OfferedTool {
  name: string;
  doorName: string;
  input: { shape: object };
}

export interface CallContext {
  services: Services;
  /** The tool's name at the door it was called through, where that is another than its own. */
  calledAs?: string | undefined;
  /** Puts the door's names of tools into a message, where they differ from the catalog's. */
  inNames?: ((text: string) => string) | undefined;
  /** The other tools at that door. */
  offered?: readonly OfferedTool[] | undefined;
  caller: Caller;
  signal: AbortSignal;
  progress: Progress;
}

/** The context of `run`: the services by name, the caller's Readwise library, and the call's deadline. */
export interface ToolContext extends Omit<Services, "readwise"> {
  readwise: ReturnType<Services["readwise"]["forKey"]>;
  /** How long the answer may be, in characters of its JSON; see `answer-budget.ts`. */
  budget: number;
  /** Where a tool with a `list` continues: the `next_cursor` that an earlier `run` returned. */
  cursor: string | undefined;
  signal: AbortSignal;
  progress: Progress;
}
