import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  closing,
  frame,
  type Item,
  innerJson,
  PREFIX,
  resultItem,
  statusItem,
  unary,
} from "../../../../../sandbox/notebook/frames.js";
import { ROOT } from "../../../../../tests/support/peers.js";
import { callBody, readItems, readReply, readStream, streamBody } from "./codec.js";

const bookkeeping = { ms: 180, token: "-100200300" };
const rpc = "wXbhsf";
const LIMIT = [8, null, [["type.googleapis.com/google.internal.labs.tailwind.UserDisplayableError", []]]];

describe("requests", () => {
  it("carry the call as compact JSON with every reserved character encoded", () => {
    expect(callBody(rpc, [null, "a b&c=1"], "tok=:1")).toBe(
      "f.req=%5B%5B%5B%22wXbhsf%22%2C%22%5Bnull%2C%5C%22a%20b%26c%3D1%5C%22%5D%22%2Cnull%2C%22generic%22%5D%5D%5D&at=tok%3D%3A1&",
    );
    expect(new URLSearchParams(streamBody(["🌊"], "t")).get("f.req")).toBe('[null,"[\\"🌊\\"]"]');
  });
});

describe("replies", () => {
  const read = (...items: Item[]) => readReply(unary(items, bookkeeping), rpc);

  it("are read whatever characters they hold", () => {
    const value = ["🌊 é <b> & x = 1 \r\n \u2028"];
    expect(read(resultItem(rpc, value))).toEqual({ kind: "result", value });
  });

  it("are read with CRLF line ends", () => {
    expect(readReply(unary([resultItem(rpc, [1])], bookkeeping).replaceAll("\n", "\r\n"), rpc)).toEqual({
      kind: "result",
      value: [1],
    });
  });

  it("count the last result of the call, and not an empty one after it", () => {
    expect(read(resultItem(rpc, [1]), resultItem(rpc, [2]), statusItem(rpc, [13]))).toEqual({
      kind: "result",
      value: [2],
    });
  });

  it("tell a refusal, and whether it is a limit", () => {
    expect(read(statusItem(rpc, [5]))).toEqual({ kind: "status", status: { code: 5, displayable: false } });
    expect(read(statusItem(rpc, LIMIT))).toEqual({ kind: "status", status: { code: 8, displayable: true } });
    expect(read(["er", rpc, 13])).toEqual({ kind: "status", status: { code: 13, displayable: false } });
  });

  it("tell a changed id from an empty answer and from a page", () => {
    expect(read(resultItem("zzZz9", [1]))).toEqual({ kind: "drift", answered: ["zzZz9"] });
    expect(read(["wrb.fr", rpc, null, null, null, null, "generic"])).toEqual({ kind: "empty" });
    expect(read()).toEqual({ kind: "empty" });
    expect(readReply("<!doctype html><title>Sorry</title>", rpc)).toEqual({ kind: "unreadable" });
  });

  it("that break off inside a frame are not half believed", () => {
    const whole = unary([resultItem(rpc, ["a long enough value"])], bookkeeping);
    for (let end = 0; end < whole.indexOf("\n25\n"); end++)
      expect(readReply(whole.slice(0, end), rpc).kind).toBe("unreadable");
  });
});

describe("streamed answers", () => {
  const snapshot = (text: string, kind: number, final = false): Item => [
    "wrb.fr",
    null,
    innerJson([[text, null, ["s", "t", 1], null, [[[]], null, null, null, kind]], null, null, null, final]),
  ];
  const stream = (...items: Item[]) => {
    const body = PREFIX + items.map((item) => frame([item])).join("") + frame([["di", 1]]);
    return body + closing(body, items.length + 1);
  };

  it("are the final frame, and never a thought", () => {
    const text = stream(
      snapshot("thinking", 2),
      snapshot("Half", 1),
      snapshot("Whole", 1, true),
      snapshot("late thought", 2, true),
    );
    expect(readStream(text)).toHaveProperty("value.0.0", "Whole");
  });

  it("that lack their final frame are cut, not answers", () => {
    expect(readStream(stream(snapshot("Half", 1), snapshot("Almost", 1)))).toEqual({ kind: "cut" });
    const whole = stream(snapshot("Half", 1), snapshot("Whole", 1, true));
    expect(readStream(whole.slice(0, whole.indexOf("Whole")))).toEqual({ kind: "cut" });
    expect(readStream(PREFIX + frame([]) + frame([["di", 1]]))).toEqual({ kind: "cut" });
  });

  it("may be thoughts alone, bookkeeping alone, or a refusal", () => {
    expect(readStream(stream(snapshot("thinking", 2)))).toEqual({ kind: "thinking" });
    expect(readStream(stream())).toEqual({ kind: "silent" });
    expect(readStream(stream(["wrb.fr", null, null, null, null, LIMIT]))).toEqual({
      kind: "status",
      status: { code: 8, displayable: true },
    });
    expect(readStream("<html>")).toEqual({ kind: "unreadable" });
  });

  it("that end with no text are blank, and may be asked for again", () => {
    expect(readStream(stream(snapshot("Half", 1), snapshot("", 1, true)))).toEqual({ kind: "blank" });
    expect(readStream(stream(snapshot(" \n", 1, true)))).toEqual({ kind: "blank" });
  });

  it("without text are thoughts, also where they come as answers", () => {
    expect(readStream(stream(snapshot("", 1), snapshot("", 1)))).toEqual({ kind: "thinking" });
  });

  it.each([5, 6, 7, 8])("are read from frames of %i slots", (slots) => {
    const inner = [["Whole", null, null, null, [[[]], null, null, null, 1]], null, null, null, true, null, true, "x"];
    const item: Item = ["wrb.fr", null, innerJson(inner.slice(0, slots))];
    expect(readStream(stream(item))).toHaveProperty("value.0.0", "Whole");
  });

  it("skip heartbeats", () => {
    const body = PREFIX + frame([]) + frame([snapshot("Whole", 1, true)]) + frame([]);
    expect(readStream(body)).toMatchObject({ kind: "answer" });
  });
});

const sheet = join(process.env.BOOKWHEEL_SHARED ?? join(ROOT, "..", "shared"), "reference", "notebooklm.md");

describe.skipIf(!existsSync(sheet))("the fact sheet's worked replies (needs ../shared)", () => {
  const bodies = existsSync(sheet)
    ? [...readFileSync(sheet, "utf8").matchAll(/```\n(\)\]\}'\n\n\d[\s\S]*?)```/g)].map(([, body]) => body ?? "")
    : [];

  it("have exactly the lengths and totals we count", () => {
    expect(bodies).toHaveLength(3);
    for (const body of bodies) {
      const lines = body.slice(PREFIX.length).split("\n");
      for (let i = 0; i + 1 < lines.length; i += 2)
        expect(`${lines[i]}\n${lines[i + 1]}\n`).toBe(frame(JSON.parse(lines[i + 1] ?? "")));
      const items = readItems(body);
      expect(items.at(-1)).toEqual(["e", items.length, null, null, Buffer.byteLength(body)]);
    }
  });

  it("are read as what the sheet says they are", () => {
    const [list = "", missing = "", answer = ""] = bodies;
    expect(readReply(list, "wXbhsf")).toHaveProperty("value.0.0.0", "Ocean notes");
    expect(readReply(missing, "rLM1Ne")).toEqual({ kind: "status", status: { code: 5, displayable: false } });
    expect(readStream(answer)).toHaveProperty("value.0.0", "Tides follow the **Moon** [1].");
  });
});
