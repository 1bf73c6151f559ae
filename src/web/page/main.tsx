import { render } from "preact";
import { loadTools } from "./server/connection.js";
import { Shell } from "./shell.js";
import "./style/page.css";

void loadTools();
const place = document.getElementById("page")!;
place.replaceChildren();
render(<Shell />, place);
