import { trimEndOf } from "./trim-end.js";

/** The address of an endpoint such as `embeddings`, from that of the host alone, of `/v1`, or of the endpoint itself. */
export function openAiAddress(url: string, endpoint: string): URL {
  const address = new URL(url);
  const path = trimEndOf(address.pathname, /\//);
  address.pathname = path.endsWith(`/${endpoint}`) ? path : `${path || "/v1"}/${endpoint}`;
  return address;
}
