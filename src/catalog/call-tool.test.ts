import { describe, expect, it } from "vitest";
import { broken, deaf, echo, refusing, several, slow } from "../../tests/support/fixture-tools.js";
import type { Services } from "../app/services.js";
import { createLog } from "../kernel/log.js";
import { callTool } from "./call-tool.js";
import type { CallContext } from "./context.js";

function context(lines: string[] = [], signal = new AbortController().signal): CallContext {
  const services = {
    readwise: { forKey: () => undefined },
    log: createLog("debug", { write: (line) => lines.push(line) }),
  } as unknown as Services;
  return { services, caller: { readwiseKey: "rw-key-456" }, signal, progress: () => {} };
}

describe("a tool call", () => {
  it("answers with what the tool returned", async () => {
    expect(await callTool(echo, { word: "hm", times: 2 }, context())).toEqual({ ok: true, data: { said: "hm hm" } });
  });

  it("names every bad field, what would be right, and the parameters there are", async () => {
    expect(await callTool(echo, { times: 9, tone: "loud" }, context())).toMatchInlineSnapshot(`
      {
        "error": {
          "code": "INVALID_INPUT",
          "details": {
            "fields": [
              {
                "field": "word",
                "problem": "required (string)",
              },
              {
                "field": "times",
                "problem": "Too big: expected number to be <=3",
              },
              {
                "field": "tone",
                "problem": "unknown parameter",
              },
            ],
          },
          "message": "echo was not called. word: required (string); times: Too big: expected number to be <=3; tone: unknown parameter. Parameters: word, times.",
          "recoverable": true,
          "type": "validation_error",
        },
        "ok": false,
      }
    `);
  });

  it("tells a wrong type from a missing field, and gives one reason per field", async () => {
    expect(await callTool(echo, { word: true, times: "two" }, context())).toMatchObject({
      error: {
        details: {
          fields: [
            { field: "word", problem: "Invalid input: expected string, received boolean" },
            { field: "times", problem: "Invalid input: expected number, received string" },
          ],
        },
      },
    });
    expect(await callTool(several, { words: [""] }, context())).toMatchObject({
      error: { details: { fields: [{ field: "words.0", problem: "must not be empty" }] } },
    });
  });

  it("keeps a refusal short however much is wrong", async () => {
    const outcome = await callTool(several, { words: Array(5_000).fill(true) }, context());
    expect(outcome).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
    expect(JSON.stringify(outcome).length).toBeLessThan(20_000);
    if (!outcome.ok) expect(outcome.error.message).toContain("and 4950 more");
  });

  it("calls the tool by the name the caller used", async () => {
    expect(await callTool(echo, {}, { ...context(), calledAs: "say" })).toMatchObject({
      error: { message: expect.stringMatching(/^say was not called/) },
    });
  });

  it("counts characters as people do, and uses the contract's own code for a text that is too long", async () => {
    expect(await callTool(echo, { word: "😀".repeat(10) }, context())).toMatchObject({ ok: true });
    expect(await callTool(echo, { word: "😀".repeat(11) }, context())).toMatchObject({
      ok: false,
      error: { code: "CONTENT_TOO_LARGE" },
    });
  });

  it("ends at its deadline, whether or not the tool listens to its signal", async () => {
    for (const tool of [slow, deaf])
      expect(await callTool(tool, {}, context())).toMatchObject({
        ok: false,
        error: { code: "TIMEOUT", recoverable: true, details: { timeout_ms: 50 } },
      });
  });

  it("logs a deadline that passed at warn, with the tool, the code and how long it took", async () => {
    const lines: string[] = [];
    await callTool(slow, {}, context(lines));
    const [line, ...others] = lines.map((each) => JSON.parse(each));
    expect(others).toEqual([]);
    expect(line).toMatchObject({ level: "warn", message: "tool timed out", tool: slow.name, code: "TIMEOUT" });
    expect(line.ms).toBeGreaterThanOrEqual(49);
  });

  it("ends when the caller goes away", async () => {
    const gone = new AbortController();
    const call = callTool(deaf, {}, context([], gone.signal));
    gone.abort();
    expect(await call).toMatchObject({ ok: false, error: { details: { cancelled: true } } });
  });

  it("passes a known failure through with its code, details and wait", async () => {
    expect(await callTool(refusing, {}, context())).toEqual({
      ok: false,
      error: {
        type: "api_error",
        code: "RATE_LIMITED",
        message: "Wait 7 seconds.",
        details: { limit: 10 },
        recoverable: true,
        retry_after: 7,
      },
    });
  });

  it("logs an unexpected failure in full, answers with its correlation id and nothing else, and lets no key out", async () => {
    const lines: string[] = [];
    const outcome = await callTool(broken, {}, context(lines));
    const { correlation_id } = (outcome as unknown as { error: { details: { correlation_id: string } } }).error.details;
    expect(outcome).toEqual({
      ok: false,
      error: {
        type: "internal_error",
        code: "INTERNAL_ERROR",
        message: expect.stringContaining(correlation_id),
        details: { correlation_id },
        recoverable: false,
      },
    });
    expect(JSON.stringify(outcome)).not.toContain("never shown");
    const log = lines.join("\n");
    expect(log).toContain(correlation_id);
    expect(log).toContain("never shown to a caller");
    expect(log).not.toContain("sk-secret-123");
  });
});
