// A small script inside the page's HTML that runs before anything else is loaded. It sets the colours and sends the first
// requests: the tools, and what the view in the address asks for.
import { readAddress } from "./address.js";
import { sendEarly } from "./server/early-requests.js";
import { firstCall } from "./server/first-calls.js";
import { keyHeaders, storedKeys } from "./server/stored-keys.js";
import { storedTheme } from "./stored-theme.js";

document.documentElement.dataset.theme = storedTheme();
const headers = keyHeaders(storedKeys());
const call = firstCall(readAddress(location.hash));
// The list first: it is answered at once, and the page draws its frame with it while the call is worked on.
sendEarly("tools/list", {}, headers);
if (call) sendEarly("tools/call", call, headers);

// The MCP client is the largest file. Where the first answer is on its way, it is loaded after that is shown.
const client = document.currentScript?.dataset.client;
if (client && !call) {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = client;
  link.fetchPriority = "low";
  document.head.append(link);
}
