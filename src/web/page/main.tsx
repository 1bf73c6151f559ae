import { render } from "preact";
import { loadTools } from "./server/connection.js";
import { readStatusEarly } from "./server/status-history.js";
import { Shell } from "./shell.js";
import "./style/fonts.css";
import "./style/page.css";

void loadTools().then(() => setTimeout(readStatusEarly, 2_000)); // after the view the user opened
const place = document.getElementById("page")!;
place.replaceChildren();
render(<Shell />, place);
