import "./server/no-eval.js"; // before anything that makes schemas
import { render } from "preact";
import { loadTools } from "./server/connection.js";
import { lookEarly } from "./server/looks.js";
import { Shell } from "./shell.js";
import "./style/page.css";

void loadTools().then(lookEarly);
const place = document.getElementById("page")!;
place.replaceChildren();
render(<Shell />, place);
