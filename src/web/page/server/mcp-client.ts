import "./no-eval.js"; // before any module that creates schemas
import {
  Client,
  type ClientOptions,
  type DiscoverResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { CLIENT, PROTOCOL } from "./early-requests.js";

/** The page is served by its server and knows the protocol version: no discovery request is needed. */
const KNOWN: DiscoverResult = {
  supportedVersions: [PROTOCOL],
  capabilities: { tools: {} },
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
};

/** No validators: the server checks its own answers, and compiling one for each tool would double the start-up time. */
const ALREADY_CHECKED: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

export async function connectTo(
  endpoint: URL,
  send: (url: string | URL, init?: RequestInit) => Promise<Response>,
): Promise<Client> {
  const client = new Client(CLIENT, { jsonSchemaValidator: ALREADY_CHECKED });
  await client.connect(new StreamableHTTPClientTransport(endpoint, { fetch: send }), {
    prior: { kind: "modern", discover: KNOWN },
  });
  return client;
}
