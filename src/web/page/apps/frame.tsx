import { type ComponentChildren, render } from "preact";
import { jsonOrUndefined } from "../../../kernel/json.js";
import { Problem, Waiting } from "../reading/states.js";
import "../style/page.css";
import { hostCan, meetHost, openLink, toolResult } from "./host.js";

/** Shows a tool's answer with the page's components, inside an MCP host. */
export function showApp<T>(view: (data: T) => ComponentChildren): void {
  function App() {
    const result = toolResult.value;
    if (!result) return <Waiting />;
    const data = result.structuredContent ?? jsonOrUndefined(result.content?.find(({ text }) => text)?.text ?? "");
    if (typeof data !== "object" || data === null)
      return <Problem error={{ code: "no answer", message: "The host passed on no structured answer." }} />;
    if ("error" in data) return <Problem error={data.error as { code: string; message: string }} />;
    return <>{view(data as T)}</>;
  }
  // A sandboxed frame cannot open windows; the host can.
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href^=http]") : null;
    if (!link || !hostCan.value.openLinks) return;
    event.preventDefault();
    openLink(link.href);
  });
  render(<App />, document.getElementById("page")!);
  void meetHost();
}
