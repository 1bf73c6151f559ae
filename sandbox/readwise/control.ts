import { type Answer, badRequest, isRecord, noContent, notFound, ok } from "./calls.js";
import { ENDPOINT_NAMES } from "./endpoints.js";
import { type Fault, type Faults, faultProblem } from "./faults.js";
import type { RequestLog } from "./request-log.js";

interface ControlRequest {
  method: string;
  pathname: string;
  searchParams: URLSearchParams;
  body: string;
}

/** What can be steered of a running sandbox. */
interface Steered {
  requests: Pick<RequestLog, "list" | "counts">;
  faults: Pick<Faults, "list" | "set" | "clear">;
  reset(): void;
  advance(ms: number): void;
}

/** Steers the sandbox from another process. The real service has nothing like it. */
export function answerControl(sandbox: Steered, request: ControlRequest): Answer {
  switch (`${request.method} ${request.pathname.replace(/\/$/, "")}`) {
    case "GET /_sandbox/requests": {
      const requests = sandbox.requests.list(request.searchParams.get("token") ?? undefined);
      return ok({ counts: sandbox.requests.counts(), requests });
    }
    case "GET /_sandbox/faults":
      return ok({ faults: sandbox.faults.list(), endpoints: ENDPOINT_NAMES });
    case "POST /_sandbox/faults":
      return setFaults(sandbox, parse(request.body));
    case "POST /_sandbox/reset":
      sandbox.reset();
      return noContent;
    case "POST /_sandbox/advance": {
      const body = parse(request.body);
      if (!isRecord(body) || typeof body.ms !== "number") return badRequest({ detail: "ms must be a number" });
      sandbox.advance(body.ms);
      return noContent;
    }
    default:
      return notFound;
  }
}

/** One fault or a list of them; an empty list clears all. */
function setFaults(sandbox: Steered, body: unknown): Answer {
  const wanted: unknown[] = Array.isArray(body) ? body : [body];
  for (const each of wanted) {
    const problem = isRecord(each) ? faultProblem(each, ENDPOINT_NAMES) : "send a fault or a list of faults as JSON";
    if (problem) return badRequest({ detail: problem });
  }
  if (wanted.length === 0) sandbox.faults.clear();
  for (const each of wanted) sandbox.faults.set(each as Fault); // faultProblem has looked at every field
  return ok({ faults: sandbox.faults.list() });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
