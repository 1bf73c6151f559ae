// What every shelf has, under its own name.
const BAD_PARAMETER = row("validation_error", 400, true, {
  meaning: "A parameter is missing, unknown or out of bounds.",
  remedy: "Correct the fields named in details.fields.",
});
const LATE = row("api_error", 504, true, {
  meaning: "The call did not finish inside its deadline.",
  remedy: "Call again, or ask for less.",
});
const OUR_FAULT = row("internal_error", 500, false, {
  meaning: "A fault of ours.",
  remedy: "Report it with details.correlation_id.",
});

/**
 * Everything that can go wrong, one row per code. `docs/ERRORS.md` is generated from this table. `recoverable` says whether the
 * caller can get further alone: with other arguments, another tool, or later.
 */
export const ERRORS = {
  // Readwise shelf: lower case, as its contract spells them.
  invalid_param: BAD_PARAMETER,
  auth_error: row("auth_error", 401, false, {
    meaning: "No Readwise key came with the call, or Readwise refused it.",
    remedy: "Send the key as the message says; make one at readwise.io/access_token.",
  }),
  not_found: row("api_error", 404, true, {
    meaning: "Readwise has no such item.",
    remedy: "Look the id up with the matching list or search tool.",
  }),
  rate_limited: row("api_error", 429, true, {
    meaning: "Readwise throttles this key.",
    remedy: "Wait retry_after seconds, then call again.",
  }),
  not_persisted: row("api_error", 409, false, {
    meaning: "Readwise accepted the write and did not keep it.",
    remedy: "Nothing; the API does not store this value.",
  }),
  too_large: row("api_error", 507, false, {
    meaning: "A reader's library does not fit into the server's cache.",
    remedy: "Raise CACHE_MAX_SIZE_MB as the message says.",
  }),
  upstream_error: row("api_error", 502, true, {
    meaning: "Readwise answered with a server error or something unreadable.",
    remedy: "Call again later.",
  }),
  upstream_rejected: row("api_error", 400, true, {
    meaning: "Readwise refused the request as invalid.",
    remedy: "Read the message; it carries Readwise's own reasons.",
  }),
  timeout: LATE,
  internal_error: OUR_FAULT,

  // Notebooks and chunks shelves: upper case, as theirs do.
  INVALID_INPUT: BAD_PARAMETER,
  INVALID_PROJECT: row("validation_error", 404, true, {
    meaning: "No project of that name.",
    remedy: "Use one of details.available_projects, or create_project.",
  }),
  EMBEDDING_MISMATCH: row("validation_error", 409, true, {
    meaning: "The vectors come from another model than the project is bound to.",
    remedy: "Embed with details.expected, or set allow_model_migration.",
  }),
  HYBRID_NOT_SUPPORTED: row("validation_error", 400, true, {
    meaning: "The project has no full-text index.",
    remedy: "Use find_chunks instead.",
  }),
  INDEX_UNAVAILABLE: row("api_error", 503, true, {
    meaning: "The store or one of its indexes cannot be reached.",
    remedy: "Run doctor; details say what is missing.",
  }),
  NOT_FOUND: row("validation_error", 404, true, {
    meaning: "No such notebook, source, document or chunk.",
    remedy: "Check the id with the matching list tool.",
  }),
  NO_SOURCES: row("validation_error", 409, true, {
    meaning: "The notebook has no readable source.",
    remedy: "Add a source with add_source first.",
  }),
  QUESTION_TOO_LONG: row("validation_error", 400, true, {
    meaning: "The question has more than 10,000 characters.",
    remedy: "Shorten it.",
  }),
  INVALID_URL: row("validation_error", 400, true, {
    meaning: "The URL is malformed, private or unreachable.",
    remedy: "Give a public http(s) address.",
  }),
  UNSUPPORTED_URL: row("validation_error", 400, true, {
    meaning: "That kind of address cannot be read.",
    remedy: "Use another source, or paste the text.",
  }),
  CONTENT_TOO_LARGE: row("validation_error", 413, true, {
    meaning: "The content is over the limit.",
    remedy: "Split it into several sources.",
  }),
  PROCESSING_FAILED: row("api_error", 422, true, {
    meaning: "The source could not be read.",
    remedy: "Read details; try another address or paste the text.",
  }),
  AUTH_REQUIRED: row("auth_error", 401, false, {
    meaning: "The notebook account is not signed in.",
    remedy: "Run `bookwheel login notebooks`, then health_check.",
  }),
  SESSION_EXPIRED: row("auth_error", 401, false, {
    meaning: "The notebook session ended.",
    remedy: "Run `bookwheel login notebooks`.",
  }),
  BROWSER_LAUNCH_FAILED: row("api_error", 500, false, {
    meaning: "No browser could be started.",
    remedy: "Install Chrome or Chromium; run doctor.",
  }),
  NETWORK_ERROR: row("api_error", 502, true, {
    meaning: "The notebook service could not be reached.",
    remedy: "Check the connection and call again.",
  }),
  PARSE_ERROR: row("api_error", 502, false, {
    meaning: "The notebook service answered in an unknown form.",
    remedy: "Report it; the service may have changed.",
  }),
  RATE_LIMITED: row("api_error", 429, true, {
    meaning: "Too many calls.",
    remedy: "Wait retry_after seconds, then call again.",
  }),
  TIMEOUT: LATE,
  INTERNAL_ERROR: OUR_FAULT,
} as const;

export type ErrorCode = keyof typeof ERRORS;
type ErrorType = "validation_error" | "auth_error" | "api_error" | "internal_error";

function row(type: ErrorType, status: number, recoverable: boolean, words: { meaning: string; remedy: string }) {
  return { type, status, recoverable, ...words } as const;
}

interface ErrorExtras {
  details?: Record<string, unknown>;
  retry_after?: number;
  cause?: unknown;
}

/** However long an upstream asks to wait, a caller is asked to come back within the hour. */
export const LONGEST_WAIT_SECONDS = 3_600;

/** A failure we know: thrown where the fact is known, with the way out in its message. */
export class ShelfError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly retry_after: number | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = "ShelfError";
    this.code = code;
    this.details = extras.details ?? {};
    this.retry_after =
      extras.retry_after === undefined ? undefined : Math.min(LONGEST_WAIT_SECONDS, extras.retry_after);
  }
}

/** A parameter that cannot be used, named in `details.fields` as the schemas' own refusals name theirs. */
export function badParameter(
  code: "invalid_param" | "INVALID_INPUT" | "NOT_FOUND",
  field: string,
  problem: string,
  message = `${field}: ${problem}.`,
): ShelfError {
  return new ShelfError(code, message, { details: { fields: [{ field, problem }] } });
}

/** What a caller gets: the same envelope on every shelf. */
export interface Failure {
  type: ErrorType;
  code: ErrorCode;
  message: string;
  details: Record<string, unknown>;
  recoverable: boolean;
  retry_after?: number;
}

export function failure(
  code: ErrorCode,
  message: string,
  details: Record<string, unknown> = {},
  retry_after?: number,
): Failure {
  const { type, recoverable } = ERRORS[code];
  const short = withoutMiddle(message);
  return { type, code, message: short, details, recoverable, ...(retry_after === undefined ? {} : { retry_after }) };
}

const MESSAGE_MAX = 2_000;

/** A message quotes what it was given, whatever its length; what is wrong stands at its start, the way out at its end. */
function withoutMiddle(message: string): string {
  if (message.length <= MESSAGE_MAX) return message;
  const half = MESSAGE_MAX / 2;
  return `${message.slice(0, half).toWellFormed()} … ${message.slice(-half).toWellFormed()}`;
}
