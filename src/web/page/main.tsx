import { render } from "preact";
import { route } from "./routes.js";
import { loadTools } from "./server/connection.js";
import { searchEarly } from "./server/searching.js";
import { readStatusEarly } from "./server/status-history.js";
import { Shell } from "./shell.js";
import "./style/fonts.css";
import "./style/page.css";

if (route.value.path.length === 0) searchEarly(route.value.query.get("q") ?? "");
void loadTools().then(() => setTimeout(readStatusEarly, 2_000)); // after the view the user opened
const place = document.getElementById("page")!;
place.replaceChildren();
render(<Shell />, place);
