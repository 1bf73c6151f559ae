export interface LoggedRequest {
  at: number;
  /** Null when the request carried none that is known. */
  token: string | null;
  method: string;
  path: string;
  query: Record<string, string>;
  endpoint: string;
  /** 0 where the connection ended without an answer. */
  status: number;
}

const KEPT = 10_000;

/** The latest requests, and counts of all of them. */
export function createRequestLog() {
  let entries: LoggedRequest[] = [];
  const counts = new Map<string, number>();
  const key = (endpoint: string, token: string) => `${endpoint}\n${token}`;
  const bump = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

  return {
    add(entry: LoggedRequest): void {
      entries.push(entry);
      if (entries.length > 2 * KEPT) entries = entries.slice(-KEPT);
      bump("");
      bump(key("", entry.token ?? ""));
      bump(entry.endpoint);
      bump(key(entry.endpoint, entry.token ?? ""));
    },
    list(token?: string): LoggedRequest[] {
      return entries.filter((entry) => token === undefined || entry.token === token);
    },
    /** Without arguments, all requests; a path that is no endpoint counts as its own name, `unknown`. */
    count(endpoint = "", token?: string): number {
      return counts.get(token === undefined ? endpoint : key(endpoint, token)) ?? 0;
    },
    counts(): Record<string, number> {
      return Object.fromEntries([...counts].filter(([name]) => name !== "" && !name.includes("\n")));
    },
    clear(): void {
      entries = [];
      counts.clear();
    },
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
