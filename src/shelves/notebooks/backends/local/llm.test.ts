import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { openLocalNotebooks, type Site, startSite } from "../../../../../tests/support/local-notebooks.js";
import { createLlm, type LlmOptions } from "./llm.js";

const signal = () => AbortSignal.timeout(10_000);
const TIDES =
  "Two high tides happen each lunar day. Spring tides follow the full and the new Moon. Neap tides follow the quarters.";
const CLOCKS = "Harrison finished his first sea clock in 1735. Spring tides did not interest him.";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Behaviour = (response: ServerResponse, site: Site) => void;

async function server(behave: Behaviour, options: Partial<LlmOptions> = {}) {
  const site: Site = await startSite((_request, response) => behave(response, site));
  closing.push(() => site.close());
  return { site, llm: createLlm({ url: `${site.url}/v1`, model: "test-model", timeoutMs: 3_000, ...options }) };
}

/** A notebook of two sources behind that model, asked one question. */
async function asked(behave: Behaviour, options?: Partial<LlmOptions>) {
  const { site, llm } = await server(behave, options);
  const local = await openLocalNotebooks({ llm });
  closing.push(() => local.close());
  const id = await local.notebook(TIDES, CLOCKS);
  const answer = await local.backend.ask(id, "When do spring tides come?", signal());
  return { answer, site };
}

const event = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;
const streaming = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const says =
  (...parts: string[]): Behaviour =>
  (response) => {
    streaming(response);
    for (const part of parts) response.write(event(part));
    response.end(`${event("", "stop")}data: [DONE]\n\n`);
  };

describe("an answer written by a language model", () => {
  it("is put together from the stream, and every mark leads to verbatim text", async () => {
    const { answer, site } = await asked(
      says("They come at full ", "and new Moon [", "1].", " The clock is of 1735 [2]."),
    );
    expect(answer).toMatchObject({
      answer: "They come at full and new Moon [1]. The clock is of 1735 [2].",
      citations: [
        { mark: 1, source_title: "Source 1", excerpt: "Spring tides follow the full and the new Moon." },
        { mark: 2, source_title: "Source 2", excerpt: "Harrison finished his first sea clock in 1735." },
      ],
      method: "llm",
      notes: expect.arrayContaining([expect.stringContaining("test-model")]),
    });
    const sent = JSON.parse(site.requests[0]!.body);
    expect(site.requests[0]).toMatchObject({ path: "/v1/chat/completions" });
    expect(sent).toMatchObject({ model: "test-model", stream: true });
    expect(sent.messages[0].content).toContain("square brackets");
    expect(sent.messages[1].content).toMatch(
      /\[1\] Source 1\nTwo high tides[\s\S]*Question: When do spring tides come\?$/,
    );
  });

  it("loses the marks that lead nowhere, and numbers the others again", async () => {
    const { answer } = await asked(says("Clocks [2]. Tides [1, 7]. Nothing [99]. More clocks [2][0]."));
    expect(answer.answer).toBe("Clocks [1]. Tides [2]. Nothing. More clocks [1].");
    expect(answer.citations.map(({ mark, source_title }) => [mark, source_title])).toEqual([
      [1, "Source 2"],
      [2, "Source 1"],
    ]);
    expect(answer.notes.join(" ")).toContain("3 mark(s)");
  });

  it("has its quotations looked up, and says how many were found", async () => {
    const good = await asked(says("It says “Spring  tides follow the full and the new Moon” [1]."));
    expect(good.answer.answer).toContain("(Quotations checked: 1; found in the sources: 1.)");
    const bad = await asked(
      says('It says "spring tides follow the full moon" and "Harrison finished his first sea clock" [1].'),
    );
    expect(bad.answer.answer).toContain("(Quotations checked: 2; found in the sources: 1.)");
    expect(bad.answer.confidence).toBe("low");
  });

  it("may be that the passages do not say", async () => {
    const { answer } = await asked(says("UNANSWERED", "."));
    expect(answer).toMatchObject({
      answer: expect.stringContaining("do not answer"),
      citations: [],
      confidence: "low",
      method: "llm",
    });
  });

  it("without any mark is given with low confidence", async () => {
    const { answer } = await asked(says("At full and new Moon."));
    expect(answer).toMatchObject({
      citations: [],
      confidence: "low",
      notes: expect.arrayContaining(["The answer cites no passage."]),
    });
  });

  it("is read from servers that do not stream, think aloud, or send text in parts", async () => {
    const whole = await asked((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          choices: [{ message: { role: "assistant", content: "At new Moon [1]." }, finish_reason: "stop" }],
        }),
      ),
    );
    expect(whole.answer).toMatchObject({ answer: "At new Moon [1].", method: "llm" });
    const thinking = await asked(says("<think>Passage [9]? ", "No.</think>\n", "At new Moon [1]."));
    expect(thinking.answer.answer).toBe("At new Moon [1].");
    const parts = await asked((response) => {
      const data = {
        choices: [{ delta: { content: [{ type: "text", text: "At new Moon [1]." }] }, finish_reason: "length" }],
      };
      streaming(response).end(`: a comment\r\nevent: x\r\ndata: ${JSON.stringify(data)}\r\n\r\n`);
    });
    expect(parts.answer).toMatchObject({
      answer: "At new Moon [1].",
      notes: expect.arrayContaining([expect.stringContaining("length limit")]),
    });
  });

  it("is read whole where a character or an event is cut between two packets", async () => {
    const { answer } = await asked((response) => {
      const bytes = Buffer.from(`${event("À la pleine lune 🌕 [1].")}data: [DONE]\n\n`);
      streaming(response);
      let at = 0;
      const next = () => {
        if (at >= bytes.length) return response.end();
        response.write(bytes.subarray(at, at + 7), () => setImmediate(next));
        at += 7;
      };
      next();
    });
    expect(answer.answer).toBe("À la pleine lune 🌕 [1].");
  });
});

