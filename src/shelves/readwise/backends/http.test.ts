import { startReadwiseSandbox } from "../../../../sandbox/readwise/server.js";
import { readwiseApiContract } from "../../../../tests/support/readwise-api.contract.js";
import { httpReadwise } from "./http.js";

readwiseApiContract("http", async () => {
  const sandbox = await startReadwiseSandbox({ exportPageSize: 2, limits: false });
  return {
    api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 10_000 }),
    advance: sandbox.advance,
    close: sandbox.close,
  };
});
