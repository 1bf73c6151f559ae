export interface ReplicasResult {
  calls: number;
  writes: number;
  kills: number;
  /** Failed because the process they were on was killed. */
  inFlight: number;
  /** Failed for any other reason. */
  failures: { name: string; status: number; upstream: string; text: string }[];
  /** Answers with somebody else's text, or without the caller's own. */
  foreign: unknown[];
  exports: { pages: number; populations: number; twice: { page: string; first: number; again: number }[] };
  nginxErrors: string;
  /** What the replicas logged. */
  warnings: string[];
}
export function runReplicas(options?: {
  seconds?: number;
  clients?: number;
  keys?: number;
  replicas?: number;
  pauseMs?: number;
  /** Kill nobody. */
  calm?: boolean;
}): Promise<ReplicasResult>;
