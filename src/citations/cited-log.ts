import { appendFile, readFile, writeFile } from "node:fs/promises";
import { jsonOrUndefined } from "../kernel/json.js";

/** A cited work, with what is needed to find it again. */
interface CitedWork {
  at: string;
  key: string;
  /** Null for the highlights of a Readwise source. */
  project: string | null;
}

/** Records what was cited and when, so that `cite` can list, for example, a day's works. */
export interface CitedLog {
  add(works: readonly Omit<CitedWork, "at">[]): Promise<void>;
  /** Each work once, in the order it was first cited. */
  since(moment: Date): Promise<CitedWork[]>;
}

const MAX_LINES = 20_000;

/** An append-only file with one line per work; when it grows too long, its older half is dropped. */
export function fileCitedLog(file: string, now: () => Date = () => new Date()): CitedLog {
  const lines = async () => {
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    return text.split("\n").filter(Boolean);
  };
  return {
    async add(works) {
      if (works.length === 0) return;
      const at = now().toISOString();
      await appendFile(file, works.map(({ key, project }) => `${JSON.stringify({ at, key, project })}\n`).join(""), {
        mode: 0o600,
      });
    },
    async since(moment) {
      const all = await lines();
      if (all.length > MAX_LINES) await writeFile(file, `${all.slice(-MAX_LINES / 2).join("\n")}\n`, { mode: 0o600 });
      return distinct(
        all.flatMap((line) => asWork(jsonOrUndefined(line)) ?? []).filter(({ at }) => new Date(at) >= moment),
      );
    },
  };
}

export function memoryCitedLog(now: () => Date = () => new Date()): CitedLog {
  const kept: CitedWork[] = [];
  return {
    async add(works) {
      kept.push(...works.map((work) => ({ ...work, at: now().toISOString() })));
      if (kept.length > MAX_LINES) kept.splice(0, kept.length - MAX_LINES / 2);
    },
    since: async (moment) => distinct(kept.filter(({ at }) => new Date(at) >= moment)),
  };
}

function asWork(value: unknown): CitedWork | undefined {
  const { at, key, project } = (value ?? {}) as Record<string, unknown>;
  if (typeof at !== "string" || typeof key !== "string") return undefined;
  return { at, key, project: typeof project === "string" ? project : null };
}

function distinct(works: readonly CitedWork[]): CitedWork[] {
  return [...new Map([...works].reverse().map((work) => [`${work.project}\n${work.key}`, work])).values()].reverse();
}