describe("a language model that fails", () => {
  const json =
    (status: number, body: string): Behaviour =>
    (response) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body);
  const failures: [string, Behaviour, RegExp][] = [
    ["refuses the key", json(401, "{}"), /HTTP 401.*BOOKWHEEL_LLM_API_KEY/],
    ["does not know the model", json(404, '{"error":"no such model"}'), /HTTP 404.*BOOKWHEEL_LLM_MODEL/],
    ["is busy", json(429, "{}"), /HTTP 429/],
    ["has a fault", json(500, "<html>"), /HTTP 500/],
    [
      "answers with a web page",
      (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      /not in the form/,
    ],
    ["answers with other JSON", json(200, '{"choices":"none"}'), /not in the form/],
    ["answers with nothing", says(""), /nothing/],
    ["only thinks", says("<think>Hm, hm, hm"), /nothing/],
    [
      "reports an error in its stream",
      (response) => streaming(response).end('data: {"error":{"message":"out of memory"}}\n\n'),
      /error of its own/,
    ],
    ["sends an event that is no JSON", (response) => streaming(response).end("data: {oops\n\n"), /not in the form/],
    ["ends its stream in the middle", (response) => streaming(response).end(event("At new")), /broke off/],
    [
      "hangs up in the middle",
      (response) => {
        streaming(response).write(event("At new"));
        setImmediate(() => response.destroy());
      },
      /broke off/,
    ],
    [
      "redirects elsewhere",
      (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      /cannot be reached/,
    ],
    [
      "never stops",
      (response) => {
        streaming(response);
        const more = () => response.write(event("again ".repeat(500)), () => !response.destroyed && setImmediate(more));
        more();
      },
      /no end/,
    ],
  ];
  for (const [what, behave, reason] of failures)
    it(`and ${what} is replaced by the sources' own words, with the reason`, async () => {
      const { answer } = await asked(behave);
      expect(answer.method).toBe("extractive");
      expect(answer.citations[0]?.excerpt).toContain("Spring tides follow");
      expect(answer.notes.join(" ")).toMatch(reason);
    });

  it("and is silent, or not there at all, is given up in time", async () => {
    const silent = await asked((response) => streaming(response).write(": still here\n\n"), { idleMs: 60 });
    expect(silent.answer.notes.join(" ")).toContain("did not answer in time");
    const slow = await asked(() => {}, { timeoutMs: 60 });
    expect(slow.answer.notes.join(" ")).toContain("did not answer in time");
    const absent = await asked(() => {}, { url: "http://127.0.0.1:1" });
    expect(absent.answer.notes.join(" ")).toContain("cannot be reached");
  });

  it("does not outlive its caller", async () => {
    const { llm } = await server(() => {});
    await expect(llm.write([], AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  });

  it("never shows its key in what is said about it", async () => {
    const { answer, site } = await asked(json(401, "{}"), { apiKey: "sk-very-secret" });
    expect(site.requests[0]!.headers.authorization).toBe("Bearer sk-very-secret");
    expect(JSON.stringify(answer)).not.toContain("very-secret");
  });
});
