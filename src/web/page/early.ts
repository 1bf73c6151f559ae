// A small script that runs before the page is loaded and sends the first requests: the tools, and the search in the address.
import { readAddress } from "./address.js";
import { sendEarly } from "./server/early-requests.js";
import { EVERYWHERE, everywhere, isPlainSearch } from "./server/everywhere.js";
import { keyHeaders, storedKeys } from "./server/stored-keys.js";

const headers = keyHeaders(storedKeys());
const { path, query } = readAddress(location.hash);
const words = query.get("q") ?? "";
if (path.length === 0 && isPlainSearch(words))
  sendEarly("tools/call", { name: EVERYWHERE, arguments: everywhere(words) }, headers);
sendEarly("tools/list", {}, headers);
