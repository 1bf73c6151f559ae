type LogLevel = "debug" | "info" | "warn" | "error";
export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** JSON lines, to stderr by default: stdout belongs to the protocol. `secrets` are always taken out. */
export function createLog(
  level: LogLevel,
  { secrets = [], write = toStderr }: { secrets?: readonly string[]; write?: (line: string) => void } = {},
): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  const at =
    (name: LogLevel) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (LOG_LEVELS.indexOf(name) < threshold) return;
      const line = JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields }, plainErrors);
      write(redact(line, secrets));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Takes credentials out of a text: the ones named, and whatever stands where a credential stands. */
export function redact(text: string, secrets: readonly (string | undefined)[] = []): string {
  let clean = text.replace(/\b(Token|Bearer)\s+[^\s"'\\,;]+/gi, "$1 ***");
  for (const secret of secrets) if (secret && secret.length >= 6) clean = clean.replaceAll(secret, "***");
  return clean;
}

function toStderr(line: string) {
  process.stderr.write(`${line}\n`);
}

function plainErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return {
    name: value.name,
    message: value.message,
    stack: value.stack,
    ...(value.cause === undefined ? {} : { cause: value.cause }),
  };
}
